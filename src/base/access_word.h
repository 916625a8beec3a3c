// An entry of an access list as users write it: [!]NAME[+|-|=][*] (seed 7.1.5.2.4).
#pragma once
#include <string_view>

#include "maui/settings/standing_reservations.h"

namespace maui {

/// Parses the name and its marks, whose order after the name does not matter; it may be empty.
/// Both ways to name everybody, ALL and [ALL], give ALL.
AccessWord parse_access_word(std::string_view word);

}  // namespace maui
