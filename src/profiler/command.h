// Implements profiler (also mprof): statistics of past jobs, from files (guide 9.2.2, G).
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace maui::profiler {

/// Returns the exit status, as on the manual page.  `words` exclude the program's name.
int run_profiler(std::span<const std::string> words, std::string_view version);

}  // namespace maui::profiler
