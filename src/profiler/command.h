// profiler, also called mprof: what ran in the past, from files (guide 9.2.2, G).
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace maui::profiler {

/// The exit status; options.h has its meaning.  `words`: without the program's name.
int run_profiler(std::span<const std::string> words, std::string_view version);

}  // namespace maui::profiler
