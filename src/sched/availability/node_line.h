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
#include "sched/availability/access_sets.h"
#include "sched/availability/profile.h"
#include "sched/placement/attraction.h"

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

/// Whom a node bears, for one question.
struct Terms {
  NodeAccess access = NodeAccess::shared;
  int max_jobs = 0;  // MAXJOB; 0: no limit
};

/// Who looks at a node: what he uses already is no company to him.
struct Viewer {
  AccessSet set = 0;
  JobId self;
  UserId user;
  int max_jobs_per_user = 0;  // of the node; 0: no limit
  bool users_matter = true;   // SINGLEUSER is in use
};

/// A job's question to a node: this requirement, for so long, on these terms.
struct Ask {
  const Job* of = nullptr;
  const Request* request = nullptr;
  const Requirement* requirement = nullptr;
  std::uint32_t index = 0;                   // of the requirement in the request
  const TaskSize* size = nullptr;            // of one of its tasks
  const std::vector<char>* kinds = nullptr;  // which kinds of nodes could serve it
  JobId job;                                 // what it uses already does not stand in its way
  UserId user;
  AccessSet set = 0;
  Seconds duration{1};  // for which there must be room
  Seconds stay{1};      // of the job itself
  std::uint32_t question =
      0;  // the number of those that differ in tasks and duration only; 0: none
};

/// Tasks of `ask` that fit at one level of a node with those terms.
int tasks_at(const Profile& profile, std::size_t level, const Ask& ask, const Terms& terms);

bool exclusive(NodeAccess access);

class NodeLine {
 public:
  std::vector<Use> uses;
  std::vector<Block> blocks;

  /// How the node draws jobs of the set that begin then.
  Attraction attraction(Time when, AccessSet set, const AccessSets& sets) const;

  /// The node as one viewer sees it from `now` on; he does not see his own uses as company, though
  /// he does miss what they take.  Where his user has as many jobs there as may be, it is
  /// exclusive.
  void profile(Time now, const Resources& configured, std::size_t consumables, const Viewer& viewer,
               const AccessSets& sets, Profile& out) const;

 private:
  Presence free_at(Time when, const Viewer& viewer, const AccessSets& sets, Resources& free) const;
};

}  // namespace maui
