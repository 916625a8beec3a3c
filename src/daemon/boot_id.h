#pragma once
#include <string>

namespace maui {

/// Returns the kernel's ID of this boot of the machine; empty: unknown.
std::string boot_id();

}  // namespace maui
