// Privileges that the scheduler drops, and limits that it raises, when it starts.
#pragma once
#include <cstddef>
#include <cstdint>

namespace maui {

/// Whether the scheduler must connect from ports below 1024, which PBS servers require of root.
enum class ReservedPorts : std::uint8_t { unused, needed };

/// Drops all capabilities for good, for this process and those it starts.  A scheduler run by root
/// keeps only the access of its files' owner, and the right to use reserved ports if `ports` needs
/// them.  Other users have no capabilities to drop.
void drop_capabilities(ReservedPorts ports);

/// Raises the limit of open descriptors to the maximum; each client needs one.
void raise_descriptor_limit();
/// Returns the limit of open descriptors.
std::size_t descriptor_limit();

}  // namespace maui
