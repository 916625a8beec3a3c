// Everything that the priority of a job depends on besides the job, at one time.
#pragma once
#include <optional>
#include <vector>

#include "sched/priority/fairshare.h"
#include "sched/priority/fairshare_ahead.h"
#include "sched/priority/priority_components.h"
#include "sched/priority/priority_weights.h"
#include "sched/priority/wait_sum.h"
#include "sched/rules/credential_attribute.h"
#include "sched/rules/credential_entries.h"

namespace maui {

/// Returns the job as it would be if it still waited.
Job in_queue(Job job);

class PriorityJudge {
 public:
  PriorityJudge(const Cluster& cluster, const Settings& settings, Time now);

  /// Moves the judge: from now on it evaluates priorities for jobs that have waited or run until
  /// `when`, with fairshare as it is at `fairshare` if follow() has been called.
  void look_at(Time when, Time fairshare) {
    now_ = when;
    fairshare_time_ = fairshare;
  }
  /// Lets fairshare change as `ahead` describes.
  void follow(const FairshareAhead& ahead) { ahead_ = &ahead; }
  PriorityBreakdown breakdown(const Job& job) const;
  /// Returns the contribution of one component.
  double contribution_of(Component component, const Job& job) const;
  /// Returns the contributions of the credentials and of their fairshare, by the general weights
  /// and with fairshare as it is now.
  double contribution_of(const Credentials& who) const;
  /// Returns the expansion factor: 1 + queue time / max(XFMINWCLIMIT, limit) (guide 5.1.2.4.2).  A
  /// job that runs or is suspended keeps the factor of its start.
  double xfactor(const Job& job) const;
  /// Returns the expansion factor of the service component: with RUNTIMELEARNING PRIORITY, the one
  /// by the expected run time.
  double service_xfactor(JobId job, double waited, double by_limit) const;

  // Parts of breakdown() for waiting jobs without a system priority, where no partition has weights
  // of its own and no PRIORITYPROGRAM counts.

  /// True if priorities depend on the credentials of jobs.
  bool credentials_matter() const;
  /// True if priorities depend on the resources that jobs ask for.
  bool requests_matter() const;
  /// True if the expansion factor makes a difference for some job.
  bool expansion_counts() const;
  /// True if a wait counts the same whatever the credentials of the job.
  bool waits_count_alike() const { return !qos_weights_ && !anywhere(Component::target); }
  WaitWeights wait_weights(const Job& job) const;
  /// Returns the seconds by which a wait raises the expansion factor by one.
  double xfactor_limit(RequestId request) const;
  /// The weights and caps of jobs in partitions without weights of their own.
  const PrioritySettings& weights() const { return general_.all; }

  /// Returns when the waiting job reaches the first of its targets that are still ahead.
  Time target_due(const Job& job) const;
  /// Returns what a component contributes to the job's priority if its subcomponents have this sum.
  double contribution_of_sum(Component component, double sum, const Job& job) const;
  /// True if fairshare adds the same to the priorities of both jobs at any time.
  bool share_fairshare(const Job& a, const Job& b) const {
    return a.credentials == b.credentials && &weights_for(a) == &weights_for(b);
  }
  /// The bounds of priorities.
  PriorityRange range() const { return PriorityRange(general_.all); }

 private:
  bool anywhere(Component component) const;
  const PriorityWeights& weights_for(const Job& job) const;
  double weight_of(const PriorityWeights& weights, const SubcomponentInfo& info,
                   const Job& job) const;
  double weighted(const PriorityWeights& weights, const SubcomponentInfo& info, const Job& job,
                  std::uint64_t* passed = nullptr) const;
  void adjust(PriorityBreakdown& result, const SystemPriority& by_hand) const;
  double waited(const Job& job) const;
  double queue_minutes(const Job& job) const { return waited(job) / 60.0; }
  double credential_value(const SubcomponentInfo& info, const Credentials& who) const;
  double target_value(Subcomponent what, const Job& job) const;
  double usage_value(Subcomponent what, const Job& job) const;
  double value(const SubcomponentInfo& info, const Job& job) const;
  double fairshare_ahead(CredentialKind kind, const Job& job) const;
  std::uint64_t bends_passed(const PriorityWeights& weights, const Job& job) const;

  const Cluster& cluster_;
  Time now_;
  PriorityWeights general_;
  std::vector<std::optional<PriorityWeights>> partitions_;  // by partition that has its own
  ResourceTotals configured_;                               // the total, for processor equivalents
  const CredentialSettings& system_;
  const LearningSettings& learning_;
  CredentialAttribute<std::int64_t> priorities_;
  FairshareStanding fairshare_;
  const FairshareAhead* ahead_ = nullptr;
  Time fairshare_time_{0};
  CredentialAttribute<Seconds> queue_time_targets_;
  CredentialAttribute<double> xfactor_targets_;
  CredentialEntries<QosId> qos_;
  bool qos_weights_ = false;  // some QOS adds to a weight
};

}  // namespace maui
