#include "sim/resampled_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "maui/hash.h"
#include "sim/job_shaping.h"

namespace maui {
namespace {

constexpr Seconds kWeek{7 * kDaySeconds};

class ResampledWorkload : public Workload {
 public:
  ResampledWorkload(std::unique_ptr<Workload> workload, std::uint64_t seed)
      : workload_(std::move(workload)), seed_(seed) {
    draw();
  }
  std::size_t size() const override { return drawn_.size(); }
  Time submitted(std::size_t index) const override { return drawn_[index].submitted; }
  JobState final_state(std::size_t index) const override {
    return workload_->final_state(drawn_[index].from);
  }
  JobReport job(std::size_t index) const override {
    const Drawn& drawn = drawn_[index];
    JobReport report = workload_->job(drawn.from);
    if (drawn.time > 1) report.name += fmt::format("#{}", drawn.time);
    report.job.dependencies.clear();
    submit_at(report, drawn.submitted);
    return report;
  }

 private:
  struct Drawn {
    Time submitted;
    std::size_t from;  // index in the original workload
    int time;          // how often it was drawn so far
  };
  using Week = std::vector<std::size_t>;  // jobs of the week

  /// The number that decides from which week the jobs of this week come.  It depends on nothing
  /// else, so that machines on which some jobs do not fit get the same draw of all others.
  std::uint64_t number_for(const std::string& user, std::int64_t week) const {
    std::uint64_t hash = mix(0, seed_);
    for (const char c : user) hash = mix(hash, static_cast<unsigned char>(c));
    return std::mt19937_64(mix(hash, static_cast<std::uint64_t>(week)))();
  }

  void draw() {
    if (workload_->size() == 0) return;
    const Time first = workload_->submitted(0);
    std::map<std::string, std::map<std::int64_t, Week>> users;
    for (std::size_t i = 0; i < workload_->size(); ++i)
      users[workload_->job(i).user][(workload_->submitted(i) - first).raw() / kWeek.raw()]
          .push_back(i);
    std::vector<int> times(workload_->size());
    for (const auto& [user, weeks] : users) {
      std::vector<std::int64_t> active;
      for (const auto& [week, jobs] : weeks) active.push_back(week);
      for (const auto to : active) {
        const auto from = active[number_for(user, to) % active.size()];
        for (const auto job : weeks.at(from))
          drawn_.push_back({workload_->submitted(job) + kWeek * (to - from), job, ++times[job]});
      }
    }
    std::sort(drawn_.begin(), drawn_.end(), [](const Drawn& a, const Drawn& b) {
      if (a.submitted != b.submitted) return a.submitted < b.submitted;
      return a.from != b.from ? a.from < b.from : a.time < b.time;
    });
  }

  std::unique_ptr<Workload> workload_;
  std::uint64_t seed_;
  std::vector<Drawn> drawn_;
};

}  // namespace

std::unique_ptr<Workload> resample(std::unique_ptr<Workload> workload, std::uint64_t seed) {
  return std::make_unique<ResampledWorkload>(std::move(workload), seed);
}

}  // namespace maui
