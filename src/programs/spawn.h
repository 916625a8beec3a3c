// Starts another program, without a shell.
#pragma once
#include <sys/types.h>

#include <string>
#include <vector>

#include "maui/result.h"

namespace maui {

/// Descriptors that become the program's standard input, output and error; -1: /dev/null.  The
/// program inherits no other descriptor.
struct StandardFiles {
  int input = -1, output = -1, error = -1;
};

/// The owner of a program determines its environment: programs of maui inherit everything, programs
/// of the site a few variables (PATH, HOME, LANG, TZ, ...), whoever started the scheduler.
enum class Whose { ours, site };

/// Starts the program at the path `program` in its own process group, with default signal handling.
/// `variables`: "NAME=VALUE" entries added to its environment.  The caller must wait for the
/// process to end.
Result<pid_t> spawn(const std::string& program, const std::vector<std::string>& arguments,
                    const StandardFiles& files, Whose whose,
                    const std::vector<std::string>& variables = {});

/// Returns a descriptor that becomes readable when this child process ends.
Result<int> watch_end(pid_t child);

/// Kills all processes in the program's group.
void kill_group(pid_t leader);

}  // namespace maui
