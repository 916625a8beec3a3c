#include "sched/query/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/duration.h"
#include "base/text.h"
#include "model/sharing.h"
#include "sched/availability/timeline.h"
#include "sched/limits/reserved_limits.h"
#include "sched/placement/feasibility.h"
#include "sched/placement/lack.h"
#include "sched/placement/node_sets.h"
#include "sched/priority/priority.h"
#include "sched/rules/chunks.h"
#include "sched/rules/job_flags.h"
#include "sched/rules/partition_policies.h"
#include "sched/selection.h"
#include "sched/suspended.h"

namespace maui {
namespace {

constexpr std::size_t kReasons = static_cast<std::size_t>(NodeReason::reserve_time) + 1;

// Judges nodes for one requirement of a waiting job.
class NodeJudge {
 public:
  NodeJudge(const Cluster& cluster, Timeline& timeline, const Job& job, const Request& request)
      : cluster_(cluster), timeline_(timeline), job_(job), request_(request) {}

  NodeVerdict operator()(NodeId node) const {
    NodeVerdict verdict{node, lasting(node), 0};
    if (verdict.reason != NodeReason::none) return verdict;
    const RequirementQuestion question{job_, request_, 0, cluster_.node(node).partition,
                                       request_.limit};
    auto moment = question;
    moment.stay = Seconds(1);
    if (timeline_.model().tasks_on(node, moment, timeline_.now()) == 0) {
      verdict.reason = momentary(node);
      return verdict;
    }
    verdict.tasks = timeline_.model().tasks_on(node, question, timeline_.now());
    if (verdict.tasks == 0) verdict.reason = NodeReason::reserve_time;
    return verdict;
  }

 private:
  // True if a list of as many hosts as tasks leaves no task for any other host.
  bool only_listed() const {
    const auto hosts = static_cast<int>(request_.host_list.size());
    return request_.host_list_use == HostListUse::all_of && hosts >= request_.total_tasks();
  }

  NodeReason lasting(NodeId node) const {
    const auto reason = mismatch(cluster_, node, request_, request_.requirements.front());
    if (reason != NodeReason::none) return reason;
    if (!request_.may_use(node, request_.requirements.front()) ||
        (only_listed() && !request_.lists(node)))
      return NodeReason::host_list;
    const auto state = cluster_.state(node);
    return state == NodeState::idle || state == NodeState::running ? NodeReason::none
                                                                   : NodeReason::state;
  }

  // Returns the reason that applies now: other jobs, held resources or reserved resources.
  NodeReason momentary(NodeId node) const {
    const auto& here = cluster_.occupancy(node);
    const auto access = access_on(cluster_.node(node).policy.access, request_.access);
    if (!may_join(here, access, job_.credentials.user)) return NodeReason::access;
    if (here.free.tasks_of(request_.requirements.front().per_task) == 0)
      return NodeReason::resources;
    const auto& policy = cluster_.node(node).policy;
    const auto jobs = static_cast<int>(here.occupants.size());
    const auto of_user = static_cast<int>(std::count_if(
        here.occupants.begin(), here.occupants.end(),
        [&](const Occupant& occupant) { return occupant.user == job_.credentials.user; }));
    if ((policy.max_jobs > 0 && jobs >= policy.max_jobs) ||
        (policy.max_jobs_per_user > 0 && of_user >= policy.max_jobs_per_user))
      return NodeReason::access;
    return NodeReason::reserve_time;
  }

