// Lists and names in setres: the access list, the charged account and the owner of a reservation.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "cmd/context.h"
#include "maui/access_list.h"

namespace maui {

/// The number of names that the lists of one reservation may have together, whoever makes it.
inline constexpr std::size_t kMostListed = 10'000;

/// Returns the requested access list.  Adds new names to a non-const Cluster; with a const one,
/// unknown names match no credential.
AccessList access_asked(const Context& context, Cluster& names);
AccessList access_asked(const Context& context, const Cluster& names);

/// Returns the first name in the lists, in the guide's order of flags, to name the reservation.
std::string first_name_listed(const Context& context);

struct ListSize {
  std::size_t names = 0, bytes = 0;
};
/// Returns the number of names in all lists, and their length.
ListSize list_size(const Context& context);

/// Checks that each list has names, that there are not too many, and that the listed classes are
/// not known as something else.
Status check_lists(const Context& context);

/// Returns ACCOUNT[,GROUP[,USER]], the value of -A or -c.
Result<std::string> charge_asked(const Context& context);

/// Returns KIND:NAME, like OWNER of SRCFG; by default, the user who creates the reservation.
Result<std::string> owner_asked(const Context& context, std::uint16_t flags);

}  // namespace maui
