// Rights that the scheduler gives up, and limits that it raises, when it starts.
#pragma once
#include <cstddef>

namespace maui {

/// Gives up every capability, for good and for whatever is started from here: a scheduler that root
/// runs needs no more than to be the owner of its files.  Another user has none anyway.
void drop_capabilities();

/// Lets the process have as many descriptors open as it may: every client is one.
void raise_descriptor_limit();
/// How many those are.
std::size_t descriptor_limit();

}  // namespace maui
