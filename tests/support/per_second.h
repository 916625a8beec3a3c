// The slow and obvious timeline: every question is answered second by second,
// node by node, share by share.
//
// It knows only the contract (maui/*.h): who holds what from when to when, which
// company a node's users bear, what reservations keep from whom.  Nothing of
// src/sched is used, so that both can be wrong only in different ways.
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

  /// The job uses its placement from `start` on, for its limit.
  void hold(const Job& job, const Request& request, const Placement& placement, Time start);
  void release(JobId job);

  /// Tasks of the requirement that the node can take at that very second.
  int tasks_at(NodeId node, const Job& job, const Request& request, const Requirement& requirement,
               Time when) const {
    return tasks_at(node, job, request, requirement, when, when, request.limit);
  }
  /// The same for a job that runs in [start, start + duration): what time limits of access look at.
  int tasks_at(NodeId node, const Job& job, const Request& request, const Requirement& requirement,
               Time when, Time start, Seconds duration) const;
  /// True if some placement on the nodes of one partition serves the whole request from `start` on.
  bool fits(const Job& job, const Request& request, Time start, Seconds duration);
  /// The first second in [from, not_after] at which it fits; nothing changes after horizon().
  std::optional<Time> earliest(const Job& job, const Request& request, Time from,
                               Time not_after = kForever);
  /// Why this placement does not serve the request from `start` on, or nothing.
  std::optional<std::string> objection(const Job& job, const Request& request,
                                       const Placement& placement, Time start, Seconds duration);
  /// Which node and second is promised twice, or kept for two who may not meet; or nothing.
  std::optional<std::string> conflict() const;
  /// From then on everything stays as it is.
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
  Seconds down_for_;           // how long nodes that are down stay so
  std::vector<char> allowed_;  // by node, while a choice of nodes is tried; empty: all
  std::vector<Claim> claims_;
  std::vector<Block> blocks_;
};

}  // namespace maui::test
