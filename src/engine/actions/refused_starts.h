// Starts that the resource manager refused for what passes by itself: when, and where, such jobs
// are tried again (guide 11.1 is about refusals that stay).
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
  /// Makes a waiting job ask for that.
  using SetRequest = std::function<void(JobId job, Request request)>;

  /// The start of the job on these nodes was refused, and it waits again.  It is looked at again
  /// with the next answer; refused in a row, ever more seldom, unless it goes to other nodes each
  /// time.  An array that runs as many tasks as it may is looked at when one of them has ended, and
  /// one that depends on others within five seconds when a job of its user has.
  void add(Cluster& cluster, JobId job, const std::string& why, std::vector<NodeId> nodes,
           Obstacle obstacle, Time now, const SetRequest& set_request);
  /// The waiting job asks for something else now, on all nodes that do.
  void revised(JobId job);
  /// A job has left its nodes: who was refused there may try them again, soon where it has
  /// left a node to nobody, since that is what some jobs wait for that a server keeps alone on
  /// their nodes without reporting so; arrays of its user, of which it may be a task; and jobs of
  /// its user that may have waited for it.
  void note_room(Cluster& cluster, const Job& left, const SetRequest& set_request);
  /// A task of an array runs on these nodes.  A server that starts as many tasks of an array as
  /// there is room for says of the others that they cannot start now: that is no refusal, and one
  /// that was to be there may start as soon as there is room, or this one has ended where the array
  /// may run no more at once.
  void forgive_task(Cluster& cluster, const Job& runs, const std::vector<NodeId>& nodes);
  /// Forgets why starts were refused, since that may have passed: the reports count again.
  void look_again(Cluster& cluster, Time now, const SetRequest& set_request);
  /// True if it waits for why its start was refused, and may not be asked for again by `now`.
  bool keeps(const Cluster& cluster, JobId job, Time now) const;
  /// Returns when one may be asked for again, after `now`; kForever without one.
  Time next(const Cluster& cluster, Time now) const;
  /// The clock was set.
  void shift(Seconds by);

 private:
  struct Refused {
    JobId job;
    std::uint64_t arrival = 0;
    std::string why;
    std::vector<NodeId> nodes;                           // where it was to be
    Obstacle obstacle = Obstacle::unknown;               // the last time
    std::vector<std::pair<JobId, std::uint64_t>> tasks;  // of the array, and when they arrived
    Time again{0};                                       // it may be asked for again
    Seconds pause{0};                                    // until then, since it was refused last
    int sent_elsewhere = 0;                              // so often in a row
    std::size_t turns = 0;                               // so often it was kept from one of them
    // Where the job is not tried for a while, though its request would allow it; in order.
    std::vector<NodeId> avoided;
    bool on_fewest = false;  // it is kept to the least number of nodes that it asks for
    Time avoided_until = kForever;

    /// It may start when one of its tasks ends.
    bool array_full() const { return obstacle == Obstacle::array; }
    /// It may start when a job of its user ends.
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
