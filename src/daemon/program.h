// The program `maui`: from its command line to its exit status.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace maui {

/// 0: ended as it should; 1: it cannot run, and standard error says why; 2: wrong usage.  `called`:
/// the name that the program was started by, which may be that of a command without a server
/// (profiler); these are also its first word (maui compare).
int run_program(std::string_view called, std::span<const std::string> words,
                std::string_view version);

}  // namespace maui
