// URLs in parameters that say where text comes from: "exec://PROGRAM" or "file://PATH".
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "maui/result.h"

namespace maui {

struct ProgramUrl {
  bool is_file = false;                     // it is read; else it is run
  std::string path;                         // as it is given; without '/' before it, one of tools/
  std::vector<std::string> arguments = {};  // exec://PROGRAM?ONE&TWO
};

/// Reads one.  "$TOOLSDIR/" before a path is the directory that programs are looked for in anyway.
Result<ProgramUrl> parse_program_url(std::string_view text);

}  // namespace maui
