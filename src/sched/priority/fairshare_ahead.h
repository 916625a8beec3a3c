// Foresees the effective use of credentials while only active jobs run on: their use adds up every
// second until the fairshare window ends.
#pragma once
#include "maui/cluster.h"
#include "maui/fairshare.h"
#include "maui/settings.h"
#include "sched/priority/fairshare.h"

namespace maui {

class FairshareAhead {
 public:
  /// Describes a future in which nothing changes.
  FairshareAhead() = default;
  /// `second` is the use that active jobs add each second to the window that contains `now`.
  FairshareAhead(const FairshareHistory& history, const FairshareWindow& second,
                 const FairshareSettings& settings, Time now);

  /// True if the effective use of some credential changes.
  bool changes() const { return changes_; }
  /// Returns the effective use in per cent at a time in the window of `now`.  Over time it only
  /// rises or only falls.
  double use(CredentialKind kind, std::uint32_t number, Time when) const;

 private:
  Time now_{0};
  WeightedUse use_;         // at now_
  FairshareWindow second_;  // added each second
  bool changes_ = false;
};

/// Returns the first time after `now` and before `before` at which a fairshare cap starts or stops
/// blocking a waiting job; kForever if there is none.
Time next_cap(const Cluster& cluster, const Settings& settings, const FairshareAhead& ahead,
              Time now, Time before);

}  // namespace maui
