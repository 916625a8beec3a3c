// How the effective use of credentials moves while nothing happens but that active jobs go on: what
// they add grows by the second, until the window of fairshare is over.
#pragma once
#include "maui/cluster.h"
#include "maui/fairshare.h"
#include "maui/settings.h"

namespace maui {

class FairshareAhead {
 public:
  /// Nothing moves.
  FairshareAhead() = default;
  /// `second` is what active jobs add to the window of `now` in a second.
  FairshareAhead(const FairshareHistory& history, const FairshareWindow& second,
                 const FairshareSettings& settings, Time now);

  bool moves() const { return moves_; }
  /// Effective use in per cent at a time in the window of `now`.  From one moment to a later one it
  /// only rises, or only falls.
  double use(CredentialKind kind, std::uint32_t number, Time when) const;

 private:
  Time now_{0};
  double total_ = 0, total_rate_ = 0;
  ByKind<std::vector<double>> used_, rates_;
  bool moves_ = false;
};

/// The first moment after `now` and before `before` at which a fairshare cap begins or ceases to
/// block a waiting job; kForever: there is none.
Time next_cap(const Cluster& cluster, const Settings& settings, const FairshareAhead& ahead,
              Time now, Time before);

}  // namespace maui
