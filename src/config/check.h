// Checks a configuration as a whole and collects its errors and warnings.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "config/configuration.h"

namespace maui {

/// Returns why the scheduler cannot run on the configured resource managers: a type that it cannot
/// drive, no port, no key.  Returns nothing in a simulation, which does not use them, or if a line
/// that sets SERVERMODE, SERVERPORT or a resource manager has an error.
std::vector<std::string> resource_manager_problems(const Reading& reading);

/// Collects all messages about a configuration file, in order, and counts the errors, which keep
/// the scheduler from starting.
class ConfigCheck {
 public:
  explicit ConfigCheck(std::string path) : path_(std::move(path)) {}

  /// Adds the errors and warnings about single lines and about the configuration as a whole.
  void add(const Reading& reading);
  void add(const Diagnostic& diagnostic);
  void error(std::string_view what);
  void warning(std::string_view what, int line = 0);

  bool passed() const { return errors_ == 0; }
  const std::vector<std::string>& lines() const { return lines_; }
  /// Returns "maui.cfg: 1 error, no warnings: the scheduler would refuse it".
  std::string verdict() const;

 private:
  std::string path_;
  std::vector<std::string> lines_;
  int errors_ = 0, warnings_ = 0;
};

}  // namespace maui
