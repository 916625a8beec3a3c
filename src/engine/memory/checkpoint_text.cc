// Checkpoints as text: JSON, a line for each part and for each thing in it.
//
// There may be a hundred thousand jobs, and clients wait for the text: their lines are written
// field by field, without a tree of values.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/enum_names.h"
#include "engine/memory/checkpoint.h"
#include "engine/memory/json_bytes.h"
#include "model/access_names.h"
#include "model/credentials.h"

namespace maui {

using Json = nlohmann::json;

// Found by the library where a value of these types is written or read.

void to_json(Json& out, Time time) { out = time.raw(); }
void from_json(const Json& in, Time& time) { time = Time(in.get<std::int64_t>()); }
void to_json(Json& out, Seconds seconds) { out = seconds.raw(); }
void from_json(const Json& in, Seconds& seconds) { seconds = Seconds(in.get<std::int64_t>()); }

constexpr EnumName<HoldCause> kCauseTable[] = {
    {HoldCause::other, "other"},
    {HoldCause::refused, "refused"},
    {HoldCause::unusable_report, "unusable_report"},
    {HoldCause::may_run, "may_run"},
    {HoldCause::no_resources, "no_resources"},
    {HoldCause::lost_dependency, "lost_dependency"},
};
constexpr std::span<const EnumName<HoldCause>> kHoldCauses = kCauseTable;
void to_json(Json& out, HoldCause cause) { out = name_of(kHoldCauses, cause); }
void from_json(const Json& in, HoldCause& cause) {
  cause = value_of(kHoldCauses, in.get<std::string>()).value_or(HoldCause::other);
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HoldReason, text, cause)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(JobTotals, jobs, successful, backfilled, on_target, queue_hours,
                                   max_queue_hours, xfactor, max_xfactor, xfactor_proc_seconds,
                                   xfactor_procs, procs, bypass, max_bypass, requested_proc_seconds,
                                   run_proc_seconds, completed_proc_seconds,
                                   backfilled_proc_seconds, dedicated_proc_seconds,
                                   utilised_proc_seconds, run_seconds, limit_seconds, accuracy)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ForecastTotals, jobs, run_seconds, limit_seconds, foreseen,
                                   within, error, limit_error, starts, start_error,
                                   limit_start_error)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(JobFailures, starts, deferrals, deferred_until, retry_until)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SystemPriority, absolute, value)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AllocationRequest, deed, when, job, user, group, account,
                                   job_class, qos, start, procs, duration, amount, node_types)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(IdleCharge, reservation, payer, since, until, proc_seconds,
                                   procs)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Checkpoint::Ended, accounted, name, submitted,
                                                manager)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(EndedJob, name, user, group, account, job_class,
                                                qos, partition, main_host, completed, backfilled,
                                                exit_code, procs, nodes, efficiency, submitted,
                                                started, ended, limit, run_time, shorter_limit,
                                                shorter_start)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ReservationMemory::Share, node, tasks, requirement)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Cluster::Waiver, standing, period)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Trigger, event, offset, threshold, action, data)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Triggers::Life, made, done)

namespace {

constexpr int kVersion = 5, kOldest = 2;
// The name under which those without such a credential are counted; until version 3 the one shown.
constexpr std::string_view kNobody, kNobodyUntil3 = "[NONE]";

[[noreturn]] void refuse(const std::string& what) {
  throw Json::other_error::create(500, what, nullptr);  // caught with the library's own
}

Json json_of(const Cluster& cluster, const Resources& amount) {
  Json out = Json::object();
  for (std::size_t i = 0; i < kElementary; ++i)
    if (const auto some = amount.get(ConsumableId(i)); some != 0)
      out[cluster.consumables[ConsumableId(i)]] = some;
  for (const auto& [what, some] : amount.extra()) out[cluster.consumables[what]] = some;
  return out;
}

Resources resources_of(const Json& in, Cluster& names) {
  Resources amount;
  for (const auto& [name, some] : in.items())
    amount.set(names.consumables.intern(name), some.get<Resources::Quantity>());
  return amount;
}

// --- text ---------------------------------------------------------------------

void append(std::string& out, std::string_view text) {
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
    return c >= ' ' && c <= '~' && c != '"' && c != '\\';
  });
  if (!plain) {
    out += json_text(text);
    return;
  }
  out += '"';
  out += text;
  out += '"';
}
template <class T>
requires std::is_arithmetic_v<T>
void append(std::string& out, T value) { fmt::format_to(std::back_inserter(out), "{}", value); }
void append(std::string& out, Time time) { append(out, time.raw()); }
void append(std::string& out, Seconds seconds) { append(out, seconds.raw()); }
template <class T>
requires(!std::is_arithmetic_v<T> &&
         !std::is_convertible_v<T, std::string_view>) void append(std::string& out,
                                                                  const T& value) {
  out += json_text(Json(value));
}

