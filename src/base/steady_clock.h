// A clock that nobody sets, as a value: a test has one of its own.
#pragma once
#include <chrono>
#include <functional>

namespace maui {

using SteadyClock = std::function<std::chrono::steady_clock::time_point()>;

}  // namespace maui
