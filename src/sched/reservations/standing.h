// Standing reservations: which of them must exist now, where and on which terms (seed 7.1.5.2).
//
// The phase 'refresh reservations' runs before jobs are prioritised, and its decisions are carried
// out before that.  It needs only the current cluster: each period of a standing reservation
// exists, is waived, or is made now.  A reservation that differs from the settings is changed, and
// one with too few tasks gets the nodes that are available.  The planner decides for one standing
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

/// Every recurrence that standing reservations can have falls within this time.
inline constexpr Seconds kLongestPeriod{8 * 86400};

/// Returns the first part of the names of its reservations (NAME in NAME.0.0).
const std::string& standing_name(const StandingReservations::value_type& entry);

/// True if an administrator has released the reservation of that period.
bool waived(const Cluster& cluster, const std::string& name, Time period);

/// Explains why a standing reservation has no reservation at all.
std::string why_absent(const Cluster& cluster, const TimeZone& zone,
                       const StandingReservations::value_type& entry, Time now);

/// Explains why a reservation of a standing reservation has fewer tasks than it should.
std::string why_partial(const Cluster& cluster, const StandingReservations::value_type& entry,
                        const Reservation& r);

class StandingPlanner {
 public:
  /// Discards all stored results; required after the settings have changed.
  void forget();
  /// Returns the drops of reservations that SRCFG no longer configures.  Begins a round.
  std::vector<Decision> obsolete(const Cluster& cluster, const Settings& settings);
  /// Returns the indexes of SRCFG in the order in which they choose their nodes.
  const std::vector<std::string>& order(const Settings& settings);
  /// Returns the decisions for one standing reservation, to be carried out in this order.
  std::vector<Decision> refresh(const Cluster& cluster, const Settings& settings,
                                const std::string& index, Time now);

 private:
  struct Memo {
    StandingSite site;
    std::uint64_t node_changes = ~std::uint64_t{0};
    std::size_t waivers = 0;
    // The reservations are as configured from then until then; the clock may be set back.
    Time settled_from{0}, settled_until{0};
    bool short_of = false;                 // it lacks nodes and looks for more
    std::uint64_t room_seen = 0;           // Cluster::room_count() at the last look
    std::map<Time, std::uint64_t> looked;  // room_count() by period that lacked nodes
  };
  /// True if nothing has changed since refresh() wrote the memo.
  static bool settled(const Memo& memo, const Cluster& cluster, Time now);
  /// Notes the present state, and finds the site again if nodes have changed.
  static void look_anew(Memo& memo, const Cluster& cluster,
                        const StandingReservationSettings& standing);
  std::vector<ReservationId> existing(const Cluster& cluster, const std::string& name);

  std::unordered_map<std::string, Memo> memos_;
  std::vector<std::string> order_;
  bool ordered_ = false;
  std::unordered_map<std::string, std::vector<ReservationId>> existing_;
  bool indexed_ = false;
};

/// Returns the next time at which periods roll; kForever if they never do.
Time next_standing_roll(const Settings& settings, Time now);

}  // namespace maui