/// An object, field by field.
class Fields {
 public:
  explicit Fields(std::string& out) : out_(out) {}
  template <class T>
  void add(std::string_view name, const T& value) {
    begin(name);
    append(out_, value);
  }
  /// The value is what is appended next.
  void begin(std::string_view name) {
    out_ += std::exchange(before_, ',');
    append(out_, name);
    out_ += ':';
  }
  /// As Json::object() is written where there was no field.
  void end() { out_ += before_ == '{' ? "{}" : "}"; }

 private:
  std::string& out_;
  char before_ = '{';
};

/// A line for each of them.
template <class All, class F>
void append_lines(std::string& out, const All& all, F append_one) {
  const char* before = "[\n";
  for (const auto& one : all) {
    out += std::exchange(before, ",\n");
    append_one(one);
  }
  out += all.empty() ? "[]" : "]";
}

// --- jobs ---------------------------------------------------------------------

// Left out of the text where they say nothing, which is most of them for most jobs.
template <class F>
void for_members(F f) {
  f("holds", &JobMemory::holds);
  f("failures", &JobMemory::failures);
  f("priority", &JobMemory::priority);
  f("qos", &JobMemory::qos);
  f("account", &JobMemory::account);
  f("bypass", &JobMemory::bypass);
  f("start_count", &JobMemory::start_count);
  f("kept_run", &JobMemory::kept_run);
  f("backfilled", &JobMemory::backfilled);
  f("met_dependencies", &JobMemory::met_dependencies);
  f("promised", &JobMemory::promised);
  f("fair_wait", &JobMemory::fair_wait);
}

void append_run(std::string& out, const Cluster& cluster, const JobReport& run) {
  std::map<std::string_view, int> tasks;
  for (const std::string& node : run.task_list) ++tasks[node];
  Fields fields(out);
  fields.add("manager", run.job.resource_manager);
  fields.add("user", run.user);
  fields.add("group", run.group);
  fields.add("account", run.account);
  fields.add("class", run.job_class);
  fields.add("qos", run.qos);
  fields.add("state", static_cast<int>(run.job.state));
  fields.add("started", run.job.started);
  fields.add("suspended_time", run.job.suspended_time);
  fields.add("suspended_since", run.job.suspended_since);
  fields.add("limit", run.request.limit);
  fields.add("per_task", json_of(cluster, run.request.requirements.front().per_task));
  fields.begin("tasks");
  Fields shares(out);
  for (const auto& [node, count] : tasks) shares.add(node, count);
  shares.end();
  fields.end();
}

JobReport run_of(const Json& in, Cluster& names) {
  JobReport run;
  Requirement& requirement = run.request.requirements.front();
  in.at("manager").get_to(run.job.resource_manager);
  in.at("user").get_to(run.user);
  in.at("group").get_to(run.group);
  in.at("account").get_to(run.account);
  in.at("class").get_to(run.job_class);
  in.at("qos").get_to(run.qos);
  in.at("state").get_to(run.job.state);
  in.at("started").get_to(run.job.started);
  in.at("suspended_time").get_to(run.job.suspended_time);
  in.at("suspended_since").get_to(run.job.suspended_since);
  in.at("limit").get_to(run.request.limit);
  requirement.per_task = resources_of(in.at("per_task"), names);
  for (const auto& [node, tasks] : in.at("tasks").get<std::map<std::string, int>>())
    for (int i = 0; i < tasks; ++i) run.task_list.push_back(node);
  requirement.tasks = static_cast<int>(run.task_list.size());
  const bool runs = run.job.state == JobState::starting || run.job.state == JobState::running ||
                    run.job.state == JobState::suspended;
  if (!runs || run.task_list.empty()) refuse("a run that is none");
  return run;
}

