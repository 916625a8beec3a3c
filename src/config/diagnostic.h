// A message about a configuration, issued while the configuration is read.
#pragma once
#include <string>

namespace maui {

/// Says where the input is wrong and what the parser expected there.
struct Diagnostic {
  std::string file;
  int line = 0;  // 0: not about a single line
  std::string message;
  bool warning = false;  // the configuration can still be used
  /// Returns "maui.cfg:12: BACKFILLPOLICY: ..." ; a warning begins with "WARNING:".
  std::string text() const;
};

}  // namespace maui
