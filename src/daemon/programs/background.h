// Runs the scheduler in the background: the program that was started waits until the scheduler is
// ready or has failed with a message, and reports the outcome by its exit status.
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
  /// Detaches from the terminal.  Does nothing in the foreground.
  void ready();

 private:
  int ready_pipe_ = -1;  // the waiting program reads from the other end
};

}  // namespace maui