void append_job(std::string& out, const Cluster& cluster, const JobMemory& memory) {
  static const JobMemory nothing;
  Fields fields(out);
  fields.add("name", memory.name);
  fields.add("submitted", memory.submitted);
  fields.add("seen", memory.seen);
  if (memory.queued != memory.submitted) fields.add("queued", memory.queued);
  if (memory.eligible_since != memory.submitted)
    fields.add("eligible_since", memory.eligible_since);
  if (!memory.hold_reason.empty()) fields.add("hold_reason", memory.hold_reason);
  for_members([&](const char* name, auto member) {
    if (memory.*member != nothing.*member) fields.add(name, memory.*member);
  });
  if (memory.run) {
    if (memory.charged != nothing.charged) fields.add("charged", memory.charged);
    fields.begin("run");
    append_run(out, cluster, *memory.run);
  }
  fields.end();
}

/// The words by which a cause was recognised until version 4.
HoldCause cause_until_4(std::string_view text) {
  constexpr std::pair<std::string_view, HoldCause> kBeginnings[] = {
      {"no QOS access", HoldCause::refused},
      {"no partition access", HoldCause::refused},
      {"no node set", HoldCause::refused},
      {"policy violation", HoldCause::refused},
      {"RMFailure: it may run already: ", HoldCause::may_run},
      {"RMFailure: ", HoldCause::unusable_report},
      {"NoResources: ", HoldCause::no_resources},
      {"dependency can never be met", HoldCause::lost_dependency},
  };
  for (const auto& [beginning, cause] : kBeginnings)
    if (text.starts_with(beginning)) return cause;
  return HoldCause::other;
}

HoldReason hold_reason_of(const Json& in) {
  if (!in.is_string()) return in.get<HoldReason>();
  auto text = in.get<std::string>();
  const auto cause = cause_until_4(text);
  return {std::move(text), cause};
}

JobMemory memory_of(const Json& in, Cluster& names) {
  JobMemory memory;
  in.at("name").get_to(memory.name);
  in.at("submitted").get_to(memory.submitted);
  in.at("seen").get_to(memory.seen);
  memory.queued = in.value("queued", memory.submitted);
  memory.eligible_since = in.value("eligible_since", memory.submitted);
  for_members([&](const char* name, auto member) {
    if (const auto at = in.find(name); at != in.end()) at->get_to(memory.*member);
  });
  if (const auto reason = in.find("hold_reason"); reason != in.end())
    memory.hold_reason = hold_reason_of(*reason);
  if (const auto run = in.find("run"); run != in.end()) {
    JobReport made = run_of(*run, names);
    made.name = memory.name;
    made.job.submitted = memory.submitted;
    memory.run = std::make_shared<const JobReport>(std::move(made));
    memory.charged = in.value("charged", Seconds(0));
  }
  return memory;
}

// --- reservations -------------------------------------------------------------

Json json_of(const Cluster& cluster, const AccessCriterion& one) {
  Json out{{"kind", kind_word(one.kind)},
           {"compare", static_cast<int>(one.compare)},
           {"affinity", static_cast<int>(one.affinity)},
           {"negated", one.negated},
           {"required", one.required}};
  if (credential_kind(one.kind))
    out["name"] = credential_name(cluster, one);
  else
    out["value"] = one.value;
  // Somebody may be called so.
  if (out.value("name", "") == "ALL") out["anybody"] = one.value == AccessCriterion::kAnybody;
  return out;
}

