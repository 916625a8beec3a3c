// Reservations of a restored checkpoint: they are made as their nodes become known.
#pragma once

namespace maui {

class Allocations;
class Cluster;
class Reservations;
struct CheckpointedReservation;
struct EngineTools;
struct PendingRestore;

class RestoredReservations {
 public:
  RestoredReservations(const EngineTools& tools, Reservations& reservations,
                       Allocations& allocations);

  /// Makes those of which nodes are known now.
  void restore();

 private:
  bool restored(const CheckpointedReservation& saved);

  const EngineTools& tools_;
  Reservations& reservations_;
  Allocations& allocations_;
  Cluster& cluster_;
  PendingRestore& pending_restore_;
};

}  // namespace maui
