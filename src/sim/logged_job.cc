#include "sim/logged_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/sorted.h"

namespace maui {
namespace {

std::int32_t share(std::int64_t whole, std::int64_t parts) {
  const auto each = (std::max<std::int64_t>(0, whole) + parts - 1) / parts;
  return static_cast<std::int32_t>(
      std::min<std::int64_t>(each, std::numeric_limits<std::int32_t>::max()));
}

class LoggedWorkload : public Workload {
 public:
  LoggedWorkload(std::vector<LoggedJob> jobs, LoggedMachine machine)
      : jobs_(std::move(jobs)), machine_(std::move(machine)) {
    std::stable_sort(jobs_.begin(), jobs_.end(), [](const LoggedJob& a, const LoggedJob& b) {
      return a.submitted < b.submitted;
    });
  }
  std::size_t size() const override { return jobs_.size(); }
  Time submitted(std::size_t index) const override { return jobs_[index].submitted; }
  JobReport job(std::size_t index) const override { return report_of(jobs_[index], machine_); }
  JobState final_state(std::size_t index) const override {
    return jobs_[index].cancelled ? JobState::removed : JobState::completed;
  }

 private:
  std::vector<LoggedJob> jobs_;
  LoggedMachine machine_;
};

}  // namespace

bool JobLog::name_run(const std::string& job, LoggedJob& run) {
  auto& known = runs[job];
  const std::array<Time, 3> times{run.submitted, run.started, run.ended};
  if (std::find(known.begin(), known.end(), times) != known.end()) return false;
  known.push_back(times);
  run.name = known.size() == 1 ? job : fmt::format("{}+{}", job, known.size());
  return true;
}

void shape_tasks(LoggedJob& job, std::int64_t hosts, std::int64_t procs, std::int64_t memory,
                 std::int64_t gpus) {
  hosts = std::max<std::int64_t>(1, hosts);
  procs = std::max<std::int64_t>(1, procs);
  const auto tasks = procs % hosts == 0 ? hosts : procs;
  job.tasks = static_cast<int>(std::min<std::int64_t>(tasks, 100'000'000));
  job.procs = share(procs, tasks);
  job.memory = share(memory, tasks);
  job.gpus = share(gpus, tasks);
}

bool offers(const LoggedMachine& machine, const std::string& job_class) {
  return std::binary_search(machine.classes.begin(), machine.classes.end(), job_class);
}

LoggedMachine logged_machine(const std::vector<NodeReport>& nodes, NodeAccess access) {
  LoggedMachine machine;
  machine.access = access;
  for (const NodeReport& report : nodes) {
    machine.memory = machine.memory || report.node.configured.memory() > 1;  // 1: unknown
    for (const auto& [name, count] : report.generic) machine.gpus = machine.gpus || name == kGpu;
    for (const auto& [name, count] : report.classes) machine.classes.push_back(name);
  }
  sort_unique(machine.classes);
  return machine;
}

JobReport report_of(const LoggedJob& job, const LoggedMachine& machine) {
  JobReport report;
  report.name = job.name;
  report.user = job.user;
  report.group = job.group;
  report.account = job.account;
  report.qos = job.qos;
  report.job.qos_requested = job.qos;
  if (offers(machine, job.job_class)) report.job_class = job.job_class;
  report.job.title = job.title;
  report.job.submitted = job.submitted;
  report.job.recorded = RecordedRun{job.run(), 0};
  // Slurm and PBS let a job run slightly past its limit; the simulation must not end it earlier.
  report.request.limit = job.limit > Seconds(0) ? std::max(job.limit, job.run()) : job.limit;
  report.request.access.usual = machine.access;
  Requirement& requirement = report.request.requirements.front();
  requirement.tasks = job.tasks;
  requirement.per_task = Resources(job.procs, machine.memory ? job.memory : 0);
  report.features.emplace_back();
  report.generic.emplace_back();
  if (machine.gpus && job.gpus > 0) report.generic.front().emplace_back(kGpu, job.gpus);
  return report;
}

std::unique_ptr<Workload> make_workload(std::vector<LoggedJob> jobs, LoggedMachine machine) {
  return std::make_unique<LoggedWorkload>(std::move(jobs), std::move(machine));
}

}  // namespace maui
