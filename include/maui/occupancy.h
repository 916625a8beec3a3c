// The jobs and reservations on a node, and what they leave of it.
#pragma once
#include <cstdint>
#include <vector>

#include "maui/node.h"
#include "maui/request.h"
#include "maui/resources.h"
#include "maui/units.h"

namespace maui {

/// True if a job with this access shares its nodes with no other job.
inline bool excludes_others(NodeAccess access) {
  return access == NodeAccess::dedicated || access == NodeAccess::single_task;
}

/// One active job's use of one node.  `access` is the node's own rule (NODECFG) if it has one, else
/// the request's.  `access` alone decides which jobs may join: a dedicated or single_task occupant
/// has the whole node to itself, though `amount` is only what its tasks use.
struct Occupant {
  JobId job;
  UserId user;
  NodeAccess access = NodeAccess::shared;
  std::int32_t tasks = 0;
  Resources amount;  // total of its tasks on this node
  Time ends{0};      // by its wallclock limit
  friend bool operator==(const Occupant&, const Occupant&) = default;
};

/// The state of one node that decides whether work can be placed on it now.
struct Occupancy {
  /// True if an occupant shares the node with no other job.
  bool exclusive() const {
    for (const Occupant& occupant : occupants)
      if (excludes_others(occupant.access)) return true;
    return false;
  }
  /// True if the node may take a further job that needs a processor.
  bool open() const { return available && !closed && free.procs() > 0 && !exclusive(); }

  std::uint32_t kind = 0;           // nodes of one kind are equal in all that a request can ask for
  bool available = false;           // Node::available()
  bool closed = false;              // no new jobs for now: load too high
  std::vector<Occupant> occupants;  // in order of start
  std::vector<ReservationId> reservations;  // in order of creation; none of active jobs
  Resources free;                           // configured, less held, less withheld
  /// Resources that no job holds but that jobs cannot have, since other load uses them (guide 10,
  /// NODELOADPOLICY, RESOURCEAVAILABILITYPOLICY).
  Resources withheld;
  friend bool operator==(const Occupancy&, const Occupancy&) = default;
};

/// Returns the state that a node shows to users: the jobs on an available node make it idle,
/// running or busy.
NodeState shown_state(NodeState reported, const Occupancy& here);

}  // namespace maui
