// The log of a world.
#pragma once
#include <functional>
#include <string_view>

namespace maui {

struct WorldLog {
  std::function<void(int level, std::string_view facility, std::string_view text)> write;
  /// True if a line of that level may be wanted; others need not be composed.
  std::function<bool(int level)> wants = [](int level) { return level == 0; };
  void operator()(int level, std::string_view facility, std::string_view text) const {
    write(level, facility, text);
  }
};

}  // namespace maui
