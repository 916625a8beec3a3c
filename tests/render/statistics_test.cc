#include "render/golden.h"
#include "render/scenario.h"

namespace maui {
namespace {

using scenario::kNow;
using StatisticsText = GoldenTest;

StatisticsReply at_iteration_20() {
  StatisticsReply s;
  s.now = kNow;
  s.active_for = 1260;
  s.since = s.started = 1000000000;
  s.iteration = 20;
  s.eligible_jobs = 15;
  s.idle_jobs = 24;
  s.active_jobs = 13;
  s.successful_jobs = s.completed_jobs = 8;
  s.average_queue_hours = 0.03;
  s.max_queue_hours = 0.10;
  s.average_xfactor = 0.61;
  s.max_xfactor = 1.10;
  s.average_bypass = 0.12;
  s.max_bypass = 1;
  s.dedicated_proc_hours = 21.8333;
  s.total_proc_hours = 22.4;
  s.active_procs = 63;
  s.up_procs = 64;
  s.active_nodes = s.up_nodes = 18;
  s.wallclock_accuracy = 40;
  s.job_efficiency = 100;
  s.min_utilisation = 82.8125;
  s.min_utilisation_iteration = 12;
  s.estimated_backlog_hours = 1.30;
  s.average_backlog_hours = 2.61;
  return s;
}

TEST_F(StatisticsText, GeneralStatistics) {
  StatisticsReply s = at_iteration_20();
  expect(s, "showstats");
  s.verbose = true;
  expect(s, "showstats_v");
}

TEST_F(StatisticsText, NothingCompletedIsNotAnAverageOfZero) {
  StatisticsReply s;
  s.now = s.since = 1000009600;
  s.active_for = 9660;
  s.active_jobs = 8;
  s.active_procs = 41;
  s.up_procs = 64;
  expect(s, "showstats_after_reset");
}

TEST_F(StatisticsText, CredentialsHaveALineEach) {
  expect(CredentialStatisticsReply{"user", 1000000000, 8, 17.0, 18.52, scenario::kUsers},
         "showstats_u");
}

TEST_F(StatisticsText, Reset) { expect(StatisticsResetReply{1000009600}, "resetstats"); }

}  // namespace
}  // namespace maui
