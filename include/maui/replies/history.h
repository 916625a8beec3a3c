// Replies of showhist: the history of a period.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "maui/replies/queue.h"

namespace maui {

/// showhist: jobs that ended in the period, in order of end.
struct HistoryReply {
  std::int64_t now = 0, since = 0, until = 0;
  std::vector<CompletedRow> jobs;
  std::int64_t left_out = 0;  // number of earlier jobs, if too many for a reply
  friend bool operator==(const HistoryReply&, const HistoryReply&) = default;
};

/// A reservation that has ended, or its state before a change.
struct PastReservationRow {
  std::string name, type;           // type: standing or administrative
  std::int64_t start = 0, end = 0;  // while it was in effect
  std::int64_t nodes = 0, procs = 0;
  friend bool operator==(const PastReservationRow&, const PastReservationRow&) = default;
};

/// showhist -r
struct ReservationHistoryReply {
  std::int64_t now = 0, since = 0, until = 0;
  std::vector<PastReservationRow> reservations;
  friend bool operator==(const ReservationHistoryReply&, const ReservationHistoryReply&) = default;
};

/// The machine in one time step: averages over the step.
struct UtilisationRow {
  std::int64_t start = 0, duration = 0;  // duration: seconds of the step with the scheduler up
  double busy_procs = 0, up_procs = 0;
  double active_jobs = 0, waiting_jobs = 0;
  friend bool operator==(const UtilisationRow&, const UtilisationRow&) = default;
};

/// showhist -m
struct UtilisationHistoryReply {
  std::int64_t now = 0, since = 0, until = 0;
  std::int64_t step = 60;  // seconds
  std::vector<UtilisationRow> steps;
  friend bool operator==(const UtilisationHistoryReply&, const UtilisationHistoryReply&) = default;
};

}  // namespace maui
