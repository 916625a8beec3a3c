// The allocation manager: which, where, and what is charged (guide 6.4).
#pragma once
#include <cstdint>
#include <string>

#include "maui/units.h"

namespace maui {

enum class AllocationManagerType : std::uint8_t { none, file, qbank, resd, gold };

/// Which jobs are charged, and for what (BANKCHARGEPOLICY).
enum class ChargePolicy : std::uint8_t {
  all_wall_clock,         // every job: processors times wallclock time
  successful_wall_clock,  // the same of jobs that complete
  successful_cpu,         // of jobs that complete: CPU time used
  successful_pe,          // of jobs that complete: processor equivalents times wallclock time
};

struct AllocationSettings {
  AllocationManagerType type = AllocationManagerType::none;   // BANKTYPE
  std::string host;                                           // BANKSERVER
  int port = 40560;                                           // BANKPORT
  Seconds timeout{9};                                         // BANKTIMEOUT
  ChargePolicy policy = ChargePolicy::successful_wall_clock;  // BANKCHARGEPOLICY
  bool defer_on_failure = false;                              // BANKDEFERJOBONFAILURE
  std::string fallback_account;                               // BANKFALLBACKACCOUNT; empty: none
  friend bool operator==(const AllocationSettings&, const AllocationSettings&) = default;
};

}  // namespace maui
