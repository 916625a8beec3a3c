// Jobs in a checkpoint.
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/access_names.h"
#include "base/enum_names.h"
#include "engine/checkpoint/checkpoint_parts.h"

namespace maui {

constexpr EnumName<HoldCause> kCauseTable[] = {
    {HoldCause::other, "other"},
    {HoldCause::refused, "refused"},
    {HoldCause::unusable_report, "unusable_report"},
    {HoldCause::may_run, "may_run"},
    {HoldCause::no_resources, "no_resources"},
    {HoldCause::lost_dependency, "lost_dependency"},
    {HoldCause::unknown_host, "unknown_host"},
    {HoldCause::bank_failure, "bank_failure"},
};
constexpr std::span<const EnumName<HoldCause>> kHoldCauses = kCauseTable;
void to_json(nlohmann::json& out, HoldCause cause) { out = name_of(kHoldCauses, cause); }
void from_json(const nlohmann::json& in, HoldCause& cause) {
  cause = value_of(kHoldCauses, in.get<std::string>()).value_or(HoldCause::other);
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HoldReason, text, cause)
void to_json(nlohmann::json& out, const JobFailures& failures) {
  out = {{"starts", failures.starts},
         {"deferrals", failures.deferrals},
         {"deferred_until", failures.deferred_until},
         {"retry_until", failures.retry_until}};
  if (failures.preempts_from > Time(0)) out["preempts_from"] = failures.preempts_from;
}
void from_json(const nlohmann::json& in, JobFailures& failures) {
  in.at("starts").get_to(failures.starts);
  in.at("deferrals").get_to(failures.deferrals);
  in.at("deferred_until").get_to(failures.deferred_until);
  in.at("retry_until").get_to(failures.retry_until);
  if (const auto from = in.find("preempts_from"); from != in.end())
    from->get_to(failures.preempts_from);
}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SystemPriority, absolute, value)

namespace {

/// Returns why a job was suspended, of a run or a request.
SuspensionReason suspension_reason_of(const nlohmann::json& in) {
  const auto cause = in.value("stays_suspended", false) ? SuspensionCause::by_hand
                     : in.value("for_violation", false) ? SuspensionCause::violation
                                                        : SuspensionCause::preemption;
  return {cause, in.value("suspended_for", std::string())};
}

}  // namespace

constexpr EnumName<RequestKind> kRequestTable[] = {
    {RequestKind::cancel, "cancel"},         {RequestKind::requeue, "requeue"},
    {RequestKind::checkpoint, "checkpoint"}, {RequestKind::suspend, "suspend"},
    {RequestKind::resume, "resume"},         {RequestKind::set_limit, "limit"},
};
constexpr std::span<const EnumName<RequestKind>> kRequestKinds = kRequestTable;
void to_json(nlohmann::json& out, const LastingRequest& request) {
  out = {{"request", name_of(kRequestKinds, request.kind)}, {"asked", request.asked}};
  if (request.kind == RequestKind::set_limit) out["limit"] = request.limit;
  if (request.lost) out["lost"] = true;
  if (request.own) out["own"] = true;
  if (request.reason.cause == SuspensionCause::violation) out["for_violation"] = true;
  if (!request.reason.preemptor.empty()) out["suspended_for"] = request.reason.preemptor;
}
void from_json(const nlohmann::json& in, LastingRequest& request) {
  const auto kind = value_of(kRequestKinds, in.at("request").get<std::string>());
  if (!kind) checkpointing::refuse("an unknown request");
  request.kind = *kind;
  in.at("asked").get_to(request.asked);
  if (*kind == RequestKind::set_limit) in.at("limit").get_to(request.limit);
  request.lost = in.value("lost", false);
  request.own = in.value("own", false);
  request.reason = suspension_reason_of(in);
  if (*kind == RequestKind::suspend && !request.own) request.reason = {SuspensionCause::by_hand};
}

}  // namespace maui

