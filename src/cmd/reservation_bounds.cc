#include "cmd/reservation_bounds.h"

#include <fmt/format.h>

#include <algorithm>

#include "cmd/access.h"
#include "cmd/setres_lists.h"
#include "model/access_names.h"

namespace maui {
namespace {

/// True for a user without a name, who is known by a number.  A person may have thousands of these.
bool nameless(std::string_view user) {
  return !user.empty() && user.find_first_not_of("0123456789") == user.npos;
}

bool made_by(std::string_view user, const Reservation& r) {
  if (r.kind != ReservationKind::administrative || !r.resource_manager.empty()) return false;
  const std::string_view maker = r.made_by.empty() ? r.owner : r.made_by;
  return maker == user || (nameless(maker) && nameless(user));
}

struct Size {
  std::size_t reservations = 0, nodes = 0, names = 0, bytes = 0;
};

/// Adds all but the access list.
void add(Size& size, const Cluster& cluster, const Reservation& r) {
  ++size.reservations;
  size.nodes += r.nodes.size();
  for (const std::string* text :
       {&r.name, &r.owner, &r.made_by, &r.charge_account, &r.host_expression})
    size.bytes += text->size();
  for (const FeatureId feature : r.features) size.bytes += cluster.features[feature].size();
}

Size size_made_by(const std::string& user, const Cluster& cluster) {
  Size size;
  for (const ReservationId id : cluster.reservations()) {
    const Reservation& r = cluster.reservation(id);
    if (!made_by(user, r)) continue;
    add(size, cluster, r);
    size.names += r.access.criteria.size();
    for (const auto& criterion : r.access.criteria)
      size.bytes += credential_name(cluster, criterion).size();
  }
  return size;
}

}  // namespace

Status check_bounds(const Context& context, const Reservation& wanted) {
  if (is_admin(context, 2)) return Done{};
  const Cluster& cluster = context.cluster();
  const std::string& user = context.request.user;
  Size size = size_made_by(user, cluster);
  add(size, cluster, wanted);
  const ListSize lists = list_size(context);
  size.names += lists.names;
  size.bytes += lists.bytes;
  const auto most_nodes = kMostTimesAllNodes * std::max<std::size_t>(1000, cluster.nodes().size());
  const auto too_much = [&](const std::string& what) {
    return Error{fmt::format("more than {} of user {}, who is neither ADMIN1 nor ADMIN2{}", what,
                             user, size.reservations > 1 ? " (releaseres releases some)" : "")};
  };
  if (size.reservations > kMostReservations)
    return too_much(fmt::format("{} reservations", kMostReservations));
  if (size.names > kMostListedByUser)
    return too_much(
        fmt::format("{} names in the access lists of all reservations", kMostListedByUser));
  if (size.bytes > kMostReservedText)
    return too_much(fmt::format("{} kB of names and host expressions in all reservations",
                                kMostReservedText >> 10));
  if (size.nodes > most_nodes)
    return too_much(fmt::format("{} nodes in all reservations", most_nodes));
  return Done{};
}

std::string maker_of(const Context& context, const Reservation& wanted) {
  return wanted.owner == context.request.user ? std::string() : context.request.user;
}

}  // namespace maui
