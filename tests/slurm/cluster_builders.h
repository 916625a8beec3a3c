// Builds small Slurm clusters for tests, and a controller that keeps a cluster in memory.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "base/text.h"
#include "slurm/arrays.h"
#include "slurm/controller.h"
#include "slurm/notices.h"

namespace maui::slurm {

inline constexpr Time kNow{1'000'000};

/// Returns a pending job behind the gate, with one task of one CPU.
inline Job waiting(std::uint32_t id) {
  Job job;
  job.id = id;
  job.user = "ann";
  job.partition = "batch";
  job.limit = 10;
  job.submitted = kNow - Seconds(60);
  return job;
}

inline Job running(std::uint32_t id, const std::string& nodes) {
  Job job = waiting(id);
  job.state = JobState::running;
  job.nodes = nodes;
  job.started = kNow - Seconds(30);
  return job;
}

inline Job ended(std::uint32_t id, JobState state = JobState::complete, int exit_code = 0) {
  Job job = running(id, "n1");
  job.state = state;
  job.ended = kNow - Seconds(10);
  job.exit_status = exit_code * 256;
  return job;
}

inline Node node(const std::string& name, int cpus = 8) {
  Node made;
  made.name = name;
  made.state = NodeState::idle;
  made.cpus = cpus;
  made.memory = 16000;
  return made;
}

inline Partition partition(const std::string& name, const std::string& nodes) {
  Partition made;
  made.name = name;
  made.nodes = nodes;
  return made;
}

/// Carries out requests as far as the tests need.
class FakeController : public Controller {
 public:
  Cluster cluster;
  std::vector<Change> changes;
  std::vector<std::string> calls;  // "kill 17 9"
  std::atomic<int> loads = 0;
  std::string failure;  // error of every call; empty: none
  /// The error of updates; empty: they succeed.  With `carries_out`, they take effect even so.
  std::string refusal;
  bool carries_out = true;
  bool runs_at_once = false;  // jobs that pass the gate

  Result<std::optional<Cluster>> load() override {
    ++loads;
    if (!failure.empty()) return Error{failure};
    if (!changed) return std::optional<Cluster>();
    changed = false;
    return std::optional(cluster);
  }
  Status update(const Change& change) override {
    if (!failure.empty()) return Error{failure};
    changes.push_back(change);
    changed = true;
    if (!refusal.empty() && !carries_out) return Error{refusal};
    for (Job& job : cluster.jobs)
      if (job_name(job) == change.job || name_of_record(job) == change.job) apply(change, job);
    if (runs_at_once)
      for (Job& job : cluster.jobs)
        if (job.pending() && job.priority != 0) run(job);
    if (!refusal.empty()) return Error{refusal};
    return Done{};
  }
  Status update(const NodeChange& change) override {
    return call(
        fmt::format("{} {} ({})", change.out ? "drain" : "resume", change.node, change.reason));
  }
  Status signal(const std::string& job, int number) override {
    return call("kill " + job + " " + std::to_string(number));
  }
  Status requeue(const std::string& job) override { return call("requeue " + job); }
  Status suspend(const std::string& job) override { return call("suspend " + job); }
  Status resume(const std::string& job) override { return call("resume " + job); }
  Result<std::string> no_usage() override { return gathers_nothing; }

  std::string gathers_nothing;  // reason; empty: it gathers usage

  bool changed = true;

 private:
  static void apply(const Change& change, Job& job) {
    if (change.gate != Change::Gate::as_it_is)
      job.priority = change.gate == Change::Gate::open ? 1000 : 0;
    job.required_nodes = change.required_nodes.value_or(job.required_nodes);
    job.excluded_nodes = change.excluded_nodes.value_or(job.excluded_nodes);
    job.admin_comment = change.admin_comment.value_or(job.admin_comment);
    job.min_nodes = change.min_nodes.value_or(job.min_nodes);
    job.max_nodes = change.max_nodes.value_or(job.max_nodes);
    job.min_cpus = change.min_cpus.value_or(job.min_cpus);
  }
  static void run(Job& job) {
    job.state = JobState::running;
    job.nodes = job.required_nodes;
    job.started = kNow;
  }
  Status call(std::string text) {
    if (!failure.empty()) return Error{failure};
    calls.push_back(std::move(text));
    return Done{};
  }
};

/// Reports the same use for every job.
class FakeMeter : public Meter {
 public:
  Result<Usage> measure(const std::vector<std::uint32_t>& jobs) override {
    Usage usage;
    for (const auto job : jobs) usage[job] = JobUse{0, 512, 0, 0, 90};
    return usage;
  }
};

}  // namespace maui::slurm
