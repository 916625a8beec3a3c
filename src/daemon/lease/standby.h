// Waits for the lease before the scheduler touches anything else in the home directory.
#pragma once
#include <functional>
#include <memory>

#include "daemon/lease/lease_keeper.h"
#include "maui/result.h"
#include "maui/units.h"

namespace maui {

struct LeaseTerms {
  bool stand_by = false;                   // --standby: wait while another holds the lease
  Seconds time{0};                         // LEASETIME
  std::function<std::int64_t()> at_least;  // a past generation, even if the lease lost it
  std::function<void()> waiting;           // called once, when another's lease is waited for
  // If there was never a lease: returns a place where a scheduler answers anyway, or nothing.
  std::function<std::string()> elsewhere = [] { return std::string(); };
};

/// Takes the lease as soon as nobody else holds it.  Without --standby, returns an error if another
/// holds it.  Returns nullptr if a signal ended the wait.
Result<std::unique_ptr<LeaseKeeper>> take_lease(std::unique_ptr<LeaseStore> store,
                                                const LeaseTerms& terms);

}  // namespace maui
