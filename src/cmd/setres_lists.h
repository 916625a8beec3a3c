// Lists and names in setres: the access list, the charged account and the owner of a reservation.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cmd/context.h"
#include "maui/access_list.h"
#include "maui/cluster_names.h"
#include "maui/settings/standing_reservations.h"

namespace maui {

/// The number of names that the lists of one reservation may have together, whoever makes it.
inline constexpr std::size_t kMostListed = 10'000;

struct ListSize {
  std::size_t names = 0, bytes = 0;
};

/// The access lists of a request, parsed once.
class ListsAsked {
 public:
  /// Checks that each list has names, that there are not too many, and that the listed classes are
  /// not known as something else.
  static Result<ListsAsked> read(const Context& context);

  /// Returns the requested access list.  Adds new names to a non-const Cluster; with a const one,
  /// unknown names match no credential.
  AccessList access(ClusterNames& names) const;
  AccessList access(const Cluster& names) const;
  /// Returns the first name, in the guide's order of flags, to name the reservation.
  std::string first_name() const;
  /// Returns the number of names in all lists, and their length.
  ListSize size() const;

 private:
  std::vector<AccessWord> words_;  // in the guide's order of flags
};

/// Returns ACCOUNT[,GROUP[,USER]], the value of -A or -c.
Result<std::string> charge_asked(const Context& context);

/// Returns KIND:NAME, like OWNER of SRCFG; by default, the user who creates the reservation.
Result<std::string> owner_asked(const Context& context, std::uint16_t flags);

}  // namespace maui
