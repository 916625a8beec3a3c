#include "compare/timeline.h"

#include <algorithm>
#include <iterator>

namespace maui::compare {
namespace {

constexpr std::int64_t kSteps[] = {60,    300,   900,   1800,  3600,   7200,
                                   14400, 28800, 43200, 86400, 172800, 604800};
constexpr std::int64_t kWaits[] = {0,     60,    300,   900,   1800,   3600,   7200,
                                   14400, 28800, 57600, 86400, 172800, 345600, 604800};

Seconds step_for(Seconds whole, std::size_t most) {
  const auto least = whole.raw() / static_cast<std::int64_t>(std::max<std::size_t>(1, most)) + 1;
  const auto* const nice = std::lower_bound(std::begin(kSteps), std::end(kSteps), least);
  return Seconds(nice == std::end(kSteps) ? least : *nice);
}

/// Averages intervals of time over steps.  Each interval is stored as differences at its two edges,
/// so that a long interval costs no more than a short one.
class Steps {
 public:
  Steps(std::size_t count, Seconds step)
      : step_(static_cast<double>(step.raw())), change_(count + 2), part_(count + 1) {}

  void add(double from, double to, double amount) {
    const auto last = static_cast<double>(part_.size() - 1) * step_;
    from = std::clamp(from, 0.0, last);
    to = std::clamp(to, 0.0, last);
    edge(from, amount);
    edge(to, -amount);
  }
  std::vector<double> averages() const {
    std::vector<double> result;
    double level = 0;
    for (std::size_t i = 0; i + 1 < part_.size(); ++i) {
      level += change_[i];
      result.push_back(std::max(0.0, level + part_[i]));
    }
    return result;
  }

 private:
  /// Adds `amount` from this time on: to the rest of this step and all later steps.
  void edge(double at, double amount) {
    const auto index = static_cast<std::size_t>(at / step_);
    const double rest = 1 - (at / step_ - static_cast<double>(index));
    part_[index] += amount * rest;
    change_[index + 1] += amount;
  }

  double step_;
  std::vector<double> change_, part_;
};

}  // namespace

Timeline timeline_of(const Outcome& outcome, Time begin, Time end, std::size_t most) {
  Timeline line{begin, step_for(end - begin, most), {}, {}};
  const auto count = static_cast<std::size_t>(
      std::max<std::int64_t>(0, (end - begin).raw()) / line.step.raw() + 1);
  Steps busy(count, line.step), waiting(count, line.step);
  const auto since = [begin](Time when) { return static_cast<double>((when - begin).raw()); };
  for (const JobOutcome& job : outcome.jobs) {
    // A suspended or requeued job counts as running in the last part of its time in the system.
    busy.add(since(job.ended - job.run), since(job.ended), static_cast<double>(job.procs));
    waiting.add(since(job.submitted), since(job.started), 1);
  }
  line.busy = busy.averages();
  line.waiting = waiting.averages();
  return line;
}

std::vector<WaitStep> wait_steps(const Outcome& outcome) {
  std::vector<WaitStep> steps;
  for (const auto most : kWaits) steps.push_back({Seconds(most), 0});
  steps.push_back({kUnlimited, 0});
  for (const JobOutcome& job : outcome.jobs) {
    const auto at = std::lower_bound(std::begin(kWaits), std::end(kWaits), job.wait().raw());
    ++steps[static_cast<std::size_t>(at - std::begin(kWaits))].jobs;
  }
  return steps;
}

}  // namespace maui::compare