AccessCriterion criterion_of(const Json& in, Cluster& names) {
  AccessCriterion one;
  const auto word = in.at("kind").get<std::string>();
  const auto kind = kind_of_word(word);
  if (!kind) refuse(fmt::format("'{}' is no kind of access", word));
  one.kind = *kind;
  one.compare = static_cast<Comparison>(in.at("compare").get<int>());
  one.affinity = static_cast<Affinity>(in.at("affinity").get<int>());
  one.negated = in.at("negated").get<bool>();
  one.required = in.at("required").get<bool>();
  if (const auto credential = credential_kind(one.kind)) {
    const auto name = in.at("name").get<std::string>();
    const bool anybody = in.value("anybody", name == "ALL");
    one.value = anybody ? AccessCriterion::kAnybody : intern(names, *credential, name);
  } else {
    one.value = in.at("value").get<std::int64_t>();
  }
  return one;
}

Json json_of(const Cluster& cluster, const ReservationMemory& memory) {
  const Reservation& r = memory.terms;
  Json access = Json::array();
  for (const auto& one : r.access.criteria) access.push_back(json_of(cluster, one));
  Json features = Json::array();
  for (const FeatureId feature : r.features) features.push_back(cluster.features[feature]);
  return {{"name", r.name},
          {"partition", r.partition.valid() ? cluster.partitions[r.partition] : ""},
          {"features", features},
          {"access", access},
          {"start", r.start},
          {"end", r.end},
          {"per_task", json_of(cluster, r.per_task)},
          {"flags", r.flags},
          {"owner", r.owner},
          {"charge_account", r.charge_account},
          {"host_expression", r.host_expression},
          {"standing", r.standing},
          {"period", r.period},
          {"tasks_wanted", r.tasks_wanted},
          {"nodes", memory.shares},
          {"life", memory.life}};
}

ReservationMemory reservation_of(const Json& in, Cluster& names) {
  ReservationMemory memory;
  Reservation& r = memory.terms;
  in.at("name").get_to(r.name);
  for (const auto& one : in.at("access")) r.access.criteria.push_back(criterion_of(one, names));
  in.at("start").get_to(r.start);
  in.at("end").get_to(r.end);
  r.per_task = resources_of(in.at("per_task"), names);
  in.at("flags").get_to(r.flags);
  in.at("owner").get_to(r.owner);
  in.at("charge_account").get_to(r.charge_account);
  in.at("host_expression").get_to(r.host_expression);
  in.at("standing").get_to(r.standing);
  in.at("period").get_to(r.period);
  in.at("tasks_wanted").get_to(r.tasks_wanted);
  in.at("nodes").get_to(memory.shares);
  in.at("life").get_to(memory.life);
  if (const auto partition = in.at("partition").get<std::string>(); !partition.empty())
    r.partition = names.partitions.intern(partition);
  for (const auto& feature : in.at("features"))
    r.features.push_back(names.features.intern(feature.get<std::string>()));
  std::sort(r.features.begin(), r.features.end());
  r.kind = r.standing.empty() ? ReservationKind::administrative : ReservationKind::standing;
  return memory;
}

Json json_of(const Cluster& cluster, const Triggers::Later& later) {
  return {{"when", later.when},
          {"trigger", later.due.trigger},
          {"reservation", json_of(cluster, ReservationMemory{later.due.reservation, {}, {}})}};
}

Triggers::Later later_of(const Json& in, Cluster& names) {
  Triggers::Later later;
  in.at("when").get_to(later.when);
  in.at("trigger").get_to(later.due.trigger);
  later.due.reservation = reservation_of(in.at("reservation"), names).terms;
  return later;
}

// --- fairshare ----------------------------------------------------------------

Json json_of(const Cluster& names, const FairshareHistory& history) {
  Json windows = Json::array();
  for (const FairshareWindow& one : history.windows) {
    Json used = Json::object();
    for (const CredentialKind kind : kCredentialKinds) {
      Json amounts = Json::object();
      for (std::size_t i = 0; i < one.used[kind].size(); ++i)
        if (one.used[kind][i] != 0) amounts[names_of(names, kind)[i]] = one.used[kind][i];
      used[std::string(kind_name(kind))] = std::move(amounts);
    }
    windows.push_back(
        {{"start", one.start}, {"length", one.length}, {"total", one.total}, {"used", used}});
  }
  return {{"complete_until", history.complete_until}, {"windows", std::move(windows)}};
}

