// URLs in parameters that name a source of text: "exec://PROGRAM" or "file://PATH".
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "maui/result.h"

namespace maui {

struct ProgramUrl {
  bool is_file = false;                     // the file is read, else the program is run
  std::string path;                         // as given; a relative one is in tools/
  std::vector<std::string> arguments = {};  // exec://PROGRAM?ONE&TWO
};

/// Parses a URL.  Drops "$TOOLSDIR/" before a path, since tools/ is the default directory anyway.
Result<ProgramUrl> parse_program_url(std::string_view text);

}  // namespace maui
