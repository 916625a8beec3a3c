// Starts that the resource manager refused for a temporary reason: when, and where, such jobs are
// tried again (guide 11.1 is about permanent refusals).
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "maui/cluster.h"
#include "maui/resource_manager.h"

namespace maui {

class RefusedStarts {
 public:
  /// Changes the request of a waiting job.
  using SetRequest = std::function<void(JobId job, Request request)>;

  /// Notes that the start of the job on these nodes was refused.  It is considered again with the
  /// next answer; after consecutive refusals ever more rarely, unless it goes to other nodes each
  /// time.  An array at its limit of running tasks is considered when one of its tasks ends; a job
  /// that depends on others, five seconds after a job of the same user ends.
  void add(Cluster& cluster, JobId job, const std::string& why, std::vector<NodeId> nodes,
           Obstacle obstacle, Time now, const SetRequest& set_request);
  /// Notes that the waiting job's request has changed, so that no node is avoided any more.
  void revised(JobId job);
  /// Notes that a job has left its nodes: jobs refused there may be tried again; soon if a node is
  /// empty, since a server may keep nodes exclusive for some jobs without reporting that; also
  /// arrays of the same user, since the job may be one of their tasks, and jobs of the same user
  /// that may have waited for this job.
  void note_room(Cluster& cluster, const Job& left, const SetRequest& set_request);
  /// Notes that a task of an array runs on these nodes.  A server that starts as many tasks of an
  /// array as fit says that the others cannot start now.  That is not a refusal: a task that was to
  /// run there may start as soon as resources are free, or, if the array is at its limit, when this
  /// task ends.
  void forgive_task(Cluster& cluster, const Job& runs, const std::vector<NodeId>& nodes);
  /// Forgets temporary reasons of refusals that are due to be retried: the reports count again.
  void look_again(Cluster& cluster, Time now, const SetRequest& set_request);
  /// True if the job waits because its start was refused, and must not be retried by `now`.
  bool keeps(const Cluster& cluster, JobId job, Time now) const;
  /// Returns the next time after `now` at which a start may be retried, or kForever.
  Time next(const Cluster& cluster, Time now) const;
  /// Shifts all times by a step of the clock.
  void shift(Seconds by);

 private:
  struct Refused {
    JobId job;
    std::uint64_t arrival = 0;
    std::string why;
    std::vector<NodeId> nodes;                           // of the refused start
    Obstacle obstacle = Obstacle::unknown;               // of the last refusal
    std::vector<std::pair<JobId, std::uint64_t>> tasks;  // of the array, with arrivals
    Time again{0};                                       // when the start may be retried
    Seconds pause{0};                                    // from the last refusal to `again`
    int sent_elsewhere = 0;                              // times in a row
    std::size_t turns = 0;                               // times it was kept from one of its nodes
    // The nodes that the job avoids for a while, though its request would allow them; sorted.
    std::vector<NodeId> avoided;
    bool on_fewest = false;  // restricted to the fewest nodes that it asks for
    Time avoided_until = kForever;

    /// The job may start when one of its tasks ends.
    bool array_full() const { return obstacle == Obstacle::array; }
    /// The job may start when another job of its user ends.
    bool waits_for_owner() const { return array_full() || obstacle == Obstacle::others; }
  };
  static void forget_why(Cluster& cluster, const Refused& refused);
  static bool try_elsewhere(const Cluster& cluster, Refused& refused, Time now,
                            const SetRequest& set_request);
  static bool avoid_one(const Cluster& cluster, Refused& refused, const std::vector<NodeId>& nodes,
                        Time now, const SetRequest& set_request);
  static void allow_again(const Cluster& cluster, Refused& refused,
                          const std::vector<NodeId>& nodes, const SetRequest& set_request);
  static void allow_all_again(const Cluster& cluster, Refused& refused,
                              const SetRequest& set_request);

  std::vector<Refused> all_;
};

}  // namespace maui
