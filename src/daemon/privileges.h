// Rights that the scheduler gives up, and limits that it raises, when it starts.
#pragma once
#include <cstddef>
#include <cstdint>

namespace maui {

/// Says whether the scheduler has to connect from ports below 1024, as PBS servers want of root.
enum class ReservedPorts : std::uint8_t { unused, needed };

/// Gives up every capability, for good and for whatever is started from here: a scheduler that root
/// runs needs no more than to be the owner of its files, and its own ports where they are needed.
/// Another user has none anyway.
void drop_capabilities(ReservedPorts ports);

/// Lets the process have as many descriptors open as it may: every client is one.
void raise_descriptor_limit();
/// How many those are.
std::size_t descriptor_limit();

}  // namespace maui
