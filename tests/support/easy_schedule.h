// EASY backfilling (Lifka 1995) of jobs on equal processors, implemented twice: by the availability
// model, and by counting processors only.  Both give each job the same start.
#pragma once
#include <cstdint>
#include <vector>

#include "maui/units.h"

namespace maui::test {

struct EasyJob {
  Time submitted{0};
  Seconds run{1}, limit{1};  // run <= limit
  int procs = 1;
  Time start{-1};
};

/// Returns jobs typical of a small parallel machine of 100 processors, in the order of submission;
/// equal seeds give equal jobs on every host.
std::vector<EasyJob> some_jobs(int count, unsigned seed);
/// Returns the same jobs for a machine `factor` times as large.
std::vector<EasyJob> times(std::vector<EasyJob> jobs, int factor);

/// Sets the starts.  Requires jobs in the order of submission, none larger than the machine.
void easy_by_count(std::vector<EasyJob>& jobs, int procs);

struct EasyEffort {
  std::size_t most_groups = 0;
  std::uint64_t claims = 0;
};
/// Uses shared nodes of `procs_each` processors; with one processor each, equal to easy_by_count().
EasyEffort easy_by_model(std::vector<EasyJob>& jobs, int nodes, int procs_each = 1);

}  // namespace maui::test
