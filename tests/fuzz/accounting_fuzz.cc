// Any bytes as a file that other resource managers have written, of jobs or of nodes: it is taken
// for something, read, or refused with a reason; every job that is taken has a length and a size.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "sim/input_format.h"
#include "sim/listed_machine.h"
#include "sim/pbs_accounting.h"
#include "sim/sacct.h"

namespace {

using namespace maui;

void check(bool right) {
  if (!right) std::abort();
}

void check(const Status& status) { check(status || !status.error().what.empty()); }

void read_jobs(const std::string& path) {
  JobLog log;
  TraceSummary summary;
  PbsRuns runs;
  check(read_sacct(path, TimeZone(), log, summary));
  check(read_pbs_accounting(path, runs, log, summary));
  runs.count_unfinished(summary);
  for (const auto& job : log.jobs) check(job.run() >= Seconds(0) && job.tasks > 0 && job.procs > 0);
}

void read_nodes(const std::string& path) {
  TraceSummary summary;
  for (const auto& nodes : {read_scontrol_nodes(path, summary), read_pbsnodes(path, summary)}) {
    check(nodes || !nodes.error().what.empty());
    if (!nodes) continue;
    for (const auto& node : *nodes) check(!node.node.name.empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const int file = memfd_create("accounting", 0);
  check(file >= 0 && write(file, data, size) == static_cast<ssize_t>(size));
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  static_cast<void>(static_cast<bool>(workload_format(path)));
  static_cast<void>(static_cast<bool>(machine_format(path)));
  read_jobs(path);
  read_nodes(path);
  close(file);
  return 0;
}
