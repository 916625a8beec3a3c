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

/// What bears on a task at one moment, for the jobs of one access set.
struct Moment {
  Resources free;       // may be below zero where reservations overlap
  bool closed = false;  // a dedicated job is there
  bool whole = true;    // nobody is there, and nothing is kept from us
  bool several = false; // jobs of more than one user are there
  UserId user;          // the user whose jobs are there
  UserId owner;         // the user who has the node to himself (SINGLEUSER)
  friend bool operator==(const Moment&, const Moment&) = default;
};

/// A job's question to a node: this requirement, for so long, on these terms.
struct Ask {
  const Request* request = nullptr;
  const Requirement* requirement = nullptr;
  std::uint32_t index = 0;  // of the requirement in the request
  RequestId id;             // of the request, where it is a known one
  JobId job;                // what it uses already does not stand in its own way
  UserId user;
  AccessSet set = 0;
  Seconds duration{1};
};

/// Tasks of `ask` that fit at one moment, on a node with that rule of access.
int tasks_at(const Moment& moment, const Ask& ask, NodeAccess access);

class NodeLine {
 public:
  std::vector<Use> uses;
  std::vector<Block> blocks;

  Moment at(Time when, const Resources& configured, AccessSet set, JobId self,
            const AccessSets& sets) const;
  /// The times after `now` at which anything begins or ends, in order.
  void boundaries(Time now, std::vector<Time>& out) const;
};

/// The worst of two moments in every respect: what holds throughout both.
Moment worst(const Moment& a, const Moment& b);

}  // namespace maui
