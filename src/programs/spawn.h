// Starts another program, without a shell.
#pragma once
#include <sys/types.h>

#include <string>
#include <vector>

#include "maui/result.h"

namespace maui {

/// Descriptors that become the program's standard input, output and error; -1: /dev/null.  No other
/// of ours reaches it.
struct StandardFiles {
  int input = -1, output = -1, error = -1;
};

/// The owner of a program decides on its environment: ours has all of our own, the site's a few
/// names (PATH, HOME, LANG, TZ, ...), so that it does not matter who started the scheduler.
enum class Whose { ours, site };

/// Starts the program at the path `program` in a process group of its own, with all signals as by
/// default.  `variables`: "NAME=VALUE" of its environment, beside those that are its own.  The
/// caller waits for its end.
Result<pid_t> spawn(const std::string& program, const std::vector<std::string>& arguments,
                    const StandardFiles& files, Whose whose,
                    const std::vector<std::string>& variables = {});

/// A descriptor that becomes readable when this child of ours ends.
Result<int> watch_end(pid_t child);

/// Ends whatever runs in the program's group.
void kill_group(pid_t leader);

}  // namespace maui
