// Checkpoints as text: JSON, with a line for each part and for each entry of a part.
//
// Job lines are written field by field, without a tree of values.
#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/checkpoint_parts.h"

namespace maui {

void from_json(const nlohmann::json& in, AllocationDeed& deed) {
  deed = checkpointing::enumerator(in, AllocationDeed::release);
}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(AllocationRequest, deed, when, job, manager, user,
                                                group, account, job_class, qos, start, began, procs,
                                                duration, amount, node_types)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(IdleCharge, reservation, payer, since, until, proc_seconds,
                                   procs)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ClockStep, at, since, by)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Checkpoint::Ended, accounted, name, submitted,
                                                manager, ran_until, given_up, user)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(RunOnFile, name, manager, submitted, started, ended,
                                                reported_start, began, suspended, completed,
                                                clock_sum)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(EndedJob, name, user, group, account, job_class,
                                                qos, partition, main_host, cancelled, completed,
                                                backfilled, exit_code, procs, nodes, efficiency,
                                                submitted, started, ended, limit, run_time,
                                                shorter_limit, shorter_start)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Checkpoint::Waived, standing, period, terms)

// Earlier versions have `written`, what the clock showed when the machine had run for `lasted`.
void to_json(nlohmann::json& out, const ClockReference& clock) {
  const auto written = std::chrono::round<std::chrono::seconds>(clock.ahead).count();
  out = {{"id", clock.boot}, {"ahead", clock.ahead.count()}, {"lasted", 0}, {"written", written}};
}
void from_json(const nlohmann::json& in, ClockReference& clock) {
  constexpr std::int64_t kMost{5'000'000'000};  // seconds; std::chrono counts nanoseconds
  constexpr std::int64_t kSecond = 1000;
  const auto whole = (in.at("written").get<Time>() - in.at("lasted").get<Time>()).raw();
  if (whole < -kMost || whole > kMost)
    checkpointing::refuse(
        fmt::format("expected a clock that is ahead of the time since the boot "
                    "by {} to {} seconds, not {}",
                    -kMost, kMost, whole));
  const auto exact = in.value("ahead", Time(whole * kSecond)).raw();
  const bool agree = exact / kSecond >= whole - 1 && exact / kSecond <= whole + 1;
  clock = {in.at("id").get<std::string>(),
           std::chrono::milliseconds(agree ? exact : whole * kSecond)};
}

}  // namespace maui

namespace maui::checkpointing {
namespace {

constexpr int kVersion = 5, kOldest = 2;
// The name under which jobs without such a credential are counted; until version 3 as displayed.
constexpr std::string_view kNobody, kNobodyUntil3 = "[NONE]";

void append_ended(std::string& out, const Checkpoint::Ended& ended) {
  Fields fields(out);
  fields.add("accounted", ended.accounted);
  fields.add("name", ended.name);
  fields.add("submitted", ended.submitted);
  fields.add("manager", ended.manager);
  if (ended.ran_until != Time(0)) fields.add("ran_until", ended.ran_until);
  if (ended.given_up) fields.add("given_up", true);
  if (!ended.user.empty()) fields.add("user", ended.user);
  fields.end();
}

/// Returns everything except jobs, ended jobs and reservations.
Json rest_of(const Cluster& names, const Checkpoint& checkpoint) {
  Json later = Json::array();
  for (const auto& trigger : checkpoint.triggers_later) later.push_back(json_of(names, trigger));
  Json rest{{"version", kVersion},
            {"when", checkpoint.when},
            {"heard", checkpoint.heard},
            {"waivers", checkpoint.waivers},
            {"reservation_numbers", checkpoint.reservation_numbers},
            {"statistics", json_of(names, checkpoint.statistics)},
            {"triggers_asked", checkpoint.triggers_asked},
            {"triggers_later", later},
            {"charges", checkpoint.charges},
            {"idle", checkpoint.idle}};
  if (!checkpoint.heard_before.empty()) rest["heard_before"] = checkpoint.heard_before;
  if (checkpoint.clock_step.at >= Time(0)) rest["clock_step"] = checkpoint.clock_step;
  if (!checkpoint.earlier_steps.empty()) rest["earlier_steps"] = checkpoint.earlier_steps;
  if (checkpoint.clock_sum != Seconds(0)) rest["clock_sum"] = checkpoint.clock_sum;
  if (checkpoint.records) rest["records"] = *checkpoint.records;
  for (const RunOnFile& run : checkpoint.recorded) {
    Json recorded = run;
    if (run.job) recorded["job"] = parse_json_text(job_line(names, *run.job));
    rest["recorded"].push_back(std::move(recorded));
  }
  if (checkpoint.in_good_order) rest["in_good_order"] = true;
  if (!checkpoint.unwritten.empty()) rest["unwritten"] = checkpoint.unwritten;
  if (const ClockReference& clock = checkpoint.clock; !clock.boot.empty()) rest["boot"] = clock;
  if (checkpoint.end_of_messages > Time(0)) rest["end_of_messages"] = checkpoint.end_of_messages;
  if (checkpoint.fairshare) rest["fairshare"] = json_of(names, *checkpoint.fairshare);
  return rest;
}

}  // namespace
}  // namespace maui::checkpointing

