// Arithmetic of the priorities of waiting jobs: the parts that grow with waiting time, and the
// bounds of the sum (guide 5.1.1, 5.1.2.4, 5.1.2.5).
//
// It runs for each waiting job in each cycle, so it is inline and looks nothing up.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>

#include "maui/settings/priority.h"
#include "sched/priority/priority_components.h"

namespace maui {

/// The weights of a job's waiting time, by its credentials; a weight of 0: it does not count.
struct WaitWeights {
  double queue_time = 0, xfactor = 0;  // including what the QOS adds
  double bypass = 0;
  std::optional<double> target_queue_minutes, target_xfactor;  // only targets that count

  bool expansion_counts() const { return xfactor != 0 || target_xfactor.has_value(); }
  /// True if only the time in the queue counts.
  bool by_queue_time() const { return bypass == 0 && !target_queue_minutes && !expansion_counts(); }
};

/// The wait of a job, as the components of its priority measure it.
struct Waited {
  double seconds = 0;
  double xfactor = 1, service_xfactor = 1;  // by the limit, and as the service component uses it
  double bypasses = 0;
};

/// The error of floating-point arithmetic in a sum of contributions: for parts of up to a billion
/// points, the maximum of priorities, it stays below a millionth of a point.
inline constexpr double kErrorOfSums = 1.0 / (1 << 20);

/// Returns a sum of contributions as a whole number: rounded down, except that a sum which only the
/// error of the arithmetic keeps below a whole number counts as that number.
inline std::int64_t whole(double sum) {
  const double raised = sum + kErrorOfSums;
  const auto rounded = static_cast<std::int64_t>(raised);  // towards zero; std::floor() is a call
  return static_cast<double>(rounded) > raised ? rounded - 1 : rounded;
}

/// A sum of contributions, made whole and bounded.
struct Bounded {
  std::int64_t priority = 0;
  double exact = 0;  // bounded, not rounded
  bool rejected = false;
};

/// Returns an integer that orders like an unrounded priority.
inline std::int64_t rank_of(double exact) {
  const auto bits = std::bit_cast<std::int64_t>(exact + 0.0);
  return bits >= 0 ? bits : std::numeric_limits<std::int64_t>::min() - bits;
}

inline double capped(double value, double cap) { return cap > 0 ? std::min(cap, value) : value; }

/// Returns how near a target is: almost nothing at first, then the inverse square of the distance
/// until the target is reached (paper, table 2), and beyond that steadily growing (guide
/// 5.1.2.5).
inline double nearness(double target, double current) {
  constexpr double kNearest = 0.0001;
  const double left = std::max(kNearest, target - current);
  return 1 / (left * left) + std::max(0.0, current - target);
}

/// Adds weighted contributions, always in this order: sums of equal parts are equal to the last
/// bit.
inline double sum_of_parts(double before, double service, double target, double resources) {
  return before + service + target + resources;
}

/// Returns the sum of the contributions; `before` is the part of credentials and fairshare.
inline double sum_of_waiting(const PrioritySettings& all, double before, const WaitWeights& weights,
                             const Waited& waited, double resources) {
  const double minutes = waited.seconds / 60.0;
  double service = 0, target = 0;
  if (weights.queue_time != 0) service += weights.queue_time * capped(minutes, all.queue_time.cap);
  if (weights.xfactor != 0)
    service += weights.xfactor * capped(waited.service_xfactor, all.xfactor.cap);
  if (weights.bypass != 0) service += weights.bypass * capped(waited.bypasses, all.bypass.cap);
  if (weights.target_queue_minutes)
    target += all.target_queue_time.weight *
              capped(nearness(*weights.target_queue_minutes, minutes), all.target_queue_time.cap);
  if (weights.target_xfactor)
    target += all.target_xfactor.weight *
              capped(nearness(*weights.target_xfactor, waited.xfactor), all.target_xfactor.cap);
  return sum_of_parts(before, all.service.weight * capped(service, all.service.cap),
                      all.target.weight * capped(target, all.target.cap), resources);
}

/// sum_of_waiting() where only the time in the queue counts for waiting: the same operations, with
/// everything that does not depend on the job computed in advance.
class QueuedSum {
 public:
  explicit QueuedSum(const PrioritySettings& all)
      : cap_(cap_of(all.queue_time)),
        service_weight_(all.service.weight),
        service_cap_(cap_of(all.service)),
        target_(all.target.weight * capped(0, all.target.cap)) {}

  double of(double before, double weight, double seconds, double resources) const {
    const double service = weight * std::min(cap_, seconds / 60.0);
    return sum_of_parts(before, service_weight_ * std::min(service_cap_, service), target_,
                        resources);
  }

 private:
  static double cap_of(const Weighting& weighting) {
    return weighting.cap > 0 ? weighting.cap : std::numeric_limits<double>::infinity();
  }

  double cap_, service_weight_, service_cap_, target_;
};

/// The bounds of priorities (guide 5.1.1).
struct PriorityRange {
  explicit PriorityRange(const PrioritySettings& all)
      : lowest(all.allow_negative ? kLowest : 0.0), rejects(all.reject_negative) {}
  double within(double sum) const {
    return std::clamp(sum, lowest, static_cast<double>(kMaxPriority));
  }
  /// Makes a sum whole and bounds it.
  Bounded bounded(double sum) const {
    const double exact = within(sum);
    return {whole(exact), exact, rejects && below_zero(sum)};
  }
  /// True if the whole number is negative.
  static bool below_zero(double sum) { return sum < -kErrorOfSums; }

  static constexpr double kLowest = -4e18;  // near the lowest value of the type, with some margin
  double lowest;
  bool rejects;
};
inline Bounded bounded(const PrioritySettings& all, double sum) {
  return PriorityRange(all).bounded(sum);
}

}  // namespace maui
