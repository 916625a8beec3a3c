// Conduct after a fault of the scheduler itself (guide 9.2, CRASHMODE): a signal that only a
// defect raises, a failed assertion and an exception that nobody expected included.
//
// A line in the log and one in the system's log say which signal it was.  Then, as the mode says:
//   end      what the signal does by itself: the process ends, with a core where the machine allows
//   restart  the same process begins anew, from its command line, unless it has not come through
//            its first iteration: what fails at once would fail for ever
//   stop     it stands still until a debugger, or SIGCONT, lets it go on to its end
// Signals belong to the process, and so does the state kept here.
#pragma once
#include <string>
#include <vector>

#include "maui/settings/server.h"

namespace maui {

struct FaultPlan {
  CrashMode mode = CrashMode::end;
  std::string log_file;                   // empty: standard error
  std::vector<std::string> command_line;  // without the program's name
};

/// From now on; may be called again with another plan.
void handle_faults(FaultPlan plan);
/// Begins anew from the command line, as after a fault, whatever the mode: what was under way is
/// given up, and the checkpoint is restored.  Returns where no iteration has come to its end.
void begin_anew_unless_at_once();

/// An iteration is over.
void survived_iteration();

}  // namespace maui
