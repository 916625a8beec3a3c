// One node's future as a standing reservation sees it: who uses how much of it from when to when,
// and what reservations keep of it from those whom they do not admit.
//
// Use stands for a job: one that runs, or one that holds a priority reservation.  Block stands for
// an administrative or standing reservation; a job that it admits works inside it, so that what
// such a job uses is not kept from others a second time.
#pragma once
#include <vector>

#include "maui/cluster.h"
#include "sched/availability/access_sets.h"
#include "sched/availability/profile.h"

namespace maui {

struct Use {
  Time start{0}, end{0};
  JobId job;
  UserId user;
  NodeAccess access = NodeAccess::shared;
  AccessSet set = 0;  // the reservations that admit the job
  Resources amount;
  bool limited = false;  // it counts towards the node's MAXJOB and MAXJOBPERUSER
  bool closure = false;  // nobody's: the node takes no jobs
};

struct Block {
  Time start{0}, end{0};
  ReservationId reservation;
  Resources amount;
};

/// The job that looks at a node: its own uses are no company to it.
struct Viewer {
  AccessSet set = 0;
  JobId self;
  UserId user;
  int max_jobs_per_user = 0;  // of the node; 0: no limit
  bool users_matter = true;   // SINGLEUSER is in use
};

bool exclusive(NodeAccess access);

class NodeLine {
 public:
  std::vector<Use> uses;
  std::vector<Block> blocks;

  /// The node as one viewer sees it from `now` on; he does not see his own uses as company, though
  /// he does miss what they take.  Where his user has as many jobs there as may be, it is
  /// exclusive.
  void profile(Time now, const Resources& configured, std::size_t consumables, const Viewer& viewer,
               const AccessSets& sets, Profile& out) const;

 private:
  Presence free_at(Time when, const Viewer& viewer, const AccessSets& sets, Resources& free) const;
};

}  // namespace maui
