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

/// How a priority changes when only time passes.
enum class Course {
  linear,   // by an equal amount each second, until it meets a bound
  rising,   // never down
  falling,  // never up
  other,
};

/// Returns the job as it would be if it still waited.
Job in_queue(Job job);

class PriorityJudge {
 public:
  PriorityJudge(const Cluster& cluster, const Settings& settings, Time now);

  /// A time span over which fairshare changes, and whether its highest or lowest value is used.
  struct Span {
    Time from{0}, to{0};
    bool highest = false;
  };
  /// Moves the judge to another time: from now on it evaluates priorities at `when`, and takes
  /// fairshare from that span if follow() has been called; otherwise fairshare stays as it is.
  void look_at(Time when, Span fairshare) {
    now_ = when;
    span_ = fairshare;
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
  /// Returns how the job's priority changes until then.
  Course course(const Job& job, Time until) const;
  /// Returns the part of a job's priority that may bend; the rest is straight except for fairshare.
  double bending_part(const PriorityBreakdown& found, const Job& job) const;
  /// True if no part bends from now on: the job has reached its targets, beyond which its priority
  /// grows steadily.
  bool bends_no_more(const Job& job) const;

 private:
  bool anywhere(Component component) const;
  const PriorityWeights& weights_for(const Job& job) const;
  double weight_of(const PriorityWeights& weights, const SubcomponentInfo& info,
                   const Job& job) const;
  double weighted(const PriorityWeights& weights, const SubcomponentInfo& info,
                  const Job& job) const;
  void adjust(PriorityBreakdown& result, const SystemPriority& by_hand) const;
  double waited(const Job& job) const;
  double queue_minutes(const Job& job) const { return waited(job) / 60.0; }
  double credential_value(const SubcomponentInfo& info, const Credentials& who) const;
  double target_value(Subcomponent what, const Job& job) const;
  double usage_value(Subcomponent what, const Job& job) const;
  double value(const SubcomponentInfo& info, const Job& job) const;
  double fairshare_ahead(CredentialKind kind, const Job& job, bool highest) const;

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
  Span span_;
  CredentialAttribute<Seconds> queue_time_targets_;
  CredentialAttribute<double> xfactor_targets_;
  CredentialEntries<QosId> qos_;
  bool qos_weights_ = false;  // some QOS adds to a weight
};

}  // namespace maui
