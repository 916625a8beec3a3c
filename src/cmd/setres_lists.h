// Whom setres lets in, who pays and whose the reservation is: its lists and names.
#pragma once
#include <cstdint>
#include <string>

#include "cmd/context.h"
#include "maui/access_list.h"

namespace maui {

/// Who may use the reservation.  Of a Cluster that may change, names become known by it; of a const
/// one, those that nobody has stand for nobody.
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
