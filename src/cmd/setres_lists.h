// The lists and names of setres: whom a reservation admits, who pays and who owns it.
#pragma once
#include <cstdint>
#include <string>

#include "cmd/context.h"
#include "maui/access_list.h"

namespace maui {

/// The access list that is asked for.  New names become known to a Cluster that may change; in a
/// const one, names that are not known stand for nobody.
AccessList access_asked(const Context& context, Cluster& names);
AccessList access_asked(const Context& context, const Cluster& names);

/// The first name listed, in the order of the guide's flags; it names the reservation.
std::string first_name_listed(const Context& context);

/// Every list names somebody, and what is listed as classes is not known as something else.
Status check_lists(const Context& context);

/// ACCOUNT[,GROUP[,USER]], of -A or of -c.
Result<std::string> charge_asked(const Context& context);

/// KIND:NAME, as OWNER of SRCFG; who creates the reservation where none is given.
Result<std::string> owner_asked(const Context& context, std::uint16_t flags);

}  // namespace maui
