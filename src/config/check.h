// The check of a configuration as a whole: its errors and warnings.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "config/configuration.h"

namespace maui {

/// Why the scheduler cannot run on the resource managers that are configured: a kind that cannot be
/// driven, no port, no key.  In a simulation they have no say, and nothing is wrong with them; nor
/// is anything concluded from parameters of which a line is wrong.
std::vector<std::string> resource_manager_problems(const Reading& reading);

/// Everything there is to say of a configuration file, one after the other, and how much of it
/// keeps the scheduler from starting.
class ConfigCheck {
 public:
  explicit ConfigCheck(std::string path) : path_(std::move(path)) {}

  /// Adds the errors and warnings of its lines, one by one and together.
  void add(const Reading& reading);
  void error(std::string_view what);
  void warning(std::string_view what);

  bool passed() const { return errors_ == 0; }
  const std::vector<std::string>& lines() const { return lines_; }
  /// "maui.cfg: 1 error, no warnings: the scheduler would refuse it".
  std::string verdict() const;

 private:
  std::string path_;
  std::vector<std::string> lines_;
  int errors_ = 0, warnings_ = 0;
};

}  // namespace maui
