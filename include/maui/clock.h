// The scheduler's only source of time.
#pragma once
#include "maui/units.h"

namespace maui {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Time now() const = 0;
};

}  // namespace maui
