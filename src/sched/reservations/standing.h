// Standing reservations: which of them must exist now, where and on which terms (seed 7.1.5.2).
//
// The phase 'refresh reservations', which comes before jobs are prioritised: what it decides is
// carried out before they are.  It needs no past but what the cluster has: each period of a
// standing reservation is either there, waived, or made; one that differs from the settings is
// changed, one that has too few tasks gets what there is.  Its decisions are about one standing
// reservation at a time, since each takes nodes that the next one then finds taken.
#pragma once
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "maui/cluster.h"
#include "maui/plan.h"
#include "maui/settings.h"
#include "sched/reservations/standing_nodes.h"

namespace maui {

/// Whatever recurs as standing reservations say has done so within this time.
inline constexpr Seconds kLongestPeriod{8 * 86400};

/// The name that its reservations begin with, NAME.0.0.
const std::string& standing_name(const StandingReservations::value_type& entry);

/// Says why a standing reservation of which nothing is there reserves nothing.
std::string why_absent(const Cluster& cluster, const TimeZone& zone,
                       const StandingReservations::value_type& entry, Time now);

/// Says why one of its reservations has fewer tasks than it should.
std::string why_partial(const Cluster& cluster, const StandingReservations::value_type& entry,
                        const Reservation& r);

class StandingPlanner {
 public:
  /// The settings are others than before: nothing that was worked out holds.
  void forget();
  /// Reservations of standing ones that are not configured.  Begins a round.
  std::vector<Decision> obsolete(const Cluster& cluster, const Settings& settings);
  /// Indexes into SRCFG, in the order in which they choose their nodes.
  const std::vector<std::string>& order(const Settings& settings);
  /// The decisions to be carried out for one of them, in this order.
  std::vector<Decision> refresh(const Cluster& cluster, const Settings& settings,
                                const std::string& index, Time now);

 private:
  struct Memo {
    StandingSite site;
    std::uint64_t node_changes = ~std::uint64_t{0};
    std::size_t waivers = 0;
    Time settled_until{0};                 // as configured until then
    bool short_of = false;                 // has too few nodes, and looks for more
    std::uint64_t room_seen = 0;           // Cluster::room_count() when it last looked
    std::map<Time, std::uint64_t> looked;  // the same by period, where it found too little
  };
  std::vector<ReservationId> existing(const Cluster& cluster, const std::string& name);

  std::unordered_map<std::string, Memo> memos_;
  std::vector<std::string> order_;
  bool ordered_ = false;
  std::unordered_map<std::string, std::vector<ReservationId>> existing_;
  bool indexed_ = false;
};

/// The next moment at which periods roll; kForever where none ever does.
Time next_standing_roll(const Settings& settings, Time now);

}  // namespace maui
