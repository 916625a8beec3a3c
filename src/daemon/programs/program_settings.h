// The programs of the site that parameters name, and the scripts that triggers submit, and where
// each is looked for.
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
  std::vector<std::string> places;  // in the order in which they are tried; never empty
  bool submitted = false;           // a job's script, which is read, not run
  bool read = false;                // a file that has the answer: likewise
};

/// One for each parameter that names a program or a script.
std::vector<ProgramSetting> program_settings(const Settings& settings, const std::string& home);

/// The first place where there is one that can be run, or a script that can be read; an error names
/// the first of them all.
Result<std::string> first_usable(const ProgramSetting& setting);
/// Finds the program that a parameter names: as given if absolute, else below tools/ of the home
/// directory, or below that itself.  Says why if there is none that can be run.
Result<std::string> find_program(std::string_view name, const std::string& home);
/// Finds the script that a trigger submits, which is looked for as programs are.
Result<std::string> find_script(std::string_view name, const std::string& home);
/// The program that submits it, the first of qsub, sbatch and llsubmit that PATH has; empty: none.
std::string submit_program();
/// The place of what a URL names: the first that can be used, or else the first of all.
std::string place_of_url(const ProgramUrl& url, const std::string& home);
/// The place of NODEALLOCATIONPROGRAM, which is not looked for in tools/; empty: there is none.
std::string node_program_path(const Settings& settings, const std::string& home);

}  // namespace maui
