#include "slurm/adapter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <utility>

#include "base/enum_names.h"
#include "base/sorted.h"
#include "base/text.h"
#include "rm/wiki_attributes.h"
#include "rm/wiki_notices.h"
#include "slurm/arrays.h"
#include "slurm/gres.h"
#include "slurm/job_record.h"
#include "slurm/node_record.h"
#include "slurm/start.h"
#include "slurm/start_note.h"

namespace maui::slurm {
namespace {

// The time for which a snapshot of Slurm counts as current.
constexpr std::chrono::milliseconds kMoment{200};

WikiReply failed(std::string why, int code = kWikiFailed) { return {code, std::move(why), false}; }

WikiReply done(const Status& status, std::string text) {
  if (!status) return failed(status.error().what, kWikiRefused);
  return {kWikiDone, std::move(text), false};
}

std::vector<std::string> distinct(std::vector<std::string> names) {
  sort_unique(names);
  return names;
}

// "0:ALL", "0:n1:n2": selects records by name.  The time is ignored: old records do no harm.
class Wanted {
 public:
  explicit Wanted(std::string_view argument) {
    const auto parts = split(argument, ':');
    for (std::size_t i = 1; i < parts.size(); ++i)
      if (same_word(parts[i], "ALL"))
        all_ = true;
      else
        names_.emplace(parts[i]);
  }
  bool operator()(const std::string& name) const { return all_ || names_.contains(name); }

