// Each credential's use of the cluster per fairshare window (guide 6.3.2).
//
// Amounts are processor seconds or processor-equivalent seconds, depending on
// FSPOLICY.  Tables are indexed by the credential's number and end with the last
// credential that has used anything.
#pragma once
#include <algorithm>
#include <vector>

#include "maui/credential_kind.h"
#include "maui/units.h"

namespace maui {

struct FairshareWindow {
  Time start{0};      // a multiple of its length since the epoch
  Seconds length{0};  // FSINTERVAL when the window began
  double total = 0;   // use by all jobs, with any credentials
  ByKind<std::vector<double>> used;
  friend bool operator==(const FairshareWindow&, const FairshareWindow&) = default;
};

/// A step of the machine's clock, which moved the time until which use is complete.
struct FairshareStep {
  Time from{0}, to{0};
  friend bool operator==(const FairshareStep&, const FairshareStep&) = default;
};

struct FairshareHistory {
  std::vector<FairshareWindow> windows;  // newest first
  /// The windows include all use before this time, also that of jobs still running.
  Time complete_until{0};
  std::vector<FairshareStep> steps;  // of the clock meanwhile, the oldest first
  std::vector<Time> files_until;     // that time in each file from which this was read
  friend bool operator==(const FairshareHistory&, const FairshareHistory&) = default;
};

/// Effective use, in per cent of all use in the windows within FSDEPTH, where older windows
/// count less (FSDECAY).
struct FairshareUse {
  ByKind<std::vector<double>> percent;

  double of(CredentialKind kind, std::uint32_t number) const {
    const auto& all = percent[kind];
    return number < all.size() ? all[number] : 0.0;
  }
};

}  // namespace maui
