// Privileges that the scheduler drops, and limits that it raises, when it starts.
#pragma once
#include <cstddef>
#include <cstdint>

namespace maui {

/// Whether the scheduler must connect from ports below 1024, which PBS servers require of root.
enum class ReservedPorts : std::uint8_t { unused, needed };

/// Drops all capabilities of this thread for good, and so of the threads and processes that it
/// starts later; threads that exist already keep theirs.  A scheduler run by root
/// keeps only the access of its files' owner, and the right to use reserved ports if `ports` needs
/// them.  Other users have no capabilities to drop.
void drop_capabilities(ReservedPorts ports);

/// Raises the limit of open descriptors to the maximum; each client needs one.
void raise_descriptor_limit();
/// Returns the limit of open descriptors.
std::size_t descriptor_limit();

}  // namespace maui
