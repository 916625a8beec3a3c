// Flags of release 3.3 that are not there, and what to use instead.
#pragma once
#include <string_view>

namespace maui {

struct GoneFlag {
  std::string_view command;  // by its own name: diagnose, also where mdiag is typed
  char letter;
  std::string_view instead;  // a sentence about the flag, without its subject
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

/// Nullptr: there never was such a flag.
constexpr const GoneFlag* gone_flag(std::string_view command, char letter) {
  for (const GoneFlag& flag : kGoneFlags)
    if (flag.command == command && flag.letter == letter) return &flag;
  return nullptr;
}

}  // namespace maui
