#include "cmd/reservation_bounds.h"

#include <fmt/format.h>

#include <algorithm>

#include "cmd/access.h"
#include "engine/checkpoint/pending_restore.h"
#include "model/access_names.h"

namespace maui {
namespace {

bool made_by(std::string_view user, const Reservation& r) {
  const std::string_view maker = user_who_made(r);
  return maker == user || (is_nameless(maker) && is_nameless(user));
}

struct Size {
  std::size_t reservations = 0, nodes = 0, names = 0, bytes = 0;
};

/// Adds all but nodes and access list.
void add(Size& size, const Cluster& cluster, const Reservation& r) {
  ++size.reservations;
  for (const std::string* text :
       {&r.name, &r.owner, &r.made_by, &r.charge_account, &r.host_expression})
    size.bytes += text->size();
  for (const FeatureId feature : r.features) size.bytes += cluster.features[feature].size();
}

/// `nodes`: their number.
void add_whole(Size& size, const Cluster& cluster, const Reservation& r, std::size_t nodes) {
  add(size, cluster, r);
  size.nodes += nodes;
  size.names += r.access.criteria.size();
  for (const auto& criterion : r.access.criteria)
    size.bytes += credential_name(cluster, criterion).size();
}

/// The nodes of a reservation may not be known yet, or only some of them.
Size size_made_by(const std::string& user, const Engine& engine) {
  Size size;
  const Cluster& cluster = engine.counted();
  const PendingRestore& awaited = engine.not_restored_yet();
  for (const ReservationId id : cluster.reservations())
    if (const Reservation& r = cluster.reservation(id); made_by(user, r))
      add_whole(size, cluster, r, r.nodes.size());
  for (const UnknownShares& rest : awaited.unknown_shares)
    if (const Reservation& r = cluster.reservation(rest.reservation);
        r.id.valid() && r.serial == rest.serial && made_by(user, r))
      size.nodes += rest.shares.size();
  for (const CheckpointedReservation& saved : awaited.reservations)
    if (made_by(user, saved.terms)) add_whole(size, cluster, saved.terms, saved.shares.size());
  return size;
}

}  // namespace

Status check_bounds(const Context& context, const Reservation& wanted, const ListSize& lists) {
  if (is_admin(context, 2)) return Done{};
  const Cluster& cluster = context.cluster();
  const std::string& user = context.request.user;
  Size size = size_made_by(user, context.engine);
  add(size, cluster, wanted);
  size.nodes += wanted.nodes.size();
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
