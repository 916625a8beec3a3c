// Replies of showhist: what the history knows of a period.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "maui/replies/queue.h"

namespace maui {

/// showhist: jobs that ended in the period, in the order of their ends.
struct HistoryReply {
  std::int64_t now = 0, since = 0, until = 0;
  std::vector<CompletedRow> jobs;
  std::int64_t left_out = 0;  // earlier ones, where there are too many for an answer
  friend bool operator==(const HistoryReply&, const HistoryReply&) = default;
};

/// A reservation that is over, or has been changed since.
struct PastReservationRow {
  std::string name, type;           // type: standing or administrative
  std::int64_t start = 0, end = 0;  // as long as it stood
  std::int64_t nodes = 0, procs = 0;
  friend bool operator==(const PastReservationRow&, const PastReservationRow&) = default;
};

/// showhist -r
struct ReservationHistoryReply {
  std::int64_t now = 0, since = 0, until = 0;
  std::vector<PastReservationRow> reservations;
  friend bool operator==(const ReservationHistoryReply&, const ReservationHistoryReply&) = default;
};

/// The machine in one step of time: averages over it.
struct UtilisationRow {
  std::int64_t start = 0, duration = 0;  // duration: seconds of it in which the scheduler ran
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
