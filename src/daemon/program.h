// The program `maui`: from its command line to its exit status.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace maui {

struct Release {
  std::string_view version;
  std::string_view built_with;  // compiler and libraries, for --version
};

/// 0: ended as it should; 1: it cannot run, and standard error says why; 2: wrong usage.  `called`:
/// the name that the program was started by, which may be that of a command without a server
/// (profiler); these are also its first word (maui compare).
int run_program(std::string_view called, std::span<const std::string> words,
                const Release& release);

}  // namespace maui
