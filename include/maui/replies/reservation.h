// Replies of showres, setres and releaseres.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "maui/replies/dry_run.h"
#include "maui/replies/job.h"

namespace maui {

struct ReservationRow {
  std::string name, type;  // Job, User, Group, Account or System
  std::string job_state;   // of a job's reservation: Running, Starting, Idle; else empty
  std::int64_t start = 0;
  std::int64_t end = 0;  // -1: none
  std::int64_t nodes = 0, procs = 0;
  friend bool operator==(const ReservationRow&, const ReservationRow&) = default;
};

/// The number of reservations of one type, and the resources of those that are active.
struct ReservationSummary {
  std::string type;
  std::int64_t reservations = 0, active = 0, nodes = 0, procs = 0;
  friend bool operator==(const ReservationSummary&, const ReservationSummary&) = default;
};

/// showres
struct ReservationsReply {
  std::int64_t now = 0;
  bool verbose = false;
  std::vector<ReservationRow> reservations;
  bool relative = false;                         // -r, as in release 3.3 without effect on text
  std::vector<ReservationSummary> summary = {};  // with -s
  friend bool operator==(const ReservationsReply&, const ReservationsReply&) = default;
};

struct ReservedShare {
  std::string reservation, type, job_state;
  std::int64_t tasks = 0, start = 0;
  std::int64_t end = 0;  // -1: none
  friend bool operator==(const ReservedShare&, const ReservedShare&) = default;
};

struct ReservedNode {
  std::string node;
  std::vector<ReservedShare> shares;
  friend bool operator==(const ReservedNode&, const ReservedNode&) = default;
};

/// showres -n
struct ReservedNodesReply {
  std::int64_t now = 0;
  bool verbose = false, every_line = false;  // every_line: -g, the node's name on every line
  std::vector<ReservedNode> nodes;
  bool relative = false;  // -r, as in release 3.3 without effect on text
  friend bool operator==(const ReservedNodesReply&, const ReservedNodesReply&) = default;
};

struct ChartedNode {
  std::string node, state;
  std::vector<ReservedShare> shares;  // by reservation, as showres lists them
  friend bool operator==(const ChartedNode&, const ChartedNode&) = default;
};

/// showres --gantt: the reservations from `now` on, on each requested node.
struct ReservationChartReply {
  std::int64_t now = 0, until = 0;
  std::vector<ReservationRow> reservations;  // the reservations in the chart
  std::vector<ChartedNode> nodes;            // in the resource manager's order
  friend bool operator==(const ReservationChartReply&, const ReservationChartReply&) = default;
};

/// setres
struct ReservationCreatedReply {
  std::string name;
  std::int64_t start = 0;
  std::int64_t end = 0;  // -1: none
  std::int64_t tasks = 0;
  std::vector<NodeShare> nodes;
  std::optional<DryRun> dry_run = {};       // nothing was created
  std::vector<std::string> conflicts = {};  // jobs and reservations on the same nodes
  std::vector<std::string> notes = {};      // what may not have been meant
  friend bool operator==(const ReservationCreatedReply&, const ReservationCreatedReply&) = default;
};

struct ReleasedReservation {
  std::string name, type;
  bool done = false;
  std::string reason;  // why not
  friend bool operator==(const ReleasedReservation&, const ReleasedReservation&) = default;
};

/// releaseres.  The command released at least one reservation.
struct ReservationsReleasedReply {
  std::vector<ReleasedReservation> reservations;
  std::optional<DryRun> dry_run = {};  // nothing was released
  friend bool operator==(const ReservationsReleasedReply&,
                         const ReservationsReleasedReply&) = default;
};

}  // namespace maui
