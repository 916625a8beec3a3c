// The future of one node as a standing reservation sees it: the uses over time, and what other
// reservations keep from jobs that they do not admit.
//
// A Use stands for a running job or a priority reservation.  A Block stands for an administrative
// or standing reservation; a job that it admits runs inside it, so the job's use is not subtracted
// twice.
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
  bool limited = false;  // counts towards the node's MAXJOB and MAXJOBPERUSER
  bool closure = false;  // no job: the node takes no jobs
};

struct Block {
  Time start{0}, end{0};
  ReservationId reservation;
  Resources amount;
};

/// The job that looks at a node; its own uses do not conflict with it.
struct Viewer {
  AccessSet set = 0;
  JobId self;
  UserId user;
  int max_jobs_per_user = 0;  // of the node; 0: no limit
  bool users_matter = true;   // SINGLEUSER is in use
};

class NodeLine {
 public:
  std::vector<Use> uses;
  std::vector<Block> blocks;

  /// Writes the node's profile from `now` on as one viewer sees it.  The viewer's own uses take
  /// resources but do not count as other jobs.  If the viewer's user has reached the job limit of
  /// the node, the node counts as exclusive.
  void profile(Time now, const Resources& configured, std::size_t consumables, const Viewer& viewer,
               const AccessSets& sets, Profile& out) const;

 private:
  Presence free_at(Time when, const Viewer& viewer, const AccessSets& sets, Resources& free) const;
};

}  // namespace maui
