// The command line of the scheduler itself.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "maui/result.h"

namespace maui {

struct ProgramOptions {
  bool help = false, version = false, foreground = false;
  bool generate_key = false, check_config = false;
  std::string config_file;       // -C, or the file to check
  std::optional<int> log_level;  // -L
};

Result<ProgramOptions> parse_program_options(std::span<const std::string> words);
std::string program_usage();

}  // namespace maui
