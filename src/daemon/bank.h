// Which allocation manager the settings name (guide 6.4).
#pragma once
#include <boost/asio/io_context.hpp>
#include <memory>
#include <string>

#include "maui/allocation_manager.h"
#include "maui/settings.h"

namespace maui {

/// None where BANKTYPE says none, and in SIMULATION and TEST mode unless MAUIBANKTEST is set in the
/// environment.  BANKTYPE FILE writes `allocations` in STATDIR.
std::unique_ptr<AllocationManager> make_allocation_manager(boost::asio::io_context& io,
                                                           const Settings& settings,
                                                           const std::string& home);

}  // namespace maui