FairshareHistory fairshare_of(const Json& in, Cluster& names) {
  FairshareHistory history;
  in.at("complete_until").get_to(history.complete_until);
  for (const auto& window : in.at("windows")) {
    FairshareWindow& one = history.windows.emplace_back();
    window.at("start").get_to(one.start);
    window.at("length").get_to(one.length);
    window.at("total").get_to(one.total);
    if (one.length <= Seconds(0)) refuse("a window of no length");
    for (const CredentialKind kind : kCredentialKinds)
      for (const auto& [name, amount] :
           window.at("used").at(std::string(kind_name(kind))).items()) {
        const auto number = intern(names, kind, name);
        if (number >= one.used[kind].size()) one.used[kind].resize(number + std::size_t{1});
        amount.get_to(one.used[kind][number]);
      }
  }
  return history;
}

// --- statistics ---------------------------------------------------------------

template <class IdType, class Totals>
Json json_of(const Names<IdType>& names, const std::map<IdType, Totals>& totals) {
  Json out = Json::object();
  for (const auto& [id, sums] : totals) out[id.valid() ? names[id] : std::string(kNobody)] = sums;
  return out;
}

template <class IdType, class Totals>
void read(const Json& in, std::string_view nobody, Names<IdType>& names,
          std::map<IdType, Totals>& totals) {
  for (const auto& [name, sums] : in.items())
    sums.get_to(totals[name == nobody ? IdType() : names.intern(name)]);
}

Json json_of(const Grid& grid) {
  return {{"procs", grid.procs()},
          {"limits", grid.limits()},
          {"cells", grid.cells()},
          {"outside", grid.outside()}};
}

Json json_of(const Cluster& cluster, const Statistics& s) {
  Json out{{"since", s.since},
           {"all", s.all},
           {"users", json_of(cluster.users, s.users)},
           {"groups", json_of(cluster.groups, s.groups)},
           {"accounts", json_of(cluster.accounts, s.accounts)},
           {"classes", json_of(cluster.classes, s.classes)},
           {"qos", json_of(cluster.qos, s.qos)},
           {"grid", json_of(s.grid)},
           {"grid_since", s.grid_since},
           {"available_proc_seconds", s.available_proc_seconds},
           {"backlog_proc_hours", s.backlog_proc_hours},
           {"iterations", s.iterations},
           {"preemptions", s.preemptions},
           {"preempted_proc_seconds", s.preempted_proc_seconds},
           {"min_utilisation", s.min_utilisation},
           {"min_utilisation_iteration", s.min_utilisation_iteration}};
  if (s.forecasts.all.jobs > 0)
    out["forecasts"] = {{"all", s.forecasts.all},
                        {"users", json_of(cluster.users, s.forecasts.users)},
                        {"classes", json_of(cluster.classes, s.forecasts.classes)}};
  return out;
}

void read(const Json& in, std::string_view nobody, const PlotSettings& plot, Cluster& names,
          Statistics& s) {
  in.at("since").get_to(s.since);
  in.at("all").get_to(s.all);
  read(in.at("users"), nobody, names.users, s.users);
  read(in.at("groups"), nobody, names.groups, s.groups);
  read(in.at("accounts"), nobody, names.accounts, s.accounts);
  read(in.at("classes"), nobody, names.classes, s.classes);
  read(in.at("qos"), nobody, names.qos, s.qos);
  if (const auto forecasts = in.find("forecasts"); forecasts != in.end()) {
    forecasts->at("all").get_to(s.forecasts.all);
    read(forecasts->at("users"), nobody, names.users, s.forecasts.users);
    read(forecasts->at("classes"), nobody, names.classes, s.forecasts.classes);
  }
  const Json& grid = in.at("grid");
  s.grid = Grid(plot);
  in.at("grid_since").get_to(s.grid_since);
  if (grid.at("procs").get<std::vector<std::int64_t>>() == s.grid.procs() &&
      grid.at("limits").get<std::vector<std::int64_t>>() == s.grid.limits())
    s.grid.take_up(grid.at("cells").get<std::vector<JobTotals>>(),
                   grid.at("outside").get<std::int64_t>());
  else
    s.grid_since = kForever;
  in.at("available_proc_seconds").get_to(s.available_proc_seconds);
  in.at("backlog_proc_hours").get_to(s.backlog_proc_hours);
  in.at("iterations").get_to(s.iterations);
  in.at("preemptions").get_to(s.preemptions);
  in.at("preempted_proc_seconds").get_to(s.preempted_proc_seconds);
  in.at("min_utilisation").get_to(s.min_utilisation);
  in.at("min_utilisation_iteration").get_to(s.min_utilisation_iteration);
}

