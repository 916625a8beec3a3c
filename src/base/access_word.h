// An entry of an access list as people write it: [!]NAME[+|-|=][*] (seed 7.1.5.2.4).
#pragma once
#include <string_view>

#include "maui/settings/standing_reservations.h"

namespace maui {

/// The name and its marks, those behind it in any order; the name may be empty.
AccessWord parse_access_word(std::string_view word);

}  // namespace maui
