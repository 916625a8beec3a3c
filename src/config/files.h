// Reads configuration files into values.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "config/contradictions.h"
#include "config/diagnostic.h"
#include "config/values.h"
#include "maui/result.h"

namespace maui::config {

/// Reads the text of a configuration file into `values`; returns the number of errors.  Adds the
/// parameters that wrong lines name to `doubtful`, if given.
std::size_t read_values(std::string_view text, const std::string& name, File file, Values& values,
                        std::vector<Diagnostic>& diagnostics, ParameterNames* doubtful);

/// Reads maui-private.cfg beside `config_path`, if there is one; returns the number of errors.  If
/// others than the file's owner and group can access it, that is an error.  A file that this
/// process may not read counts as empty, with a warning.
std::size_t read_private(const std::string& config_path, Values& secrets,
                         std::vector<Diagnostic>& diagnostics);

/// Reads fs.cfg of release 3.0.6 (USER:amy FSTARGET=25), `file` beside `config_path`; `values` take
/// precedence.  Returns the number of errors; a missing file is an error if `asked_for`.
std::size_t read_fairshare(const std::string& config_path, const std::string& file, bool asked_for,
                           Values& values, std::vector<Diagnostic>& diagnostics);

/// Reads machine.cfg of release 3.0.6 (node001 PARTITION=astronomy; guide 7.2.1) beside
/// `config_path`, if there is one; `values` take precedence.  Returns the number of errors.
std::size_t read_machine(const std::string& config_path, Values& values,
                         std::vector<Diagnostic>& diagnostics);

/// The size of the largest configuration file, in bytes: far more than a site writes, and read
/// within seconds, in which the scheduler answers nobody.
inline constexpr std::size_t kLargestFile = 4 << 20;
/// Reads a file or what a link leads to; waits for nobody, and refuses what is not a regular file
/// or larger than `largest` bytes.
Result<std::string> read_file(const std::string& path, std::size_t largest = kLargestFile);
Error refusal(const std::string& name, std::size_t errors);

}  // namespace maui::config
