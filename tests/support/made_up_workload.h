// Invented workloads: jobs as described by a test, submitted by the simulated resource manager.
// Dice with a seed generate many jobs; equal seeds give equal jobs.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sim/workload.h"

namespace maui::test {

struct MadeUpJob {
  std::string user, group;
  std::string job_class, qos;  // empty: none
  int tasks = 1;               // of one processor each
  int memory = 0;              // MB per task; 0: any
  Seconds limit{3600}, run{3600};
  Time submitted{0};
};

class MadeUpWorkload : public Workload {
 public:
  explicit MadeUpWorkload(std::vector<MadeUpJob> jobs) : jobs_(std::move(jobs)) {
    std::stable_sort(jobs_.begin(), jobs_.end(),
                     [](const auto& a, const auto& b) { return a.submitted < b.submitted; });
  }
  std::size_t size() const override { return jobs_.size(); }
  Time submitted(std::size_t index) const override { return jobs_[index].submitted; }
  JobReport job(std::size_t index) const override {
    const MadeUpJob& one = jobs_[index];
    JobReport report;
    report.name = fmt::format("job.{}", index + 1);
    report.user = one.user;
    report.group = one.group;
    report.job_class = one.job_class;
    report.qos = one.qos;
    report.job.submitted = report.job.queued = one.submitted;
    report.job.recorded = RecordedRun{one.run, 0};
    report.request.requirements.front().tasks = one.tasks;
    report.request.requirements.front().per_task = Resources(1, one.memory);
    report.request.limit = one.limit;
    return report;
  }
  JobState final_state(std::size_t) const override { return JobState::completed; }

 private:
  std::vector<MadeUpJob> jobs_;
};

/// Uniform random numbers, equal on every host.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}
  /// Returns a number from `low` to `high`, inclusive.
  int between(int low, int high) {
    return low + static_cast<int>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool in_a_hundred(int cases) { return between(1, 100) <= cases; }
  template <class T>
  const T& one_of(const std::vector<T>& all) {
    return all[static_cast<std::size_t>(between(0, static_cast<int>(all.size()) - 1))];
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace maui::test