namespace maui {

std::string job_line(const Cluster& names, const CheckpointedJob& saved) {
  std::string line;
  checkpointing::append_job(line, names, saved);
  return line;
}

Result<CheckpointedJob> read_job_line(std::string_view line, ClusterNames& names) {
  try {
    return checkpointing::checkpointed(parse_json_text(line), names);
  } catch (const checkpointing::Json::exception& error) {
    return Error{fmt::format("it has no valid content: {}", error.what())};
  }
}

void CheckpointText::add(const CheckpointedJob& job) {
  text_ += jobs_++ == 0 ? "[\n" : ",\n";
  checkpointing::append_job(text_, names_, job);
}

void CheckpointText::end_jobs() { text_ += jobs_ == 0 ? "[]" : "]"; }

void CheckpointText::add_wait(std::string_view job, Time submitted, std::string_view why) {
  if (waits_ == 0) end_jobs();
  text_ += waits_++ == 0 ? ",\n\"waited\":[\n[" : ",\n[";
  checkpointing::append(text_, job);
  text_ += ',';
  checkpointing::append(text_, submitted);
  text_ += ',';
  checkpointing::append(text_, why);
  text_ += ']';
}

std::string CheckpointText::finish(const Checkpoint& checkpoint) {
  using namespace checkpointing;
  if (waits_ == 0)
    end_jobs();
  else
    text_ += ']';
  std::string text = std::move(text_);
  text += ",\n\"ended\":";
  append_lines(text, checkpoint.ended,
               [&](const Checkpoint::Ended& ended) { append_ended(text, ended); });
  if (!checkpoint.completed.empty()) {
    text += ",\n\"completed\":";
    append_lines(text, checkpoint.completed,
                 [&](const EndedJob& job) { text += json_text(Json(job)); });
  }
  text += ",\n\"reservations\":";
  append_lines(text, checkpoint.reservations, [&](const CheckpointedReservation& reservation) {
    text += json_text(json_of(names_, reservation));
  });
  if (checkpoint.learned) {
    text += ",\n\"learned\":";
    append_learned(text, *checkpoint.learned);
  }
  const Json rest = rest_of(names_, checkpoint);
  for (const auto& [name, part] : rest.items())
    text += fmt::format(",\n\"{}\":{}", name, json_text(part));
  text += "}\n";
  return text;
}

std::string checkpoint_text(const Cluster& names, const Checkpoint& checkpoint) {
  CheckpointText text(names);
  for (const CheckpointedJob& job : checkpoint.jobs) text.add(job);
  for (const auto& [job, submitted, why] : checkpoint.waited) text.add_wait(job, submitted, why);
  return text.finish(checkpoint);
}

Result<Checkpoint> read_checkpoint_text(std::string_view text, const PlotSettings& plot,
                                        ClusterNames& names) {
  using namespace checkpointing;
  try {
    const Json all = parse_json_text(text);
    const int version = all.at("version").get<int>();
    if (version < kOldest || version > kVersion)
      return Error{
          fmt::format("unsupported version {}: expected {} to {}", version, kOldest, kVersion)};
    Checkpoint checkpoint;
    all.at("when").get_to(checkpoint.when);
    for (const auto& job : all.at("jobs")) checkpoint.jobs.push_back(checkpointed(job, names));
    all.at("ended").get_to(checkpoint.ended);
    if (const auto completed = all.find("completed"); completed != all.end())
      completed->get_to(checkpoint.completed);
    if (const auto waited = all.find("waited"); waited != all.end())
      for (const auto& row : *waited)
        checkpoint.waited.push_back(
            {row.at(0).get<std::string>(), row.at(1).get<Time>(), row.at(2).get<std::string>()});
    if (const auto records = all.find("records"); records != all.end())
      checkpoint.records = records->get<std::map<std::string, std::uint64_t>>();
    checkpoint.clock_sum = all.value("clock_sum", Seconds(0));
    if (const auto recorded = all.find("recorded"); recorded != all.end())
      for (const Json& each : *recorded) {
        RunOnFile& run = checkpoint.recorded.emplace_back();
        each.get_to(run);
        // Earlier versions have neither, but by how much the clock was set since then.
        if (run.began == kForever) run.began = run.started;
        if (!each.contains("clock_sum"))
          run.clock_sum = checkpoint.clock_sum - each.value("clock_set", Seconds(0));
        if (const auto job = each.find("job"); job != each.end())
          run.job = std::make_shared<const CheckpointedJob>(checkpointed(*job, names));
      }
    all.at("heard").get_to(checkpoint.heard);
    if (const auto before = all.find("heard_before"); before != all.end())
      before->get_to(checkpoint.heard_before);
    if (const auto step = all.find("clock_step"); step != all.end())
      step->get_to(checkpoint.clock_step);
    if (const auto steps = all.find("earlier_steps"); steps != all.end())
      steps->get_to(checkpoint.earlier_steps);
    for (const auto& reservation : all.at("reservations"))
      checkpoint.reservations.push_back(reservation_of(reservation, names));
    all.at("waivers").get_to(checkpoint.waivers);
    all.at("reservation_numbers").get_to(checkpoint.reservation_numbers);
    all.at("triggers_asked").get_to(checkpoint.triggers_asked);
    all.at("charges").get_to(checkpoint.charges);
    for (AllocationRequest& charge : checkpoint.charges)
      if (charge.began == Time(0)) charge.began = charge.start;  // of an earlier version
    checkpoint.in_good_order = all.value("in_good_order", false);
    if (const auto unwritten = all.find("unwritten"); unwritten != all.end())
      unwritten->get_to(checkpoint.unwritten);
    if (const auto boot = all.find("boot"); boot != all.end()) boot->get_to(checkpoint.clock);
    checkpoint.end_of_messages = all.value("end_of_messages", Time(0));
    if (const auto fairshare = all.find("fairshare"); fairshare != all.end())
      checkpoint.fairshare = fairshare_of(*fairshare, names);
    if (const auto learned = all.find("learned"); learned != all.end())
      checkpoint.learned = learned_of(*learned);
    if (version > 2) {
      all.at("idle").get_to(checkpoint.idle);
      for (const auto& trigger : all.at("triggers_later"))
        checkpoint.triggers_later.push_back(later_of(trigger, names));
    }
    read(all.at("statistics"), version > 3 ? kNobody : kNobodyUntil3, plot, names,
         checkpoint.statistics);
    if (checkpoint.statistics.grid_since == kForever)
      checkpoint.statistics.grid_since = checkpoint.when;
    return checkpoint;
  } catch (const Json::exception& error) {
    return Error{fmt::format("it has no valid content: {}", error.what())};
  }
}

}  // namespace maui
