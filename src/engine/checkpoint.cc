#include "engine/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/access_names.h"
#include "model/credentials.h"
#include "model/job_extensions.h"

namespace maui {

using Json = nlohmann::json;

// Found by the library where a value of these types is written or read.

void to_json(Json& out, Time time) { out = time.raw(); }
void from_json(const Json& in, Time& time) { time = Time(in.get<std::int64_t>()); }
void to_json(Json& out, Seconds seconds) { out = seconds.raw(); }
void from_json(const Json& in, Seconds& seconds) { seconds = Seconds(in.get<std::int64_t>()); }

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(JobTotals, jobs, successful, backfilled, on_target, queue_hours,
                                   max_queue_hours, xfactor, max_xfactor, xfactor_proc_seconds,
                                   xfactor_procs, procs, bypass, max_bypass, requested_proc_seconds,
                                   run_proc_seconds, completed_proc_seconds,
                                   backfilled_proc_seconds, dedicated_proc_seconds,
                                   utilised_proc_seconds, run_seconds, limit_seconds, accuracy)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(JobFailures, starts, deferrals, deferred_until)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SystemPriority, absolute, value)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(JobMemory, name, submitted, seen, holds, hold_reason, failures,
                                   priority, qos, queued, eligible_since, bypass, start_count,
                                   kept_run, backfilled, met_dependencies)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ReservationMemory::Share, node, tasks, requirement)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Cluster::Waiver, standing, period)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Trigger, event, offset, threshold, action, data)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Triggers::Life, made, done)

namespace {

constexpr int kVersion = 1;

[[noreturn]] void refuse(const std::string& what) {
  throw Json::other_error::create(500, what, nullptr);  // caught with the library's own
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
    one.value = name == "ALL" ? AccessCriterion::kAnybody : intern(names, *credential, name);
  } else {
    one.value = in.at("value").get<std::int64_t>();
  }
  return one;
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
  if (in.contains("life")) in.at("life").get_to(memory.life);
  if (const auto partition = in.at("partition").get<std::string>(); !partition.empty())
    r.partition = names.partitions.intern(partition);
  for (const auto& feature : in.at("features"))
    r.features.push_back(names.features.intern(feature.get<std::string>()));
  std::sort(r.features.begin(), r.features.end());
  r.kind = r.standing.empty() ? ReservationKind::administrative : ReservationKind::standing;
  return memory;
}

// --- statistics ---------------------------------------------------------------

template <class IdType>
Json json_of(const Names<IdType>& names, const std::map<IdType, JobTotals>& totals) {
  Json out = Json::object();
  for (const auto& [id, sums] : totals) out[names[id]] = sums;
  return out;
}

template <class IdType>
void read(const Json& in, Names<IdType>& names, std::map<IdType, JobTotals>& totals) {
  for (const auto& [name, sums] : in.items())
    sums.get_to(totals[name == "[NONE]" ? IdType() : names.intern(name)]);
}

Json json_of(const Grid& grid) {
  return {{"procs", grid.procs()},
          {"limits", grid.limits()},
          {"cells", grid.cells()},
          {"outside", grid.outside()}};
}

Json json_of(const Cluster& cluster, const Statistics& s) {
  return {{"since", s.since},
          {"all", s.all},
          {"users", json_of(cluster.users, s.users)},
          {"groups", json_of(cluster.groups, s.groups)},
          {"accounts", json_of(cluster.accounts, s.accounts)},
          {"classes", json_of(cluster.classes, s.classes)},
          {"qos", json_of(cluster.qos, s.qos)},
          {"grid", json_of(s.grid)},
          {"grid_since", s.grid_since},
          {"dedicated_proc_seconds", s.dedicated_proc_seconds},
          {"available_proc_seconds", s.available_proc_seconds},
          {"backlog_proc_hours", s.backlog_proc_hours},
          {"iterations", s.iterations},
          {"preemptions", s.preemptions},
          {"preempted_proc_seconds", s.preempted_proc_seconds},
          {"min_utilisation", s.min_utilisation},
          {"min_utilisation_iteration", s.min_utilisation_iteration}};
}

