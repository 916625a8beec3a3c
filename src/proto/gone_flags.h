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
    {"diagnose", 's', "no longer exists: diagnose -r also shows standing reservations"},
    {"mjobctl", 'S', "no longer exists: jobs are submitted to their resource manager"},
    {"schedctl", 'f',
     "no longer exists: to test a failure, end the resource manager, such as wiki_rm serve"},
    {"schedctl", 'i',
     "no longer exists: resource managers are initialised when they answer; schedctl -R reloads "
     "the configuration"},
    {"schedctl", 'j',
     "no longer exists: jobs are submitted to their resource manager, and to a simulation in "
     "SIMWORKLOADTRACEFILE"},
    {"showstats", 'd',
     "never changed what showstats prints; -L LEVEL reports the client's progress"},
    {"setres", 'j',
     "no longer exists: job attributes give access to standing reservations (SRCFG JOBATTRLIST)"},
};

/// Returns nullptr if release 3.3 had no such flag, or the flag still exists.
constexpr const GoneFlag* gone_flag(std::string_view command, char letter) {
  for (const GoneFlag& flag : kGoneFlags)
    if (flag.command == command && flag.letter == letter) return &flag;
  return nullptr;
}

}  // namespace maui
