// The site's programs that parameters name, the scripts that triggers submit, and the paths where
// the scheduler looks for each.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/program_url.h"
#include "maui/result.h"
#include "maui/settings.h"

namespace maui {

struct ProgramSetting {
  std::string parameter;
  std::vector<std::string> places;  // in search order; never empty
  bool submitted = false;           // a job script, which is read, not run
  bool read = false;                // a file with the answer, read instead of run
};

/// Returns a ProgramSetting for each parameter that names a program or a script.
std::vector<ProgramSetting> program_settings(const Settings& settings, const std::string& home);

/// Returns the first place with an executable program or, for a script, a readable file; an error
/// names the first place of the list.
Result<std::string> first_usable(const ProgramSetting& setting);
/// Finds the program that a parameter names: an absolute path, or a name below tools/ of the home
/// directory, or below the home directory itself.  Returns an error if none is executable.
Result<std::string> find_program(std::string_view name, const std::string& home);
/// Finds the script that a trigger submits, in the same places as programs.
Result<std::string> find_script(std::string_view name, const std::string& home);
/// Returns the path of a program in PATH; empty: not found.
std::string program_on_path(std::string_view name);
/// Returns the first of qsub, sbatch and llsubmit that is in PATH, to submit a script; or empty.
std::string submit_program();
/// Returns the place that a URL names: the first usable place, or else the first of all.
std::string place_of_url(const ProgramUrl& url, const std::string& home);
/// Returns the path of NODEALLOCATIONPROGRAM, which is not searched for in tools/; empty: none.
std::string node_program_path(const Settings& settings, const std::string& home);

}  // namespace maui
