// How the scheduler reacts to a fault of its own (guide 9.2, CRASHMODE): a signal that only a
// defect raises, a failed assertion or an unexpected exception.
//
// The scheduler names the signal in its own log and in the system log.  Then CRASHMODE decides:
//   end      the signal's default action: the process ends, with a core where the machine allows
//   restart  the process restarts from its command line and keeps its locks, unless its first
//            iteration has not ended: a fault that occurs at once would occur after every restart
//   stop     the process stops until a debugger, or SIGCONT, lets it continue to its end
// Signals are per process, and so is the state kept here.
#pragma once
#include <string>
#include <vector>

#include "maui/settings/server.h"

namespace maui {

struct FaultPlan {
  CrashMode mode = CrashMode::end;
  std::string log_file;                   // empty: standard error
  std::vector<std::string> command_line;  // without the program's name
  std::vector<int> kept{};                // descriptors that stay open when it restarts
};

/// Sets the reaction to faults from now on; may be called again with another plan.
void handle_faults(FaultPlan plan);
/// Restarts from the command line, as after a fault but in every mode: gives up work under way and
/// restores the checkpoint.  Returns if no iteration has ended yet, or after never_begin_anew().
void begin_anew_unless_at_once();
/// True if begin_anew_unless_at_once() restarts.
bool can_begin_anew();
/// From now on, this process ends instead of restarting: a new program would lack its privileges.
void never_begin_anew();

/// Notes that an iteration has ended.
void survived_iteration();
bool has_survived_iteration();

}  // namespace maui
