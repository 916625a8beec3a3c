// Everything that the priority of a job depends on besides the job, at one moment.
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

/// How a priority moves while nothing happens but that time goes on.
enum class Course {
  linear,  // by the same amount each second
  rising,  // never down
  other,
};

class PriorityJudge {
 public:
  PriorityJudge(const Cluster& cluster, const Settings& settings, Time now);

  /// From here on that moment is judged; what was used for fairshare stays what it was, unless it
  /// is known how that goes on.
  void look_at(Time when) { look_at(when, {when, when, false}); }
  /// A time in which fairshare moves, and whether the highest of its values counts, or the lowest.
  struct Span {
    Time from{0}, to{0};
    bool highest = false;
  };
  void look_at(Time when, Span fairshare) {
    now_ = when;
    span_ = fairshare;
  }
  void go_on(const FairshareAhead& ahead) { ahead_ = &ahead; }
  PriorityBreakdown breakdown(const Job& job) const;
  /// One part of its sum.
  double contribution_of(Component component, const Job& job) const;
  double xfactor(const Job& job) const;
  /// The expansion factor that counts for service: with RUNTIMELEARNING PRIORITY by the run time
  /// that is expected.
  double service_xfactor(JobId job, double waited, double by_limit) const;

  // The parts of breakdown() for waiting jobs that an administrator has not moved, where no
  // partition has weights of its own and the site's program does not count.

  /// Credentials, or requested resources, make a difference.
  bool owners_matter() const;
  bool requests_matter() const;
  /// The expansion factor makes a difference to some job.
  bool expansion_counts() const;
  WaitWeights wait_weights(const Job& job) const;
  /// Seconds by which the expansion factor grows by one.
  double xfactor_limit(RequestId request) const;
  /// The weights and caps of jobs for which no partition has others.
  const PrioritySettings& weights() const { return general_.all; }

  /// When the waiting job reaches the first of its targets that it has not reached yet.
  Time target_due(const Job& job) const;
  /// Until then.
  Course course(const Job& job, Time until) const;
  /// The part of a job's priority that may bend; all else is straight but for fairshare.
  double bending_part(const PriorityBreakdown& found, const Job& job) const;
  /// True if nothing of it bends from now on: the job has reached its targets, beyond which it
  /// gains steadily.
  bool bends_no_more(const Job& job) const;

 private:
  bool anywhere(Component component) const;
  const PriorityWeights& weights_for(const Job& job) const;
  double weighted(const PriorityWeights& weights, const SubcomponentInfo& info,
                  const Job& job) const;
  void adjust(PriorityBreakdown& result, const SystemPriority& by_hand) const;
  double waited(const Job& job) const;
  double queue_minutes(const Job& job) const { return waited(job) / 60.0; }
  double added_weight(Subcomponent what, const Job& job) const;
  double priority_of(CredentialKind kind, const Job& job) const {
    return static_cast<double>(priorities_.of(kind, job.credentials).value_or(0));
  }
  double target_value(Subcomponent what, const Job& job) const;
  double usage_value(Subcomponent what, const Job& job) const;
  double value(Subcomponent what, const Job& job) const;
  double fairshare_value(Subcomponent what, const Job& job, bool highest) const;

  const Cluster& cluster_;
  Time now_;
  PriorityWeights general_;
  std::vector<std::optional<PriorityWeights>> partitions_;  // by partition, where it has its own
  Resources configured_;                                    // in all, for processor equivalents
  const CredentialSettings& system_;
  const LearningSettings& learning_;
  CredentialAttribute<std::int64_t> priorities_;
  FairshareStanding fairshare_;
  const FairshareAhead* ahead_ = nullptr;
  Span span_;
  CredentialAttribute<Seconds> queue_time_targets_;
  CredentialAttribute<double> xfactor_targets_;
  CredentialEntries<QosId> qos_;
  bool qos_weights_ = false;
};

}  // namespace maui
