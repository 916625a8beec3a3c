// Waiting for the lease, before anything else of the home directory is touched.
#pragma once
#include <functional>
#include <memory>

#include "daemon/lease/lease_keeper.h"
#include "maui/result.h"
#include "maui/units.h"

namespace maui {

struct LeaseTerms {
  bool stand_by = false;                   // --standby: wait as long as another has it
  Seconds time{0};                         // LEASETIME
  std::function<std::int64_t()> at_least;  // a generation that was there, whatever the lease says
  std::function<void()> waiting;           // called once, when another has it and is waited for
  // Where there was never a lease: a place at which a scheduler answers all the same, or nothing.
  std::function<std::string()> elsewhere = [] { return std::string(); };
};

/// Takes the lease as soon as nobody else has it.  Without --standby an error where somebody does.
/// nullptr: a signal has ended the wait.
Result<std::unique_ptr<LeaseKeeper>> take_lease(std::unique_ptr<LeaseStore> store,
                                                const LeaseTerms& terms);

}  // namespace maui
