// The allocation manager: its type, address and charges (guide 6.4).
#pragma once
#include <cstdint>
#include <string>

#include "maui/units.h"

namespace maui {

enum class AllocationManagerType : std::uint8_t { none, file, qbank, resd, gold };

/// The jobs that are charged, and the charge for each (BANKCHARGEPOLICY).
enum class ChargePolicy : std::uint8_t {
  all_wall_clock,         // every job: processors times wallclock time
  successful_wall_clock,  // completed jobs: processors times wallclock time
  successful_cpu,         // completed jobs: CPU time used
  successful_pe,          // completed jobs: processor equivalents times wallclock time
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
