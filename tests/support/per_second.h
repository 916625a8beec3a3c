// A slow but simple model of availability that answers every question second by second, node by
// node and share by share.
//
// It relies only on the contract (maui/*.h): which job uses what and when, with whom a node's users
// share it, and what reservations keep from others.  It uses nothing from src/sched, so that errors
// in the two are independent.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "maui/cluster.h"

namespace maui::test {

class PerSecond {
 public:
  PerSecond(const Cluster& cluster, Time now, bool keep_job_reservations,
            Seconds down_for = kUnlimited);

  /// Makes the job use its placement from `start` on, for its limit.
  void hold(const Job& job, const Request& request, const Placement& placement, Time start);
  void release(JobId job);

  /// Returns the number of the requirement's tasks that the node can take in that second.
  int tasks_at(NodeId node, const Job& job, const Request& request, const Requirement& requirement,
               Time when) const {
    return tasks_at(node, job, request, requirement, when, when, request.limit);
  }
  /// Likewise for a job that runs in [start, start + duration), which access time limits depend on.
  int tasks_at(NodeId node, const Job& job, const Request& request, const Requirement& requirement,
               Time when, Time start, Seconds duration) const;
  /// True if a placement in one partition serves the whole request from `start` on.
  bool fits(const Job& job, const Request& request, Time start, Seconds duration);
  /// Returns the first second in [from, not_after] at which the request fits, or nullopt.
  std::optional<Time> earliest(const Job& job, const Request& request, Time from,
                               Time not_after = kForever);
  /// Returns why this placement does not serve the request from `start` on, or nullopt.
  std::optional<std::string> objection(const Job& job, const Request& request,
                                       const Placement& placement, Time start, Seconds duration);
  /// Returns a node and second at which jobs use too much or may not share the node, or nullopt.
  std::optional<std::string> conflict() const;
  /// Returns the time from which on nothing changes.
  Time horizon() const;

 private:
  struct Claim {  // a job on one node
    Time start{0}, end{0};
    JobId job;
    Credentials who;
    NodeAccess access = NodeAccess::shared;
    NodeId node;
    Resources amount;
  };
  struct Block {  // a reservation on one node
    Time start{0}, end{0};
    const AccessList* access = nullptr;
    NodeId node;
    Resources amount;
  };

  static bool lets_in(const Block& block, const Credentials& who, Time start, Seconds duration);
  int room(NodeId node, const Job& job, const Request& request, const Requirement& requirement,
           Time start, Seconds duration) const;
  bool fits_from(std::size_t index, const Job& job, const Request& request, PartitionId partition,
                 Time start, Seconds duration);
  template <class Accept>
  bool some_shares(const Requirement& requirement, const std::vector<int>& rooms, std::size_t node,
                   int left, std::vector<int>& shares, const Accept& accept) const;
  bool shape_is_right(const Request& request, const Requirement& requirement,
                      const std::vector<int>& shares) const;

  std::vector<double> lowest_speeds(const Request& request) const;
  std::vector<std::vector<char>> sets_of(const NodeSet& wanted) const;
  std::vector<std::vector<char>> choices(const Job& job, const Request& request, Time start) const;

  const Cluster& cluster_;
  Time now_;
  Seconds down_for_;           // how long nodes that are down remain down
  std::vector<char> allowed_;  // by node, while fits() tries a set of nodes; empty: all
  std::vector<Claim> claims_;
  std::vector<Block> blocks_;
};

}  // namespace maui::test
