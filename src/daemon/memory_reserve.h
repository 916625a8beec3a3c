// A reserve of memory for the time when memory runs out: the scheduler uses it to complete its work
// under way, and begins nothing new until it can allocate the reserve again.
#pragma once
#include <cstddef>

namespace maui {

/// Allocates the reserve.  A failed allocation releases the reserve and is tried again.
void keep_memory_reserve(std::size_t bytes = std::size_t{32} << 20);
/// True if the reserve has been released; tries to allocate it again.
bool memory_is_short();

}  // namespace maui
