#include "daemon/programs/site_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/outside_text.h"
#include "base/text.h"
#include "base/trigger_names.h"
#include "daemon/programs/program_settings.h"
#include "model/job_dates.h"

namespace maui {
namespace {

std::string_view final_state(JobState state) {
  return state == JobState::completed ? "Completed" : "Removed";
}

std::string epoch(Time when) {
  return std::to_string(when < kForever && when > Time(0) ? when.raw() : 0);
}

/// Returns the words as arguments of a program, which may print them anywhere.
std::vector<std::string> printable_words(std::vector<std::string> words) {
  for (std::string& word : words) word = printable(word);
  return words;
}

/// Returns the average number of processors used, as measured or from the recorded run.
double average_load(const Job& job) {
  if (const auto procs = job.average_procs()) return *procs;
  if (!job.recorded || job.recorded->run_time <= Seconds(0)) return 0;
  return job.recorded->proc_seconds / static_cast<double>(job.recorded->run_time.raw());
}

}  // namespace

std::vector<std::string> feedback_arguments(const Cluster& cluster, const Job& job) {
  const Request& request = cluster.request(job.request);
  const double tasks = std::max(request.total_tasks(), 1);
  const bool ran = job.started < kForever;
  const JobDates dates = dates_of(job);
  const Seconds limit = std::max(request.limit, Seconds(1));
  const double spent = static_cast<double>(((ran ? job.ended : job.queued) - job.queued).raw());
  const auto& user = cluster.users[job.credentials.user];
  const double load = average_load(job);
  return printable_words(
      {job.name, user, user, std::string(final_state(job.state)),
       job.qos_requested.empty() ? std::string("[NONE]") : *job.qos_requested,
       epoch(dates.submitted), epoch(dates.started), epoch(job.ended),
       fmt::format("{:.2f}", spent / static_cast<double>(limit.raw())),
       std::to_string(request.limit.raw()), std::to_string(request.total_procs()),
       std::to_string(request.requirements.front().per_task.memory()),
       fmt::format("{:.2f}", load / tasks),
       fmt::format("{:.2f}", std::max(load, job.past_use->peak.procs) / tasks),
       fmt::format("{:.2f}", static_cast<double>(job.use->memory) / tasks),
       fmt::format("{:.2f}", static_cast<double>(job.past_use->peak.memory) / tasks)});
}

std::vector<std::string> notification_arguments(const Event& event) {
  std::vector<std::string> arguments{fmt::format("{}:", name_of(event_names(), event.type))};
  arguments.insert(arguments.end(), event.words.begin(), event.words.end());
  return printable_words(std::move(arguments));
}

std::vector<std::string> trigger_arguments(const Trigger& trigger, const Reservation& reservation) {
  return {reservation.name, std::string(name_of<TriggerEvent>(kTriggerEvents, trigger.event)),
          epoch(reservation.start), epoch(reservation.end)};
}

SitePrograms::SitePrograms(boost::asio::io_context& io, ProgramLimits limits, Log log)
    : log_(std::move(log)), runner_(io, limits, [this](const ProgramEnd& end) {
        if (!end.failure.empty()) log_(1, fmt::format("WARNING: {}: {}", end.program, end.failure));
        if (!end.output.empty()) log_(3, fmt::format("{} printed: {}", end.program, end.output));
        log_left_out(/*now=*/false);
      }) {}

void SitePrograms::configure(const JobSettings& settings, const std::string& home) {
  feedback_ = found("FEEDBACKPROGRAM", settings.feedback_program, home);
  notification_ = found("NOTIFICATIONPROGRAM", settings.notification_program, home);
}

std::string SitePrograms::found(std::string_view parameter, const std::string& name,
                                const std::string& home) {
  if (name.empty()) return {};
  auto place = find_program(name, home);
  if (place) return *std::move(place);
  log_(0, fmt::format("WARNING: {} has no effect: {}", parameter, place.error().what));
  return {};
}

void SitePrograms::run(SiteCall call) {
  if (auto status = runner_.run(std::move(call)); !status)
    log_(1, "WARNING: " + status.error().what);
  log_left_out(/*now=*/false);
}

void SitePrograms::log_left_out(bool now) {
  for (const auto& [party, count] : runner_.left_out(now))
    log_(1, fmt::format("WARNING: {} for events of {} not run: too many waited",
                        counted(count, "program"),
                        party.empty() ? "the scheduler itself" : fmt::format("'{}'", party)));
}

std::string SitePrograms::underway() const {
  if (!busy()) return {};
  const auto waiting = runner_.waiting();
  return fmt::format("{} of the site that run{}{}{}", counted(runner_.running(), "program"),
                     by_number(runner_.running(), "s", ""),
                     waiting == 0 ? "" : fmt::format(", and {} that wait", waiting),
                     runner_.running() == 0 ? "" : ": " + join(runner_.names(), " "));
}

void SitePrograms::end(bool kept) {
  log_left_out(/*now=*/true);
  if (running())
    log_(0, fmt::format("WARNING: {} of the site did not end in time and {} killed: {}",
                        counted(runner_.running(), "program"),
                        by_number(runner_.running(), "is", "are"), join(runner_.names(), " ")));
  ProgramCounts dropped;
  std::size_t triggers = 0, events = 0;
  for (const SiteCall& call : runner_.end()) {
    if (!call.urgent) {
      ++events;
      ++dropped[call.cause];
      continue;
    }
    ++triggers;
    log_(1, fmt::format("{} {} has not begun: {}", call.program, join(call.arguments, " "),
                        kept ? "the next scheduler runs it" : "it is not run"));
  }
  if (triggers > 0)
    log_(0, fmt::format("WARNING: {} of reservations wait for their programs to begin: {}",
                        counted(triggers, "trigger"),
                        kept ? "the next scheduler runs these" : "these are not run"));
  if (events == 0) return;
  std::vector<std::string> causes;
  for (const auto& [cause, count] : dropped) causes.push_back(fmt::format("{} {}", cause, count));
  log_(0, fmt::format("WARNING: {} that waited are not run, since the scheduler ends: {}",
                      counted(events, "program"), join(causes, ", ")));
}

void SitePrograms::job_ended(const Cluster& cluster, const Job& job) {
  if (!feedback_.empty() && job.started < kForever)
    run({feedback_, feedback_arguments(cluster, job), "FEEDBACKPROGRAM",
         cluster.users[job.credentials.user]});
}

void SitePrograms::trigger(const Trigger& trigger, const Reservation& reservation,
                           const std::string& home, bool may_submit, std::function<void()> begun) {
  const auto refused = [&](const std::string& why) {
    log_(0, fmt::format("WARNING: trigger of reservation '{}' has no effect: {}", reservation.name,
                        why));
    begun();
  };
  const auto start = [&](const std::string& program, std::vector<std::string> arguments) {
    run({program, std::move(arguments), "TRIGGER", {}, std::move(begun), /*urgent=*/true});
  };
  if (trigger.action == TriggerAction::execute) {
    const auto program = find_program(trigger.data, home);
    return program ? start(*program, trigger_arguments(trigger, reservation))
                   : refused(program.error().what);
  }
  if (!may_submit) return refused("a simulation accepts only the jobs of its workload");
  const auto script = find_script(trigger.data, home);
  if (!script) return refused(script.error().what);
  const auto program = submit_program();
  program.empty() ? refused("no qsub, sbatch or llsubmit is installed to submit it")
                  : start(program, {*script});
}

void SitePrograms::event(const Event& event) {
  if (notification_.empty()) return;
  SiteCall call{notification_, notification_arguments(event),
                std::string(name_of(event_names(), event.type)), event.party};
  call.once = true;
  run(std::move(call));
}

}  // namespace maui
