// The jobs of an accounting log of another scheduler, in compact form, and the workload they make.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "maui/resource_manager.h"
#include "sim/used_machine.h"
#include "sim/workload.h"

namespace maui {

struct LoggedJob {
  std::string name, user, group, account, job_class, qos, title;
  std::string hosts;  // as a record has them: "n[1-3]:n7"; empty: not given
  int tasks = 1;
  std::int32_t procs = 1, memory = 0, gpus = 0;  // a task; memory in MB, 0: it asks for none
  Time submitted{0}, started{0}, ended{0};
  Seconds limit{0};  // 0: not given
  bool cancelled = false;
  bool cut_short = false;  // by its node, or by another job
  std::int64_t line = 0;

  Seconds run() const { return ended - started; }
};

struct JobLog {
  std::vector<LoggedJob> jobs;
  UsedMachine machine;
};

/// Spreads what a job had over its hosts: equal tasks, one a host, where its processors divide
/// evenly among them, else a task for each processor.
void shape_tasks(LoggedJob& job, std::int64_t hosts, std::int64_t procs, std::int64_t memory,
                 std::int64_t gpus);

/// The job of a resource manager that a log's job is replayed as.  The class counts where nodes
/// offer it, memory and GPUs where nodes say how much they have.
struct LoggedMachine {
  bool memory = false, gpus = false;
  std::vector<std::string> classes;  // sorted
  NodeAccess access = NodeAccess::dedicated;
};
bool offers(const LoggedMachine& machine, const std::string& job_class);
LoggedMachine logged_machine(const std::vector<NodeReport>& nodes, NodeAccess access);
JobReport report_of(const LoggedJob& job, const LoggedMachine& machine);

/// Sorts the jobs by submission.
std::unique_ptr<Workload> make_workload(std::vector<LoggedJob> jobs, LoggedMachine machine);

}  // namespace maui
