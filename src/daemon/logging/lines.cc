#include "daemon/logging/lines.h"

namespace maui {

void Lines::write(int level, std::string_view facility, std::string_view text) {
  counts_.count(text);
  log_.write(level, facility, text);
}

void Lines::write_of(LineCause cause, std::string_view party, int level, std::string_view facility,
                     std::string_view text) {
  if (complete_ && cause != LineCause::client) return write(level, facility, text);
  counts_.count(text);
  bounded_.write(cause, party, level, facility, text, std::chrono::steady_clock::now());
}

}  // namespace maui
