// Log lines and events that concern more than one decision (guide 14.2; docs/manual/log.md lists
// the levels): nodes that go down and return, why each job waits, the outcome of an iteration.
#pragma once
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/engine_observer.h"
#include "maui/reservation.h"
#include "maui/resource_manager.h"

namespace maui {

struct EngineKnowledge;

/// The parties of lines about the iterations, and about reservations other than those of jobs,
/// which reports and users can cause in any number.
inline constexpr std::string_view kIterations = "iterations";
inline constexpr std::string_view kReservations = "reservations";

class Journal {
 public:
  /// Both must outlive the journal.
  Journal(const EngineKnowledge& known, EngineObserver& observer)
      : known_(known), observer_(observer) {}

  /// Calls `text` only if an observer wants the line.
  template <class Text>
  void log(int level, std::string_view facility, Text text) const {
    if (observer_.wants(level)) observer_.log(level, facility, text());
  }
  /// As log(), for a line that `party` can cause in any number.
  template <class Text>
  void log_of(LineCause cause, std::string_view party, int level, std::string_view facility,
              Text text) const {
    if (observer_.wants(level)) observer_.log_of(cause, party, level, facility, text());
  }
  /// As log(), for a line about a job, which its user can cause in any number.
  template <class Text>
  void log_of_job(JobId job, int level, std::string_view facility, Text text) const {
    if (observer_.wants(level))
      observer_.log_of(LineCause::job, user_of(job), level, facility, text());
  }
  /// As log(), for a line about what a resource manager reports.
  template <class Text>
  void log_report(std::string_view manager, int level, std::string_view facility, Text text) const {
    if (observer_.wants(level))
      observer_.log_of(LineCause::report, fmt::format("resource manager '{}'", manager), level,
                       facility, text());
  }
  /// As log(), for a line of fSCHED about a reservation: its job's user can cause any number, or
  /// anybody who may make reservations.
  template <class Text>
  void log_of_reservation(const Reservation& reservation, int level, Text text) const {
    if (reservation.kind == ReservationKind::job)
      log_of_job(reservation.job, level, "fSCHED", std::move(text));
    else
      log_of(LineCause::report, kReservations, level, "fSCHED", std::move(text));
  }
  /// Calls `words` only if an observer wants the event.
  template <class Words>
  void notify(EventType type, Words words) const {
    notify_of({}, type, std::move(words));
  }
  /// As notify(), for an event that `party` can cause in any number.
  template <class Words>
  void notify_of(std::string_view party, EventType type, Words words) const {
    if (observer_.wants_events()) observer_.event({type, words(), std::string(party)});
  }

  void step(std::string_view what) const;  // of this iteration
  void update(std::string_view manager, const Update& update) const;
  void node(NodeId id) const;
  void job(JobId id) const;
  /// Logs the nodes of `name`, which is a `what` ("job").
  void placement(std::string_view what, std::string_view name, const Placement& nodes) const;
  /// Logs a change of the node's state since `before`; if the node went down or came back, the
  /// change is also an event.  Returns true if the node went down.
  bool node_state(NodeId id, NodeState before) const;
  /// Logs the jobs and reservations on these nodes, which went down; each of them is an event.
  void lost_nodes(const std::vector<NodeId>& nodes) const;
  void priorities() const;
  /// Logs why each waiting job is not started: the limit that it would exceed, the reason that the
  /// plan gives, or whatever else blocks it.
  void rejections(Time now) const;
  void outcome() const;
  const std::string& user_of(JobId job) const;
  /// Returns the party of events about the reservation: the user of its job, or who made it.
  std::string_view party_of(const Reservation& reservation) const;

 private:
  const EngineKnowledge& known_;
  EngineObserver& observer_;
};

}  // namespace maui
