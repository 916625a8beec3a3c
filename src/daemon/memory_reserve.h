// Memory kept for the moment when there is no more: what is under way comes to its end with it, and
// nothing new is begun until it can be put aside again.
#pragma once
#include <cstddef>

namespace maui {

/// Puts so much aside.  When an allocation fails, it is given back and the allocation tried again.
void keep_memory_reserve(std::size_t bytes = std::size_t{32} << 20);
/// True if it has been given back; tries to put it aside anew.
bool memory_is_short();

}  // namespace maui
