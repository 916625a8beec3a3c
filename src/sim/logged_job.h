// The jobs of another scheduler's accounting log, in compact form, and the workload made from them.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "maui/resource_manager.h"
#include "sim/used_machine.h"
#include "sim/workload.h"

namespace maui {

struct LoggedJob {
  std::string name, user, group, account, job_class, qos, title;
  std::string hosts;  // as the record gives them: "n[1-3]:n7"; empty: unknown
  int tasks = 1;
  std::int32_t procs = 1, memory = 0, gpus = 0;  // per task; memory in MB, 0: none
  Time submitted{0}, started{0}, ended{0};
  Seconds limit{0};                 // 0: unknown
  std::optional<Seconds> cpu_time;  // of all processors together
  bool cancelled = false;
  bool cut_short = false;  // because of a node or another job
  std::int64_t line = 0;

  Seconds run() const { return ended - started; }
};

/// The runs of one or several files.
struct JobLog {
  std::vector<LoggedJob> jobs;
  UsedMachine machine;
  std::unordered_map<std::string, std::vector<std::array<Time, 3>>> runs;  // by job

  /// Names a run of this job, NAME or, for a further run, NAME+2.  Returns false if the run is
  /// known already, from a file that overlaps with this one.
  bool name_run(const std::string& job, LoggedJob& run);
};

/// Divides what a job had among its tasks: one task per host if its processors divide evenly among
/// the hosts, else one task per processor.
void shape_tasks(LoggedJob& job, std::int64_t hosts, std::int64_t procs, std::int64_t memory,
                 std::int64_t gpus);

/// Properties of a machine on which a log's jobs are replayed.  A job's class counts only if some
/// node offers it; memory and GPUs count only if nodes report how much they have.
struct LoggedMachine {
  bool memory = false, gpus = false;
  std::vector<std::string> classes;  // sorted
  NodeAccess access = NodeAccess::dedicated;
};
bool offers(const LoggedMachine& machine, const std::string& job_class);
LoggedMachine logged_machine(const std::vector<NodeReport>& nodes, NodeAccess access);
JobReport report_of(const LoggedJob& job, const LoggedMachine& machine);

/// Makes a workload of the jobs, sorted by submission.
std::unique_ptr<Workload> make_workload(std::vector<LoggedJob> jobs, LoggedMachine machine);

}  // namespace maui
