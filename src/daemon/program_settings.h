// The programs of the site that parameters name, and where each is looked for.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "maui/result.h"
#include "maui/settings.h"

namespace maui {

struct ProgramSetting {
  std::string parameter;
  std::vector<std::string> places;  // in the order in which they are tried; never empty
};

/// One for each parameter that names a program.
std::vector<ProgramSetting> program_settings(const Settings& settings, const std::string& home);

/// The first of `places` that can be run; an error names the first of them all.
Result<std::string> first_runnable(const std::vector<std::string>& places);
/// Finds the program that a parameter names: as given if absolute, else below tools/ of the home
/// directory, or below that itself.  Says why if there is none that can be run.
Result<std::string> find_program(std::string_view name, const std::string& home);
/// The place of NODEALLOCATIONPROGRAM, which is not looked for in tools/; empty: there is none.
std::string node_program_path(const Settings& settings, const std::string& home);

}  // namespace maui
