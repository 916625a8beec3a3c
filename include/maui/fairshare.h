// The use that every credential has made of the cluster, window by window (guide 6.3.2).
//
// Amounts are processor seconds, or processor-equivalent seconds, as FSPOLICY
// says; tables are by number of the credential, and end with the last that used
// anything.
#pragma once
#include <algorithm>
#include <vector>

#include "maui/credential_kind.h"
#include "maui/units.h"

namespace maui {

struct FairshareWindow {
  Time start{0};      // a multiple of its length since the epoch
  Seconds length{0};  // FSINTERVAL when it began
  double total = 0;   // of all jobs, whatever credentials they have
  ByKind<std::vector<double>> used;
  friend bool operator==(const FairshareWindow&, const FairshareWindow&) = default;
};

struct FairshareHistory {
  std::vector<FairshareWindow> windows;  // newest first
  /// All use before this time is in the windows, that of jobs still running included.
  Time complete_until{0};
  friend bool operator==(const FairshareHistory&, const FairshareHistory&) = default;
};

/// Effective use: in per cent of all that was delivered in the windows that count, older ones
/// counting less.
struct FairshareUse {
  ByKind<std::vector<double>> percent;

  double of(CredentialKind kind, std::uint32_t number) const {
    const auto& all = percent[kind];
    return number < all.size() ? all[number] : 0.0;
  }
};

}  // namespace maui