// --- learned run times --------------------------------------------------------

// A line a ring: whose, name, processors, limit, when it was added to, and its runs with their
// limits in turn.
void append_learned(std::string& out, const RunTimeLearning::Memory& learned) {
  out += "{\"rings\":";
  append_lines(out, learned.rings, [&out](const RunTimeHistory::Kept& ring) {
    out += fmt::format("[{},", static_cast<int>(ring.of));
    append(out, ring.user);
    out += ',';
    append(out, ring.name);
    out += fmt::format(",{},{},{},[", ring.procs, ring.limit, ring.last.raw());
    const char* before = "";
    for (const PastRun& one : ring.runs)
      out += fmt::format("{}{},{}", std::exchange(before, ","), one.run, one.limit);
    out += "]]";
  });
  Json calibration = Json::array();
  for (std::size_t i = 0; i < learned.factors.size(); ++i)
    calibration.push_back({learned.factors[i].low, learned.factors[i].high,
                           learned.coverage[i].jobs, learned.coverage[i].within});
  out += ",\n\"calibration\":" + json_text(calibration) + "}";
}

RunTimeLearning::Memory learned_of(const Json& in) {
  RunTimeLearning::Memory learned;
  for (const auto& ring : in.at("rings")) {
    RunTimeHistory::Kept& made = learned.rings.emplace_back();
    const int of = ring.at(0).get<int>();
    if (of < 0 || of > static_cast<int>(RunTimeHistory::Of::site))
      refuse("run times of nobody knows what");
    made.of = static_cast<RunTimeHistory::Of>(of);
    ring.at(1).get_to(made.user);
    ring.at(2).get_to(made.name);
    ring.at(3).get_to(made.procs);
    ring.at(4).get_to(made.limit);
    ring.at(5).get_to(made.last);
    const auto numbers = ring.at(6).get<std::vector<std::int32_t>>();
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2)
      made.runs.push_back({numbers[i], numbers[i + 1]});
  }
  const Json& calibration = in.at("calibration");
  for (std::size_t i = 0; i < learned.factors.size() && i < calibration.size(); ++i) {
    const Json& one = calibration.at(i);
    learned.factors[i] = {one.at(0).get<double>(), one.at(1).get<double>()};
    learned.coverage[i] = {one.at(2).get<std::int64_t>(), one.at(3).get<std::int64_t>()};
  }
  return learned;
}

// --- the whole -----------------------------------------------------------------

void append_ended(std::string& out, const Checkpoint::Ended& one) {
  Fields fields(out);
  fields.add("accounted", one.accounted);
  fields.add("name", one.name);
  fields.add("submitted", one.submitted);
  fields.add("manager", one.manager);
  fields.end();
}

/// Everything but jobs, jobs that have ended and reservations.
Json rest_of(const Cluster& names, const Checkpoint& checkpoint) {
  Json later = Json::array();
  for (const auto& one : checkpoint.triggers_later) later.push_back(json_of(names, one));
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
  if (checkpoint.in_good_order) rest["in_good_order"] = true;
  if (!checkpoint.boot.id.empty())
    rest["boot"] = {{"id", checkpoint.boot.id},
                    {"lasted", checkpoint.boot.lasted},
                    {"written", checkpoint.written}};
  if (checkpoint.fairshare) rest["fairshare"] = json_of(names, *checkpoint.fairshare);
  return rest;
}

}  // namespace