namespace maui::checkpointing {
namespace {

constexpr double kMostUsed = 1e15;  // of anything

// Members omitted from the text if they have default values, as most members of most jobs do.
template <class F>
void for_members(F f) {
  f("holds", &CheckpointedJob::holds);
  f("request_excused", &CheckpointedJob::request_excused);
  f("failures", &CheckpointedJob::failures);
  f("priority", &CheckpointedJob::priority);
  f("qos", &CheckpointedJob::qos);
  f("account", &CheckpointedJob::account);
  f("site_words", &CheckpointedJob::site_words);
  f("bypass", &CheckpointedJob::bypass);
  f("start_count", &CheckpointedJob::start_count);
  f("kept_run", &CheckpointedJob::kept_run);
  f("being_cancelled", &CheckpointedJob::being_cancelled);
  f("past_limit", &CheckpointedJob::past_limit);
  f("requests", &CheckpointedJob::requests);
  f("requeue_asked", &CheckpointedJob::requeue_asked);
  f("accounted_until", &CheckpointedJob::accounted_until);
  f("backfilled", &CheckpointedJob::backfilled);
  f("met_dependencies", &CheckpointedJob::met_dependencies);
  f("partition", &CheckpointedJob::partition);
  f("promised", &CheckpointedJob::promised);
  f("promised_last", &CheckpointedJob::promised_last);
  f("fair_wait", &CheckpointedJob::fair_wait);
  f("reserved", &CheckpointedJob::reserved);
  f("reserved_on", &CheckpointedJob::reserved_on);
}

// Appends what a run had used, and for how long it had run by then.
void append_use(std::string& out, const Job& run) {
  Fields fields(out);
  fields.add("run", run.used_run);
  if (run.use->cpu_seconds) fields.add("cpu_seconds", *run.use->cpu_seconds);
  if (run.use->procs > 0) fields.add("procs", run.use->procs);
  if (run.use->memory > 0) fields.add("memory", run.use->memory);
  if (run.use->swap > 0) fields.add("swap", run.use->swap);
  if (run.use->disk > 0) fields.add("disk", run.use->disk);
  fields.end();
}

double checked(double amount) {
  if (!(amount >= 0 && amount <= kMostUsed)) refuse("an impossible amount in use");
  return amount;
}

void read_use(const Json& in, Job& run) {
  JobUse use;
  in.at("run").get_to(run.used_run);
  if (in.contains("cpu_seconds")) use.cpu_seconds = in.at("cpu_seconds").get<double>();
  use.procs = in.value("procs", use.procs);
  use.memory = in.value("memory", use.memory);
  use.swap = in.value("swap", use.swap);
  use.disk = in.value("disk", use.disk);
  const auto amounts = {use.cpu_seconds.value_or(0), use.procs, static_cast<double>(use.memory),
                        static_cast<double>(use.swap), static_cast<double>(use.disk)};
  for (const double amount : amounts) checked(amount);
  run.use = use;
}

constexpr std::string_view kAccess = "access", kDemanded = "access_demanded";

void append_access(Fields& fields, JobAccess access) {
  fields.add(kAccess, name_of<NodeAccess>(kNodeAccessNames, access.usual));
  if (access.demanded != NodeAccess::shared)
    fields.add(kDemanded, name_of<NodeAccess>(kNodeAccessNames, access.demanded));
}

std::optional<JobAccess> access_of(const Json& in) {
  if (!in.contains(kAccess)) return std::nullopt;
  const auto read = [&](std::string_view name) {
    const auto access = value_of<NodeAccess>(kNodeAccessNames, in.at(name).get<std::string>());
    if (!access) refuse("an unknown way to share nodes");
    return *access;
  };
  return JobAccess{read(kAccess), in.contains(kDemanded) ? read(kDemanded) : NodeAccess::shared};
}

/// Writes the tasks of one requirement, by node.
void append_tasks(Fields& fields, std::string& out, std::span<const std::string> task_list) {
  std::map<std::string_view, int> tasks;
  for (const std::string& node : task_list) ++tasks[node];
  fields.begin("tasks");
  Fields shares(out);
  for (const auto& [node, count] : tasks) shares.add(node, count);
  shares.end();
}

void append_run(std::string& out, const Cluster& cluster, const JobReport& run) {
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
  if (run.job.clock_set != Seconds(0)) fields.add("clock_set", run.job.clock_set);
  if (run.job.clock_ahead != Seconds(0)) fields.add("clock_ahead", run.job.clock_ahead);
  fields.add("suspended_since", run.job.suspended_since);
  const SuspensionReason& reason = run.job.suspension_reason;
  if (reason.cause == SuspensionCause::by_hand) fields.add("stays_suspended", true);
  if (reason.cause == SuspensionCause::violation) fields.add("for_violation", true);
  if (!reason.preemptor.empty()) fields.add("suspended_for", reason.preemptor);
  if (run.job.priority != 0) fields.add("priority", run.job.priority);
  if (run.job.used_run > Seconds(0)) {
    fields.begin("use");
    append_use(out, run.job);
  }
  fields.add("limit", run.request.limit);
  std::span<const std::string> left(run.task_list);
  const auto append_requirement = [&](Fields& into, const Requirement& requirement, bool last) {
    const auto some = last ? left.size() : static_cast<std::size_t>(requirement.tasks);
    into.add("per_task", json_of(cluster, requirement.per_task));
    append_tasks(into, out, left.first(some));
    left = left.subspan(some);
  };
  const auto& requirements = run.request.requirements;
  append_requirement(fields, requirements.front(), requirements.size() == 1);
  if (requirements.size() > 1) {
    fields.begin("more");  // requirements
    append_lines(out, std::span(requirements).subspan(1), [&](const Requirement& requirement) {
      Fields into(out);
      append_requirement(into, requirement, &requirement == &requirements.back());
      into.end();
    });
  }
  fields.end();
}

void read_requirement(const Json& in, ClusterNames& names, Requirement& requirement,
                      std::vector<std::string>& task_list) {
  const auto before = task_list.size();
  requirement.per_task = resources_of(in.at("per_task"), names);
  for (const auto& [node, tasks] : in.at("tasks").items())
    task_list.insert(task_list.end(), static_cast<std::size_t>(tasks_of(tasks)), node);
  requirement.tasks = static_cast<int>(task_list.size() - before);
}

JobReport run_of(const Json& in, ClusterNames& names) {
  JobReport run;
  in.at("manager").get_to(run.job.resource_manager);
  in.at("user").get_to(run.user);
  in.at("group").get_to(run.group);
  in.at("account").get_to(run.account);
  in.at("class").get_to(run.job_class);
  in.at("qos").get_to(run.qos);
  run.job.state = enumerator(in.at("state"), JobState::removed);
  in.at("started").get_to(run.job.started);
  in.at("suspended_time").get_to(run.job.suspended_time);
  // Earlier versions have no such field.
  run.job.clock_set = in.value("clock_set", std::min(run.job.suspended_time, Seconds(0)));
  run.job.clock_ahead = in.value("clock_ahead", Seconds(0));
  in.at("suspended_since").get_to(run.job.suspended_since);
  run.job.suspension_reason = suspension_reason_of(in);
  run.job.priority = in.value("priority", std::int64_t{0});
  if (const auto use = in.find("use"); use != in.end()) read_use(*use, run.job);
  in.at("limit").get_to(run.request.limit);
  read_requirement(in, names, run.request.requirements.front(), run.task_list);
  if (const auto more = in.find("more"); more != in.end())
    for (const Json& requirement : *more)
      read_requirement(requirement, names, run.request.requirements.emplace_back(), run.task_list);
  const bool runs = run.job.state == JobState::starting || run.job.state == JobState::running ||
                    run.job.state == JobState::suspended;
  if (!runs || run.task_list.empty()) refuse("a run without tasks or in a wrong state");
  return run;
}

/// Recognises a cause by the beginning of its text, as versions before 4 did.
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

}  // namespace

void append_job(std::string& out, const Cluster& cluster, const CheckpointedJob& saved) {
  static const CheckpointedJob nothing;
  Fields fields(out);
  fields.add("name", saved.name);
  if (!saved.run && !saved.manager.empty()) fields.add("manager", saved.manager);
  fields.add("submitted", saved.submitted);
  fields.add("seen", saved.seen);
  if (saved.queued != saved.submitted) fields.add("queued", saved.queued);
  if (saved.eligible_since != saved.submitted) fields.add("eligible_since", saved.eligible_since);
  if (saved.clock_sum) fields.add("clock_sum", *saved.clock_sum);
  if (!saved.hold_reason.empty()) fields.add("hold_reason", saved.hold_reason);
  for_members([&](const char* name, auto member) {
    if (saved.*member != nothing.*member) fields.add(name, saved.*member);
  });
  if (saved.run) {
    if (saved.charged != nothing.charged) fields.add("charged", saved.charged);
    if (saved.charged_cpu) fields.add("charged_cpu", *saved.charged_cpu);
    if (saved.access) append_access(fields, *saved.access);
    fields.begin("run");
    append_run(out, cluster, *saved.run);
  }
  fields.end();
}

CheckpointedJob checkpointed(const Json& in, ClusterNames& names) {
  CheckpointedJob saved;
  in.at("name").get_to(saved.name);
  saved.manager = in.value("manager", std::string());
  in.at("submitted").get_to(saved.submitted);
  in.at("seen").get_to(saved.seen);
  saved.queued = in.value("queued", saved.submitted);
  saved.eligible_since = in.value("eligible_since", saved.submitted);
  if (const auto sum = in.find("clock_sum"); sum != in.end()) saved.clock_sum = sum->get<Seconds>();
  for_members([&](const char* name, auto member) {
    if (const auto at = in.find(name); at != in.end()) at->get_to(saved.*member);
  });
  if (const auto reason = in.find("hold_reason"); reason != in.end())
    saved.hold_reason = hold_reason_of(*reason);
  if (const auto run = in.find("run"); run != in.end()) {
    JobReport made = run_of(*run, names);
    made.name = saved.name;
    made.job.submitted = saved.submitted;
    saved.manager = made.job.resource_manager;
    saved.run = std::make_shared<const JobReport>(std::move(made));
    saved.charged = in.value("charged", Seconds(0));
    if (const auto cpu = in.find("charged_cpu"); cpu != in.end())
      saved.charged_cpu = checked(cpu->get<double>());
    saved.access = access_of(in);
  }
  return saved;
}

}  // namespace maui::checkpointing
