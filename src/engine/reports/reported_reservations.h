// Reservations that a resource manager keeps itself: the scheduler starts only jobs there that ask
// for them.
#pragma once
#include <optional>
#include <string>

#include "maui/reservation.h"
#include "maui/resource_manager.h"

namespace maui {

class Cluster;
class Reservations;
struct EngineTools;

class ReportedReservations {
 public:
  ReportedReservations(const EngineTools& tools, Reservations& reservations);

  /// Makes the reservations of a resource manager match its report.
  void apply(const ReservationReports& reported);

 private:
  std::optional<Reservation> reservation_of(const ReservationReport& report) const;
  void adopt(Reservation reservation, const std::string& manager);

  const EngineTools& tools_;
  Reservations& reservations_;
  Cluster& cluster_;
};

}  // namespace maui