std::string checkpoint_text(const Cluster& names, const Checkpoint& checkpoint) {
  std::string text = "{\"jobs\":";
  append_lines(text, checkpoint.jobs, [&](const JobMemory& one) { append_job(text, names, one); });
  text += ",\n\"ended\":";
  append_lines(text, checkpoint.ended,
               [&](const Checkpoint::Ended& one) { append_ended(text, one); });
  if (!checkpoint.completed.empty()) {
    text += ",\n\"completed\":";
    append_lines(text, checkpoint.completed,
                 [&](const EndedJob& one) { text += json_text(Json(one)); });
  }
  if (!checkpoint.waited.empty()) {
    text += ",\n\"waited\":";
    append_lines(text, checkpoint.waited, [&](const Checkpoint::Waited& one) {
      text += '[';
      append(text, one.job);
      text += fmt::format(",{},", one.submitted.raw());
      append(text, one.why);
      text += ']';
    });
  }
  text += ",\n\"reservations\":";
  append_lines(text, checkpoint.reservations,
               [&](const ReservationMemory& one) { text += json_text(json_of(names, one)); });
  if (checkpoint.learned) {
    text += ",\n\"learned\":";
    append_learned(text, *checkpoint.learned);
  }
  const Json rest = rest_of(names, checkpoint);
  for (const auto& [name, part] : rest.items())
    text += fmt::format(",\n\"{}\":{}", name, json_text(part));
  return text + "}\n";
}

Result<Checkpoint> read_checkpoint_text(std::string_view text, const PlotSettings& plot,
                                        Cluster& names) {
  try {
    const Json all = parse_json_text(text);
    const int version = all.at("version").get<int>();
    if (version < kOldest || version > kVersion)
      return Error{
          fmt::format("it is of version {}, expected {} to {}", version, kOldest, kVersion)};
    Checkpoint checkpoint;
    all.at("when").get_to(checkpoint.when);
    for (const auto& one : all.at("jobs")) checkpoint.jobs.push_back(memory_of(one, names));
    all.at("ended").get_to(checkpoint.ended);
    if (const auto completed = all.find("completed"); completed != all.end())
      completed->get_to(checkpoint.completed);
    if (const auto waited = all.find("waited"); waited != all.end())
      for (const auto& one : *waited)
        checkpoint.waited.push_back(
            {one.at(0).get<std::string>(), one.at(1).get<Time>(), one.at(2).get<std::string>()});
    all.at("heard").get_to(checkpoint.heard);
    for (const auto& one : all.at("reservations"))
      checkpoint.reservations.push_back(reservation_of(one, names));
    all.at("waivers").get_to(checkpoint.waivers);
    all.at("reservation_numbers").get_to(checkpoint.reservation_numbers);
    all.at("triggers_asked").get_to(checkpoint.triggers_asked);
    all.at("charges").get_to(checkpoint.charges);
    checkpoint.in_good_order = all.value("in_good_order", false);
    if (const auto boot = all.find("boot"); boot != all.end()) {
      boot->at("id").get_to(checkpoint.boot.id);
      boot->at("lasted").get_to(checkpoint.boot.lasted);
      boot->at("written").get_to(checkpoint.written);
    }
    if (const auto fairshare = all.find("fairshare"); fairshare != all.end())
      checkpoint.fairshare = fairshare_of(*fairshare, names);
    if (const auto learned = all.find("learned"); learned != all.end())
      checkpoint.learned = learned_of(*learned);
    if (version > 2) {
      all.at("idle").get_to(checkpoint.idle);
      for (const auto& one : all.at("triggers_later"))
        checkpoint.triggers_later.push_back(later_of(one, names));
    }
    read(all.at("statistics"), version > 3 ? kNobody : kNobodyUntil3, plot, names,
         checkpoint.statistics);
    if (checkpoint.statistics.grid_since == kForever)
      checkpoint.statistics.grid_since = checkpoint.when;
    return checkpoint;
  } catch (const Json::exception& error) {
    return Error{fmt::format("it does not say what a checkpoint says: {}", error.what())};
  }
}

}  // namespace maui