  const Cluster& cluster_;
  Timeline& timeline_;
  const Job& job_;
  const Request& request_;
};

int idle_procs(const Cluster& cluster) {
  int procs = 0;
  for (const auto node : cluster.open_nodes()) procs += cluster.occupancy(node).free.procs();
  return procs;
}

/// Describes the job that BFCHUNKSIZE makes this job wait for; empty if there is none.
std::string larger_job_before(const Cluster& cluster, const Settings& settings, Time now,
                              const Job& job) {
  const ChunkRule rule(settings.throttling);
  if (!rule.any() || rule.large(cluster.request(job.request))) return {};
  FeasibleRequests feasible;
  for (const auto& ranked : considered(cluster, settings, now, Strictness::hard, feasible)) {
    const auto& other = cluster.job(ranked.job);
    if (other.id == job.id) break;
    if (!rule.large(cluster.request(ranked.request)) || now >= rule.saves_until(other)) continue;
    return fmt::format("job {} of {}, for at most another {} (BFCHUNKDURATION)", other.name,
                       counted(cluster.request(ranked.request).total_procs(), "proc"),
                       format_duration(rule.saves_until(other) - now));
  }
  return {};
}

/// True if a job before this one must start first, since this one may not be backfilled.
bool waits_its_turn(const Cluster& cluster, const Settings& settings, Time now, const Job& job) {
  const Request& request = cluster.request(job.request);
  if (backfill_policy(cluster, settings, request) != BackfillPolicy::none &&
      !JobFlags(cluster, settings).has(job, JobFlag::no_backfill))
    return false;
  const auto lane = backfills_by(cluster, settings, request);
  FeasibleRequests feasible;
  for (const auto& ranked : considered(cluster, settings, now, Strictness::hard, feasible)) {
    if (ranked.job == job.id) break;
    if (backfills_by(cluster, settings, cluster.request(ranked.request)) == lane) return true;
  }
  return false;
}

/// Describes the reserved job that would exceed a limit at its start; empty if there is none.
std::string harmed_job(const Cluster& cluster, const Settings& settings, Time now, const Job& job,
                       const Request& request, const Placement& placement) {
  Throttling throttling(cluster, settings, now);
  if (!throttling.any()) return {};
  ReservedLimits limits(cluster, throttling, now);
  for (const auto id : cluster.reservations()) {
    const auto& kept = cluster.reservation(id);
    if (kept.kind != ReservationKind::job || kept.start <= now || kept.job == job.id) continue;
    const auto& other = cluster.job(kept.job);
    limits.reserve(other, cluster.request(other.request), kept.nodes, kept.start, Strictness::hard);
  }
  const auto* harmed = limits.harmed_by(job, request, placement, now);
  return harmed ? fmt::format("job '{}' would exceed a limit at its reserved start", harmed->name)
                : std::string();
}

bool fits_outside_its_set(Timeline& timeline, const Job& job, const Request& request) {
  if (!waits_for_set(job, request, timeline.now())) return false;
  auto anywhere = request;
  anywhere.node_set.reset();
  return timeline.fits_now(job, anywhere).has_value();
}

std::string set_words(const Job& job, const NodeSet& set, Time now) {
  const bool ends = set.delay < kUnlimited;
  return fmt::format("{}, {}", node_set_text(set),
                     ends ? fmt::format("elsewhere in {} (NODESETDELAY)",
                                        format_duration(job.eligible_since + set.delay - now))
                          : std::string("and nowhere else (NODESETDELAY)"));
}

/// Counts, node by node, how many tasks of a requirement find room.
class RoomForTasks {
 public:
  explicit RoomForTasks(const Requirement& wanted) : wanted_(wanted) {}

  void add(int tasks) {
    if (wanted_.tasks_per_node > 0) tasks = std::min(tasks, wanted_.tasks_per_node);
    tasks_ += tasks;
    if (tasks > 0) ++nodes_;
  }
  long long procs() const {
    const int missing = std::max(0, wanted_.least_nodes - nodes_);  // each would need a task
    const long long most = missing > 0 ? wanted_.tasks - missing : tasks_;
    return std::min(tasks_, most) * wanted_.per_task.procs();
  }

 private:
  const Requirement& wanted_;
  long long tasks_ = 0;
  int nodes_ = 0;
};

Reason verdict_on(const Cluster& cluster, const Settings& settings, const Job& job, Time now,
                  Strictness level, std::optional<Violation>& limit) {
  const auto reason = why_not_considered(cluster, settings, now, job.id);
  if (reason != Reason::none) return reason;
  if (!ever_feasible(cluster, job, cluster.request(job.request))) return Reason::never;
  limit = limit_on(cluster, settings, now, job.id, level);
  return limit ? Reason::policy : Reason::none;
}

}  // namespace

std::string reservations_for(const Cluster& cluster, const Settings& settings, const Job& job,
                             const Request& request, Time now) {
  const JobFlags flags(cluster, settings);
  if (!flags.confined(job)) return {};
  const auto wanted = flags.required_reservation(job);
  const Applicant applicant{job.credentials, flags.of(job), request.total_procs(),
                            request.total_tasks(), wanted};
  bool known = wanted.empty(), open = false;
  Time begin = kForever, end(0);  // of the reservations that admit it: first start, last end
  for (const auto id : cluster.reservations()) {
    const auto& reservation = cluster.reservation(id);
    if (reservation.kind == ReservationKind::job) continue;
    if (!wanted.empty() && !goes_by(reservation, wanted)) continue;
    known = true;
    if (!admission(reservation, applicant).admitted) continue;
    open = true;
    begin = std::min(begin, reservation.start);
    end = std::max(end, reservation.end);
  }
  if (!known) return fmt::format("there is no reservation '{}'", wanted);
  const auto whose = [&](std::string_view named, std::string_view none) {
    return wanted.empty() ? std::string(none) : fmt::format("'{}' {}", wanted, named);
  };
  if (!open) return whose("does not admit it", "none admits it");
  if (begin > now)
    return fmt::format("{} in {}", whose("begins", "the first begins"),
                       format_duration(begin - now));
  if (end - now < request.limit)
    return fmt::format("{} in {}, before the job would", whose("ends", "the last ends"),
                       format_duration(end - now));
  return whose("has no room for it now", "none has room for it now");
}

std::string missing_nodes(const Cluster& cluster, const Settings& settings, const Job& job) {
  const auto& request = cluster.request(job.request);
  if (!needs_lost_nodes(cluster, job, request)) return {};
  auto words = lost_nodes(cluster, request);
  const Seconds assumed = settings.node.stays_down();
  if (assumed >= kUnlimited) return words;
  return fmt::format(
      "{}, assumed back in {} ({})", words, format_duration(assumed),
      settings.node.down_state_delay > Seconds(0) ? "NODEDOWNSTATEDELAYTIME" : "DOWNNODEDELAYTIME");
}

namespace {

/// The question of explain(), and what its parts find out.
class Explainer {
 public:
  Explainer(Timeline& timeline, const Cluster& cluster, const Settings& settings, Time now,
            const Job& job, const ExplainOptions& options)
      : timeline_(timeline),
        cluster_(cluster),
        settings_(settings),
        now_(now),
        job_(job),
        request_(cluster.request(job.request)),
        options_(options) {}

