// One node's future: who uses how much of it from when to when, and what
// reservations keep of it from those whom they do not admit.
//
// Use stands for a job: one that runs, one that this cycle starts, or one that
// holds a priority reservation.  Block stands for an administrative or standing
// reservation; a job that it admits works inside it, so that what such a job
// uses is not kept from others a second time.
#pragma once
#include <vector>

#include "maui/cluster.h"
#include "sched/access_sets.h"
#include "sched/profile.h"

namespace maui {

struct Use {
  Time start{0}, end{0};
  JobId job;
  UserId user;
  NodeAccess access = NodeAccess::shared;
  AccessSet set = 0;  // the reservations that admit the job
  Resources amount;
};

struct Block {
  Time start{0}, end{0};
  ReservationId reservation;
  Resources amount;
};

/// A job's question to a node: this requirement, for so long, on these terms.
struct Ask {
  const Request* request = nullptr;
  const Requirement* requirement = nullptr;
  std::uint32_t index = 0;                   // of the requirement in the request
  const TaskSize* size = nullptr;            // of one of its tasks
  const std::vector<char>* kinds = nullptr;  // which kinds of nodes could serve it
  JobId job;                                 // what it uses already does not stand in its way
  UserId user;
  AccessSet set = 0;
  Seconds duration{1};
};

/// Tasks of `ask` that fit at one level of a node with that rule of access.
int tasks_at(const Profile& profile, std::size_t level, const Ask& ask, NodeAccess access);

bool exclusive(NodeAccess access);

class NodeLine {
 public:
  std::vector<Use> uses;
  std::vector<Block> blocks;

  /// How much a job of the set that begins then is drawn to the node: by the reservations that
  /// admit it, the least of them; neutral where there are none.
  Affinity affinity(Time when, AccessSet set, const AccessSets& sets) const;

  /// The node as the jobs of one access set see it from `now` on; `self` does not see its own uses
  /// as company, though it does miss what they take.
  void profile(Time now, const Resources& configured, std::size_t consumables, AccessSet set,
               JobId self, const AccessSets& sets, Profile& out) const;

 private:
  Presence free_at(Time when, AccessSet set, JobId self, const AccessSets& sets,
                   Resources& free) const;
};

}  // namespace maui