 private:
  bool all_ = false;
  std::set<std::string> names_;
};

constexpr std::array<EnumName<int>, 10> kSignals{{
    {SIGHUP, "HUP"},
    {SIGINT, "INT"},
    {SIGQUIT, "QUIT"},
    {SIGKILL, "KILL"},
    {SIGUSR1, "USR1"},
    {SIGUSR2, "USR2"},
    {SIGTERM, "TERM"},
    {SIGCONT, "CONT"},
    {SIGSTOP, "STOP"},
    {SIGTSTP, "TSTP"},
}};

// "15", "TERM", "SIGTERM"
std::optional<int> signal_number(std::string_view text) {
  if (const auto number = parse_integer<int>(text); number)
    return *number > 0 && *number <= 64 ? number : std::nullopt;
  const std::string name = upper(text);
  return value_of<int>(kSignals, name.starts_with("SIG") ? std::string_view(name).substr(3) : name);
}

}  // namespace

struct Adapter::Row {
  std::string_view command;
  Handler handler;
};

const Adapter::Row* Adapter::row_of(std::string_view command) {
  static constexpr std::array<Row, 13> kRows{{
      {"GETNODES", &Adapter::get_nodes},
      {"GETRESERVATIONS", &Adapter::get_reservations},
      {"GETWARNINGS", &Adapter::get_warnings},
      {"GETJOBS", &Adapter::get_jobs},
      {"STARTJOB", &Adapter::start_job},
      {"CANCELJOB", &Adapter::cancel_job},
      {"REQUEUEJOB", &Adapter::requeue_job},
      {"SUSPENDJOB", &Adapter::suspend_job},
      {"RESUMEJOB", &Adapter::resume_job},
      {"SIGNALJOB", &Adapter::signal_job},
      {"MODIFYJOB", &Adapter::modify_job},
      {"MODIFYNODE", &Adapter::modify_node},
      {"NOTEJOBS", &Adapter::note_jobs},
  }};
  const auto at = std::find_if(kRows.begin(), kRows.end(),
                               [&](const Row& row) { return same_word(row.command, command); });
  return at == kRows.end() ? nullptr : &*at;
}

WikiReply Adapter::answer(const WikiRequest& request, Time now) {
  const Row* row = row_of(request.command);
  if (row == nullptr)
    return failed(fmt::format("{} is not supported with Slurm", request.command), kWikiMalformed);
  know_generation(request.generation, now);
  const bool looks = row->command.starts_with("GET");
  if (!looks && successor_ > 0)
    return failed(fmt::format("generation {} of the lease is over: generation {} starts jobs",
                              generation_, successor_),
                  kWikiRefused);
  auto reply = (this->*row->handler)(request, now);
  if (!looks) loaded_.reset();
  return reply;
}

void Adapter::know_generation(std::int64_t generation, Time now) {
  if (generation == generation_) return;
  generation_ = generation;
  successor_ = 0;
  began_ = now;
}

// Starts before this generation's first request prove nothing: the numbering may have restarted.
void Adapter::look_for_successor() {
  if (generation_ == 0) return;
  for (const Job& job : cluster_.jobs)
    if (const auto note = read_note(job.admin_comment);
        note && note->started >= began_ && note->generation > generation_)
      successor_ = std::max(successor_, note->generation);
}

bool Adapter::look(Time now, Asked asked) {
  const auto changed = refresh();
  if (!changed) return false;
  if (repair(now)) (void)refresh();
  note_returns(now);
  if (successor_ == 0)
    for (const Change& change : notices_.changes(cluster_, now)) {
      (void)controller_.update(change);
      loaded_.reset();
    }
  for_next_poll_ = *changed && asked == Asked::at_once;
  if (!for_next_poll_) loaded_.reset();
  return *changed;
}

WikiReply Adapter::get_nodes(const WikiRequest& request, Time now) {
  if (!std::exchange(for_next_poll_, false)) loaded_.reset();
  if (const auto status = know_what_is(); !status) return failed(status.error().what);
  const Wanted wanted(request.argument);
  std::vector<std::string> records;
  for (const auto& node : node_reports(cluster_, now))
    if (wanted(node.node.name)) records.push_back(write_wiki(write_wiki_node(node)));
  warn_of_counts();
  return {kWikiDone, write_wiki_records(records), true};
}

void Adapter::warn_of_counts() {
  for (const Node& node : cluster_.nodes)
    for (const auto& kind : too_many_to_count(node.gres))
      if (warned_of_.insert(kind).second)
        warnings_.push_back(
            fmt::format("node '{}' has more than 2147483647 of the generic resource '{}': maui "
                        "counts 2147483647 on each such node (count it in larger units in Slurm)",
                        node.name, kind));
}

WikiReply Adapter::get_reservations(const WikiRequest&, Time) {
  if (const auto status = know_what_is(); !status) return failed(status.error().what);
  std::vector<std::string> records;
  for (const auto& reservation : reservation_reports(cluster_))
    records.push_back(write_wiki(write_wiki_reservation(reservation)));
  return {kWikiDone, write_wiki_records(records), true};
}

WikiReply Adapter::get_warnings(const WikiRequest&, Time) {
  if (const auto status = know_what_is(); !status) return failed(status.error().what);
  std::vector<std::string> records;
  if (!cluster_.no_gate.empty())
    records.push_back(
        write_wiki(WikiRecord{"gate", {{"MESSAGE", wiki_escaped(cluster_.no_gate)}}}));
  return {kWikiDone, write_wiki_records(records), true};
}

WikiReply Adapter::get_jobs(const WikiRequest& request, Time now) {
  if (const auto status = know_what_is(); !status) return failed(status.error().what);
  if (repair(now))
    if (const auto status = refresh(); !status) return failed(status.error().what);
  note_returns(now);
  loaded_.reset();  // the next poll takes a new snapshot
  for_next_poll_ = false;
  const Wanted wanted(request.argument);
  std::vector<std::string> records;
  report_jobs(cluster_, now, [&](WikiJob job) {
    if (!wanted(job.report.name)) return;
    report_use(job);
    records.push_back(write_wiki(write_wiki_job(job)));
  });
  return {kWikiDone, write_wiki_records(records), true};
}

void Adapter::report_use(WikiJob& reported) const {
  if (usage_.empty() || reported.report.job.started == kForever) return;
  const Job* job = find(reported.report.name);
  if (job == nullptr || job->pending() || job->started > measured_) return;
  const auto at = usage_.find(job->id);
  if (at == usage_.end()) return;
  reported.use = at->second;
  reported.used_until = measured_;
}

WikiReply Adapter::start_job(const WikiRequest& request, Time now) {
  const std::string& name = request.argument;
  const Job* record = find(name);
  if (record == nullptr) {
    if (const auto status = refresh(); !status) return failed(status.error().what, kWikiNotNow);
    record = find(name);
  }
  if (record == nullptr) return failed(fmt::format("no job {}", name), kWikiRefused);
  if (started_.contains(name))
    return failed(fmt::format("job {} is starting already", name), kWikiRefused);
  if (!all_) all_.emplace(cluster_, now);
  all_->now = now;
  const auto task_list = wiki_list(request.option("TASKLIST"));
  Job job = *record;
  if (const auto mark = name.find('_'); mark != std::string::npos)
    job.array_task = parse_integer<std::uint32_t>(name.substr(mark + 1));
  Job placed = as_asked(job);
  placed.nodes = join(distinct(task_list), ",");
  if (const auto what = hindrance_of(placed, *all_))
    return failed(fmt::format("job {}: {}", name, what.why),
                  what.passes ? kWikiNotNow : kWikiNever);
  const auto change = start_change(job, task_list, *all_, generation_);
  if (!change) return failed(change.error().what, kWikiRefused);
  const auto status = controller_.update(*change);
  if (status) {
    started_.insert(name);
    all_->started(placed);
  } else if (!refresh()) {  // slurmctld is down; its later state will show the result
    return failed(status.error().what, kWikiNotNow);
  } else if (record = find(name); record == nullptr || !carried_out(*change, *record)) {
    return failed(status.error().what, kWikiRefused);
  }
  return {kWikiDone, fmt::format("job {} is starting", name), false};
}

WikiReply Adapter::cancel_job(const WikiRequest& request, Time) {
  return done(controller_.signal(request.argument, SIGKILL), "cancelled");
}

// Slurm does not requeue jobs submitted without requeueing; the caller may override that.
WikiReply Adapter::requeue_job(const WikiRequest& request, Time) {
  const Job* job = find(request.argument);
  if (job != nullptr && !job->requeue)
    if (const auto status = controller_.update({.job = request.argument, .allow_requeue = true});
        !status)
      return failed(status.error().what, kWikiRefused);
  return done(controller_.requeue(request.argument), "requeued");
}

WikiReply Adapter::suspend_job(const WikiRequest& request, Time) {
  return done(controller_.suspend(request.argument), "suspended");
}

WikiReply Adapter::resume_job(const WikiRequest& request, Time) {
  return done(controller_.resume(request.argument), "resumed");
}

WikiReply Adapter::signal_job(const WikiRequest& request, Time) {
  const auto number = signal_number(request.option("VALUE"));
  if (!number)
    return failed(fmt::format("invalid VALUE '{}': expected a signal", request.option("VALUE")),
                  kWikiMalformed);
  return done(controller_.signal(request.argument, *number), "signalled");
}

WikiReply Adapter::modify_job(const WikiRequest& request, Time) {
  Change change{.job = request.argument};
  for (const auto& [name, value] : request.options) {
    if (name == "BANK") {
      change.account = value;
    } else if (name == "PARTITION") {
      change.partition = value;
    } else if (name == "TIMELIMIT") {
      change.limit = parse_integer<std::uint32_t>(value);
      if (!change.limit)
        return failed(fmt::format("invalid TIMELIMIT '{}': expected minutes", value),
                      kWikiMalformed);
    } else {
      return failed(fmt::format("{} cannot be changed; BANK, PARTITION and TIMELIMIT can", name),
                    kWikiMalformed);
    }
  }
  return done(controller_.update(change), "changed");
}

WikiReply Adapter::modify_node(const WikiRequest& request, Time) {
  const bool out = same_word(request.option("STATE"), "Drained");
  const std::string user(request.option("USER"));
  return done(controller_.update(NodeChange{request.argument, out, "maui: mnodectl by " + user}),
              out ? "drained" : "returned to service");
}

// The next look() shows them.
WikiReply Adapter::note_jobs(const WikiRequest& request, Time) {
  const auto given = read_notices(request);
  notices_.take(given.notices, given.all);
  return {kWikiDone, "noted", false};
}

/// Loads the state of Slurm, unless it was just loaded for this poll.
Status Adapter::know_what_is() {
  if (loaded_ && std::chrono::steady_clock::now() - *loaded_ < kMoment) return Done{};
  if (const auto status = refresh(); !status) return status.error();
  return Done{};
}

/// Loads the state of Slurm; returns true if it has changed.
Result<bool> Adapter::refresh() {
  const auto before = std::chrono::steady_clock::now();
  loaded_.reset();
  auto loaded = controller_.load();
  if (!loaded) return loaded.error();
  loaded_ = before;
  if (!*loaded) return false;
  all_.reset();
  cluster_ = **std::move(loaded);
  apply_partitions(cluster_);
  apply_gpus_of_tasks(cluster_);
  apply_shares_of_gpus(cluster_);
  apply_overcommit(cluster_);
  look_for_successor();
  started_.clear();
  places_.clear();
  for (std::size_t i = 0; i < cluster_.jobs.size(); ++i)
    places_.emplace(job_name(cluster_.jobs[i]), i);
  return true;
}

/// Slurm does not report that nodes come back; they then receive messages about their last jobs.
void Adapter::note_returns(Time now) {
  for (const Node& node : cluster_.nodes) {
    if (node.state == NodeState::down || node.silent)
      away_.insert(node.name);
    else if (away_.erase(node.name) > 0)
      node_returned_ = now;
  }
  cluster_.node_returned = node_returned_;
}

/// Makes all repairs.  If a repair fails, something has changed: the next look() sees it.
bool Adapter::repair(Time now) {
  if (successor_ > 0) return false;
  const auto changes = repairs(cluster_, now, patience_);
  for (const Change& change : changes) (void)controller_.update(change);
  return !changes.empty();
}

/// Returns the record of a job; all waiting tasks of an array share one record.
const Job* Adapter::find(const std::string& name) const {
  if (const auto at = places_.find(name); at != places_.end()) return &cluster_.jobs[at->second];
  const auto mark = name.find('_');
  if (mark == std::string::npos) return nullptr;
  const auto at = places_.find(name.substr(0, mark));
  const auto task = parse_integer<std::uint32_t>(name.substr(mark + 1));
  if (at == places_.end() || !task) return nullptr;
  const Job& record = cluster_.jobs[at->second];
  return has_array_task(record.array_tasks, *task) ? &record : nullptr;
}

}  // namespace maui::slurm