  Explanation explain() {
    found_.reason = verdict_on(cluster_, settings_, job_, now_, options_.level, found_.limit);
    if (found_.reason == Reason::never) found_.blocker = lack_of(cluster_, request_);
    found_.needed_procs = request_.total_procs();
    found_.idle_procs = idle_procs(cluster_);
    if (job_.active()) return std::move(found_);
    timeline_.begin(cluster_, settings_, now_, true);
    keep_for_suspended(timeline_, cluster_, settings_, job_);
    if (job_.reservation.valid()) timeline_.release(job_.id);
    judge_nodes();
    if (found_.reason != Reason::none) return std::move(found_);
    if (const auto slot = timeline_.fits_now(job_, request_))
      found_.reason = reason_beside_room(slot->placement);
    else
      found_.reason = reason_without_room();
    return std::move(found_);
  }

 private:
  void judge_nodes() {
    const NodeJudge judge(cluster_, timeline_, job_, request_);
    std::array<int, kReasons> counts{};
    const auto& first = request_.requirements.front();
    RoomForTasks feasible(first), unreserved(first);
    for (const auto& node : cluster_.nodes()) {
      if (node.purged || (options_.only_node.valid() && options_.only_node != node.id)) continue;
      const auto verdict = judge(node.id);
      ++counts[static_cast<std::size_t>(verdict.reason)];
      feasible.add(verdict.tasks);
      if (verdict.reason == NodeReason::none || verdict.reason == NodeReason::reserve_time)
        unreserved.add(cluster_.occupancy(node.id).free.tasks_of(first.per_task));
      if (options_.nodes) found_.nodes.push_back(verdict);
    }
    for (std::size_t i = 1; i < kReasons; ++i)
      if (counts[i] > 0) found_.rejections.emplace_back(static_cast<NodeReason>(i), counts[i]);
    found_.feasible_procs =
        static_cast<int>(std::min<long long>(feasible.procs(), found_.idle_procs));
    unreserved_procs_ = unreserved.procs();
  }

  // Returns why a job that has room waits, and notes the limit or the job that it waits for.
  Reason reason_beside_room(const Placement& placement) {
    found_.limit =
        Throttling(cluster_, settings_, now_).violated(job_, request_, options_.level, &placement);
    if (found_.limit) return Reason::policy;
    found_.blocker = harmed_job(cluster_, settings_, now_, job_, request_, placement);
    if (!found_.blocker.empty()) return Reason::policy;
    found_.blocker = larger_job_before(cluster_, settings_, now_, job_);
    if (!found_.blocker.empty()) return Reason::chunk;
    return waits_its_turn(cluster_, settings_, now_, job_) ? Reason::not_reached
                                                           : Reason::next_iteration;
  }

  // Returns what the job lacks, and notes what would give it.
  Reason reason_without_room() {
    found_.blocker = missing_nodes(cluster_, settings_, job_);
    if (!found_.blocker.empty()) return Reason::nodes_down;
    found_.blocker = reservations_for(cluster_, settings_, job_, request_, now_);
    if (!found_.blocker.empty()) return Reason::confined;
    if (found_.idle_procs < found_.needed_procs) return Reason::idle_procs;
    if (fits_outside_its_set(timeline_, job_, request_)) {
      found_.blocker = set_words(job_, *request_.node_set, now_);
      return Reason::node_set;
    }
    return unreserved_procs_ >= found_.needed_procs ? Reason::reservations_block
                                                    : Reason::requirements;
  }

  Timeline& timeline_;
  const Cluster& cluster_;
  const Settings& settings_;
  Time now_;
  const Job& job_;
  const Request& request_;
  const ExplainOptions& options_;
  Explanation found_;
  long long unreserved_procs_ = 0;  // regardless of reservations
};

}  // namespace

Explanation explain(const Cluster& cluster, const Settings& settings, Time now, JobId id,
                    const ExplainOptions& options) {
  return Questions(cluster, settings, now).explain(id, options);
}

Questions::Questions(const Cluster& cluster, const Settings& settings, Time now)
    : cluster_(cluster), settings_(settings), now_(now), timeline_(std::make_unique<Timeline>()) {}
Questions::~Questions() = default;

Explanation Questions::explain(JobId id, const ExplainOptions& options) {
  return Explainer(*timeline_, cluster_, settings_, now_, cluster_.job(id), options).explain();
}

}  // namespace maui
