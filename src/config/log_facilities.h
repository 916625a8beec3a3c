// The facilities of log messages (appendix F, LOGFACILITY).
#pragma once
#include <algorithm>
#include <string_view>

#include "base/text.h"

namespace maui::config {

inline constexpr std::string_view kLogFacilities =
    "fCORE fSCHED fSOCK fUI fLL fSDR fCONFIG fSTAT fSIM fSTRUCT fFS fCKPT fBANK fRM fPBS fWIKI "
    "fALL";

/// Facilities of interfaces that this scheduler does not have: LoadLeveler and the data repository
/// of the SP.
inline constexpr std::string_view kSilentFacilities = "fLL fSDR";

inline bool is_silent_facility(std::string_view name) {
  const auto silent = words(kSilentFacilities);
  return std::any_of(silent.begin(), silent.end(),
                     [&](std::string_view facility) { return same_word(facility, name); });
}

inline bool is_log_facility(std::string_view name) {
  const auto known = words(kLogFacilities);
  return std::any_of(known.begin(), known.end(),
                     [&](std::string_view facility) { return same_word(facility, name); });
}

}  // namespace maui::config