void read(const Json& in, const PlotSettings& plot, Cluster& names, Statistics& s) {
  in.at("since").get_to(s.since);
  in.at("all").get_to(s.all);
  read(in.at("users"), names.users, s.users);
  read(in.at("groups"), names.groups, s.groups);
  read(in.at("accounts"), names.accounts, s.accounts);
  read(in.at("classes"), names.classes, s.classes);
  read(in.at("qos"), names.qos, s.qos);
  const Json& grid = in.at("grid");
  s.grid = Grid(plot);
  in.at("grid_since").get_to(s.grid_since);
  if (grid.at("procs").get<std::vector<std::int64_t>>() == s.grid.procs() &&
      grid.at("limits").get<std::vector<std::int64_t>>() == s.grid.limits())
    s.grid.take_up(grid.at("cells").get<std::vector<JobTotals>>(),
                   grid.at("outside").get<std::int64_t>());
  else
    s.grid_since = kForever;
  in.at("dedicated_proc_seconds").get_to(s.dedicated_proc_seconds);
  in.at("available_proc_seconds").get_to(s.available_proc_seconds);
  in.at("backlog_proc_hours").get_to(s.backlog_proc_hours);
  in.at("iterations").get_to(s.iterations);
  in.at("preemptions").get_to(s.preemptions);
  in.at("preempted_proc_seconds").get_to(s.preempted_proc_seconds);
  in.at("min_utilisation").get_to(s.min_utilisation);
  in.at("min_utilisation_iteration").get_to(s.min_utilisation_iteration);
}

}  // namespace

JobMemory memory_of(const Cluster& cluster, const Job& job, Time now) {
  JobMemory memory;
  memory.name = job.name;
  memory.submitted = job.submitted;
  memory.seen = now;
  memory.holds = static_cast<std::uint8_t>(job.holds & ~job.holds_told);
  memory.hold_reason = job.hold_reason;
  memory.failures = job.failures;
  memory.priority = job.system_priority;
  if (job.qos_set) memory.qos = cluster.qos[job.credentials.qos];
  memory.queued = job.queued;
  memory.eligible_since = job.eligible_since;
  memory.bypass = job.bypass;
  // One that runs is started once more when it is reported as running.
  memory.start_count = job.start_count - (job.active() || job.suspended() ? 1 : 0);
  memory.kept_run = job.kept_run;
  memory.backfilled = has(job.flags, JobFlag::backfill);
  for (const Dependency& one : job.dependencies)
    if (one.state == DependencyState::met) memory.met_dependencies.push_back(dependency_text(one));
  return memory;
}

void recall(const JobMemory& memory, Job& job) {
  job.holds = static_cast<std::uint8_t>(job.holds | memory.holds);
  if (!memory.hold_reason.empty()) job.hold_reason = memory.hold_reason;
  job.failures = memory.failures;
  job.system_priority = memory.priority;
  job.queued = memory.queued;
  job.eligible_since = memory.eligible_since;
  job.bypass = memory.bypass;
  job.start_count = memory.start_count;
  job.kept_run = memory.kept_run;
  put(job.flags, JobFlag::backfill, memory.backfilled);
  for (Dependency& one : job.dependencies)
    if (std::find(memory.met_dependencies.begin(), memory.met_dependencies.end(),
                  dependency_text(one)) != memory.met_dependencies.end())
      one.state = DependencyState::met;
}

ReservationMemory memory_of(const Cluster& cluster, const Reservation& reservation) {
  ReservationMemory memory{reservation, {}, {}};
  memory.terms.nodes.clear();
  for (const NodeTasks& share : reservation.nodes)
    memory.shares.push_back({cluster.node(share.node).name, share.tasks, share.requirement});
  return memory;
}

std::string checkpoint_text(const Cluster& names, const Checkpoint& checkpoint) {
  Json reservations = Json::array();
  for (const auto& one : checkpoint.reservations) reservations.push_back(json_of(names, one));
  const Json all{{"version", kVersion},
                 {"when", checkpoint.when},
                 {"jobs", checkpoint.jobs},
                 {"reservations", reservations},
                 {"waivers", checkpoint.waivers},
                 {"triggers_asked", checkpoint.triggers_asked},
                 {"reservation_numbers", checkpoint.reservation_numbers},
                 {"statistics", json_of(names, checkpoint.statistics)}};
  return all.dump(1, ' ', false, Json::error_handler_t::replace);
}

Result<Checkpoint> read_checkpoint_text(std::string_view text, const PlotSettings& plot,
                                        Cluster& names) {
  try {
    const Json all = Json::parse(text);
    if (const int version = all.at("version").get<int>(); version != kVersion)
      return Error{fmt::format("it is of version {}, expected version {}", version, kVersion)};
    Checkpoint checkpoint;
    all.at("when").get_to(checkpoint.when);
    all.at("jobs").get_to(checkpoint.jobs);
    for (const auto& one : all.at("reservations"))
      checkpoint.reservations.push_back(reservation_of(one, names));
    all.at("waivers").get_to(checkpoint.waivers);
    if (all.contains("triggers_asked")) all.at("triggers_asked").get_to(checkpoint.triggers_asked);
    all.at("reservation_numbers").get_to(checkpoint.reservation_numbers);
    read(all.at("statistics"), plot, names, checkpoint.statistics);
    if (checkpoint.statistics.grid_since == kForever)
      checkpoint.statistics.grid_since = checkpoint.when;
    return checkpoint;
  } catch (const Json::exception& error) {
    return Error{fmt::format("it does not say what a checkpoint says: {}", error.what())};
  }
}

}  // namespace maui
