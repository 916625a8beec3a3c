// EASY backfilling (Lifka 1995) of jobs on equal processors, twice: by the model of availability,
// and by nothing but counting processors.  Both give each job the same start.
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

/// Jobs as those of a small parallel machine of 100 processors, in the order of submission; the
/// same for each seed on every machine.
std::vector<EasyJob> some_jobs(int count, unsigned seed);
/// The same jobs on a machine that many times as large.
std::vector<EasyJob> times(std::vector<EasyJob> jobs, int factor);

/// Sets the starts; requires jobs in the order of submission, each no larger than the machine.
void easy_by_count(std::vector<EasyJob>& jobs, int procs);

struct EasyEffort {
  std::size_t most_groups = 0;
  std::uint64_t claims = 0;
};
/// On nodes with so many processors each, which jobs share.  Equal to counting where they have one.
EasyEffort easy_by_model(std::vector<EasyJob>& jobs, int nodes, int procs_each = 1);

}  // namespace maui::test
