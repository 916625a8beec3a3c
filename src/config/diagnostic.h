// A message about a configuration, made while it is read.
#pragma once
#include <string>

namespace maui {

/// Says where the input is wrong and what was expected there.
struct Diagnostic {
  std::string file;
  int line = 0;  // 0: not of a line
  std::string message;
  bool warning = false;  // it is said, and the configuration stands
  /// "maui.cfg:12: BACKFILLPOLICY: ..." ; a warning begins with "WARNING:".
  std::string text() const;
};

}  // namespace maui
