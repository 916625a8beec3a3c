#include "sched/query/reason_words.h"

#include <fmt/format.h>

#include <iterator>

#include "base/state_names.h"
#include "maui/replies/job.h"
#include "model/job_extensions.h"
#include "sched/placement/feasibility.h"
#include "sched/placement/lack.h"

namespace maui {
namespace {

constexpr EnumName<Reason> kReasonWords[] = {
    {Reason::none, ""},
    {Reason::hold, "job has hold in place"},
    {Reason::state, "state is not idle"},
    {Reason::start_date, "start date not reached"},
    {Reason::completion_date, "it could not end by its completion date"},
    {Reason::dependency, "dependency is not met"},
    {Reason::resource_manager, "the resource manager would not start it now"},
    {Reason::policy, "rejected by policy"},
    {Reason::fairshare_cap, "fairshare cap is exceeded"},
    {Reason::local_fairness, "the site's own policy keeps it out"},
    {Reason::negative_priority, "priority is negative"},
    {Reason::idle_procs, kInsufficientProcs},
    {Reason::requirements, kUnmetRequirements},
    {Reason::reserved_later, "its reservation begins later"},
    {Reason::reservations_block, "idle procs are reserved for others before it could end"},
    {Reason::confined, "it may use nothing but reservations"},
    {Reason::node_set, "no node set has room for it"},
    {Reason::chunk, "it may not be backfilled past a larger job that waits"},
    {Reason::not_reached, "a job of higher priority waits that it may not pass"},
    {Reason::backfill_depth, "it stands beyond BACKFILLDEPTH in the queue"},
    {Reason::passed_over,
     "its user's jobs with several requirements or many node sets have had their share of the "
     "iteration"},
    {Reason::never, "it can never run here"},
    {Reason::only_looking,
     "it would be started now, but the scheduler only looks, as in SERVERMODE TEST"},
    {Reason::nodes_down, "too few nodes are up"},
    {Reason::next_iteration, "nothing is in its way: the next iteration decides"},
};
static_assert(std::size(kReasonWords) == kReasonCount);

}  // namespace

std::string_view reason_words(Reason reason) { return name_of<Reason>(kReasonWords, reason); }

std::optional<Reason> reason_of(std::string_view words) {
  return value_of<Reason>(kReasonWords, words);
}

std::string detailed_reason(const Eligibility& eligibility, const Cluster& cluster, const Job& job,
                            Reason reason) {
  std::string words(reason_words(reason));
  if (reason == Reason::fairshare_cap)
    words += ": " + eligibility.fairshare().why_blocked(cluster, job.credentials);
  if (reason == Reason::local_fairness)
    if (const auto why = cluster.local_words.refused.find(job.id);
        why != cluster.local_words.refused.end())
      words += ": " + why->second;
  if (reason == Reason::resource_manager) words += ": " + *job.waits_for;
  return words;
}

std::string blocked_reason(const Eligibility& eligibility, const Cluster& cluster,
                           const Settings& settings, const Job& job) {
  const auto why = eligibility.of(job);
  if (why == Reason::hold) {
    std::string names;
    for (const auto& name : hold_names(job.holds)) names += (names.empty() ? "" : " ") + name;
    if ((job.holds & job.holds_reported) != 0) names += ", by its resource manager";
    return fmt::format("has hold in place: {}{}{}", names, job.hold_reason->empty() ? "" : ", ",
                       job.hold_reason->text);
  }
  if (why == Reason::state)
    return fmt::format("is not idle: its state is {}", state_name(job.state));
  if (why == Reason::start_date) return "has a start date that is not reached";
  if (why == Reason::completion_date) return "can no longer end by its completion date";
  if (why == Reason::dependency) {
    std::string open;
    for (const Dependency& dependency : job.dependencies)
      if (dependency.state != DependencyState::met)
        open += (open.empty() ? "" : ",") + dependency_text(dependency);
    return fmt::format("depends on another job: {}", open);
  }
  const auto& request = cluster.request(job.request);
  if (why == Reason::none && !ever_feasible(cluster, job, request))
    return fmt::format("can never run here: {}", lack_of(cluster, request));
  // An eligible job that is not considered has been rejected for its priority, or has come to the
  // queue since, as one that was preempted.
  const bool negative = why == Reason::none && settings.priority.reject_negative;
  if (why == Reason::none && !negative) return "is considered in the next iteration";
  return fmt::format(
      "is rejected by policy: {}",
      detailed_reason(eligibility, cluster, job, negative ? Reason::negative_priority : why));
}

}  // namespace maui
