// The program `maui`, from command line to exit status.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace maui {

struct Release {
  std::string_view version;
  std::string_view built_with;  // compiler and libraries, for --version
};

/// Returns 0 after a normal end; 1 if it cannot run (standard error says why); 2 for wrong usage.
/// `called` is the name the program was started by, perhaps that of a command that needs no server
/// (profiler); such a name may also be the first word (maui compare).
int run_program(std::string_view called, std::span<const std::string> words,
                const Release& release);

}  // namespace maui
