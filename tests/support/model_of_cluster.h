// The model of availability filled from a cluster, and asked in the words of jobs and requests.
//
// It is how the planner is to use the model; a test holds its answers against the timeline's.
#pragma once
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "maui/cluster.h"
#include "maui/settings.h"
#include "sched/availability/access_sets.h"
#include "sched/availability/availability.h"

namespace maui::test {

/// One requirement anywhere on the nodes of a partition; without node sets and speeds.
class ModelOfCluster {
 public:
  struct Answer {
    Time start{0};
    Placement placement;  // empty where the policy goes by more than groups
    bool has_nodes = false;
  };

  ModelOfCluster(const Cluster& cluster, const Settings& settings, Time now,
                 bool keep_job_reservations);
  /// Takes over what has changed in the cluster.  Requires that it has the same nodes, and that no
  /// trial is under way.
  void update(Time now);

  void hold(const Job& job, const Request& request, const Placement& placement, Time start);
  std::optional<Answer> earliest(const Job& job, const Request& request, Time from, Time not_after);
  std::optional<Answer> fits_now(const Job& job, const Request& request, Seconds at_least);

  availability::Availability& model() { return model_; }

 private:
  struct Asked {
    availability::Question question;
    availability::NodeRuns among, hosts;
  };
  std::uint32_t attributes_of(const Node& node) const;
  std::uint32_t kind_of(const Node& node);
  availability::NodeTimeline timeline_of(const Node& node);
  void add_claims(availability::NodeTimeline& timeline, const Node& node,
                  const Reservation& reservation);
  Seconds closed_for(const Node& node) const;
  bool names_users(const Node& node) const;
  availability::Use use_of(const Job& job, const Request& request, const Node& node, Time start,
                           Time end, NodeAccess access, const Resources& amount);
  void question_of(Asked& asked, const Job& job, const Request& request, PartitionId partition);
  /// How little affinity draws the job to its nodes: by tasks on nodes of last resort, then by
  /// those on nodes that do not draw it.
  struct Reluctance {
    int repelled = 0, indifferent = 0;
    friend auto operator<=>(const Reluctance&, const Reluctance&) = default;
  };
  Reluctance reluctance(const Job& job, const Request& request, const Asked& asked,
                        const Answer& answer);
  /// The earliest place; of several at that moment the one where affinity draws the job, else that
  /// in the first partition.
  template <class In>
  std::optional<Answer> first_in_partitions(const Job& job, const Request& request, Time from,
                                            Time not_after, In in);
  std::optional<Answer> placed(const Asked& asked, const Request& request, PartitionId partition,
                               Time start, bool sparing);

  const Cluster& cluster_;
  const Settings& settings_;
  bool keep_job_reservations_;
  Time now_{0};
  std::optional<AccessSets> sets_;
  std::unordered_map<ReservationId, Time> late_;
  availability::Availability model_;
};

}  // namespace maui::test
