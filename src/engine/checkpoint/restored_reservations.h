// Reservations of a restored checkpoint, which are made as their nodes become known.
#pragma once

namespace maui {

class Allocations;
class Cluster;
class Reservations;
struct CheckpointedReservation;
struct EngineTools;
struct PendingRestore;
struct UnknownShares;

class RestoredReservations {
 public:
  RestoredReservations(const EngineTools& tools, Reservations& reservations,
                       Allocations& allocations);

  /// Makes the reservations of which some node is known now, and gives those that are there the
  /// nodes that have become known since.
  void restore();

 private:
  bool extended(UnknownShares& rest);
  bool restored(const CheckpointedReservation& saved);

  const EngineTools& tools_;
  Reservations& reservations_;
  Allocations& allocations_;
  Cluster& cluster_;
  PendingRestore& pending_restore_;
};

}  // namespace maui
