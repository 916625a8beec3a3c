// Runs FEEDBACKPROGRAM and NOTIFICATIONPROGRAM with their arguments (guide 14.4, 17.1), and the
// programs that triggers of reservations execute (seed 7.1.5.2).
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "daemon/programs/program_runner.h"
#include "engine/events.h"
#include "maui/cluster.h"
#include "maui/settings/jobs.h"
#include "maui/settings/standing_reservations.h"

namespace maui {

/// Returns the sixteen arguments of guide 17.1 for a job that has ended but is still stored.  The
/// user's name stands in for the mail address, which is unknown; values that were
/// not measured are 0.  Memory is in MB per task.
std::vector<std::string> feedback_arguments(const Cluster& cluster, const Job& job);

/// Returns the arguments of a program that a trigger executes.
std::vector<std::string> trigger_arguments(const Trigger& trigger, const Reservation& reservation);

/// Returns "JOBHOLD:" or the like and the event's words (docs/decisions/site-programs.md).
std::vector<std::string> notification_arguments(const Event& event);

class SitePrograms {
 public:
  using Log = std::function<void(int level, std::string_view text)>;

  SitePrograms(boost::asio::io_context& io, ProgramLimits limits, Log log);

  /// Finds the programs; omits those that are missing or not executable.
  void configure(const JobSettings& settings, const std::string& home);
  bool wants_events() const { return !notification_.empty(); }
  void job_ended(const Cluster& cluster, const Job& job);
  void event(const Event& event);
  /// exec: runs a program with the reservation's name and the event.  submit: passes the script to
  /// the first of qsub, sbatch and llsubmit that exists; refused if `may_submit` is false.
  void trigger(const Trigger& trigger, const Reservation& reservation, const std::string& home,
               bool may_submit);
  bool busy() const { return runner_.busy(); }
  bool crowded() const { return runner_.crowded(); }

 private:
  std::string found(std::string_view parameter, const std::string& name, const std::string& home);
  void run(const std::string& program, std::vector<std::string> arguments);

  Log log_;
  ProgramRunner runner_;
  std::string feedback_, notification_;  // their paths; empty: none
};

}  // namespace maui
