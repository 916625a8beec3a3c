// Runs FEEDBACKPROGRAM and NOTIFICATIONPROGRAM with their arguments (guide 14.4, 17.1), and the
// programs that triggers of reservations execute (seed 7.1.5.2).
#pragma once
#include <functional>
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
  /// the first of qsub, sbatch and llsubmit that exists; refused if `may_submit` is false.  Calls
  /// `begun` once the program has been started, or cannot be.
  void trigger(const Trigger& trigger, const Reservation& reservation, const std::string& home,
               bool may_submit, std::function<void()> begun);
  bool busy() const { return runner_.busy(); }
  bool running() const { return runner_.running() > 0; }
  bool crowded() const { return runner_.crowded(); }
  /// Returns which programs run and how many wait, for the log; empty: none.
  std::string underway() const;
  /// Starts no more programs: the scheduler ends.
  void start_no_more() { runner_.start_no_more(); }
  /// Kills the programs that run, and logs what is not run any more; `kept`: a checkpoint keeps the
  /// triggers whose programs have not begun.  Call start_no_more() before.
  void end(bool kept);

 private:
  std::string found(std::string_view parameter, const std::string& name, const std::string& home);
  void run(SiteCall call);
  void log_left_out(bool now);

  Log log_;
  ProgramRunner runner_;
  std::string feedback_, notification_;  // their paths; empty: none
};

}  // namespace maui
