// FEEDBACKPROGRAM and NOTIFICATIONPROGRAM: what they are given (guide 14.4, 17.1); what triggers of
// reservations run (seed 7.1.5.2).
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

/// The sixteen arguments of guide 17.1 for a job that has ended and is still known.  There being no
/// other, the user's name is his mail address; what nobody
/// measured is 0.  Memory is in MB a task.
std::vector<std::string> feedback_arguments(const Cluster& cluster, const Job& job);

/// The words after the program's name for a trigger that executes one.
std::vector<std::string> trigger_arguments(const Trigger& trigger, const Reservation& reservation);

/// "JOBHOLD:" and the words of the event (docs/decisions/site-programs.md).
std::vector<std::string> notification_arguments(const Event& event);

class SitePrograms {
 public:
  using Log = std::function<void(int level, std::string_view text)>;

  SitePrograms(boost::asio::io_context& io, ProgramLimits limits, Log log);

  /// Looks for the programs; one that is not there, or cannot be run, is left out.
  void configure(const JobSettings& settings, const std::string& home);
  bool wants_events() const { return !notification_.empty(); }
  void job_ended(const Cluster& cluster, const Job& job);
  void event(const Event& event);
  /// exec: the program is given the reservation's name and the event.  submit: the first of qsub,
  /// sbatch and llsubmit that is there gets the script; where `may_submit` is false, none.
  void trigger(const Trigger& trigger, const Reservation& reservation, const std::string& home,
               bool may_submit);
  bool busy() const { return runner_.busy(); }
  bool crowded() const { return runner_.crowded(); }

 private:
  std::string found(std::string_view parameter, const std::string& name, const std::string& home);
  void run(const std::string& program, std::vector<std::string> arguments);

  Log log_;
  ProgramRunner runner_;
  std::string feedback_, notification_;  // where they are; empty: none
};

}  // namespace maui
