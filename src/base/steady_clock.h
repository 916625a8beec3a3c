// A clock that cannot be set, as a value, so that a test can substitute its own.
#pragma once
#include <chrono>
#include <functional>

namespace maui {

using SteadyClock = std::function<std::chrono::steady_clock::time_point()>;

}  // namespace maui
