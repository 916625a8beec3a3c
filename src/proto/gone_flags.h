// Flags of release 3.3 that do not exist any more, and what to use instead.
#pragma once
#include <string_view>

namespace maui {

struct GoneFlag {
  std::string_view command;  // its own name: diagnose, even if typed as mdiag
  char letter;
  std::string_view instead;  // the predicate of a sentence about the flag
};

inline constexpr GoneFlag kGoneFlags[] = {
    {"diagnose", 's', "is not there: diagnose -r shows standing reservations, too"},
    {"mjobctl", 'S', "is not there: jobs are submitted to their resource manager"},
    {"schedctl", 'f',
     "is not there: to try a failure, end the resource manager, such as wiki_rm serve"},
    {"schedctl", 'i',
     "is not there: resource managers are initialised when they answer; schedctl -R reads the "
     "configuration again"},
    {"schedctl", 'j',
     "is not there: jobs are submitted to their resource manager, and to a simulation in "
     "SIMWORKLOADTRACEFILE"},
    {"setres", 'j',
     "is not there: job attributes give access to standing reservations (SRCFG JOBATTRLIST)"},
};

/// Returns nullptr if release 3.3 had no such flag, or the flag still exists.
constexpr const GoneFlag* gone_flag(std::string_view command, char letter) {
  for (const GoneFlag& flag : kGoneFlags)
    if (flag.command == command && flag.letter == letter) return &flag;
  return nullptr;
}

}  // namespace maui
