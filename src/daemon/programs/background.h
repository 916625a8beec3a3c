// Going to the background: the program that was started waits until the scheduler is ready, or has
// failed with a message, and says so by its exit status.
#pragma once
#include "maui/result.h"

namespace maui {

/// True if the process has a terminal: false in the background, and once the terminal was closed.
bool has_terminal();

class Background {
 public:
  Background() = default;
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  /// Returns in the scheduler; the program that was started ends when it is ready or gone.
  Status go();
  /// Lets go of the terminal.  Does nothing in the foreground.
  void ready();

 private:
  int ready_pipe_ = -1;  // whoever waits reads from its other end
};

}  // namespace maui
