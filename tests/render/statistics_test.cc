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
  expect(CredentialStatisticsReply{"user", 1000000000, -1, 8, 17.0, 18.52, scenario::kUsers},
         "showstats_u");
}

TEST_F(StatisticsText, LimitsAndExpectationsHaveALineAUserAndAClass) {
  LearningReply reply;
  reply.since = 1000000000;
  reply.users = 2;
  reply.kinds = 17;
  reply.by_user = {{"amy", 1200, 12.5, 1100, 89.9, 0.25, 3.5, 12, 0.5, 2.75}, {"bob", 3, 90}};
  reply.by_class = {{"batch", 1203, 12.7, 1100, 89.9, 0.25, 3.5, 12, 0.5, 2.75}};
  reply.all = LearningRow{"ALL", 1203, 12.7, 1100, 89.9, 0.25, 3.5, 12, 0.5, 2.75};
  reply.intervals = {{"0", 103, 84.5}, {"1-3", 100, 91}, {"4-8", 0, -1}};
  expect(reply, "showstats_l");
}

TEST_F(StatisticsText, NodesStandUnderTheirMemory) {
  NodeStatisticsReply reply;
  reply.memory = {{256, 4, 278, 66.8, 66.8},
                  {512, 6, 4, 100.2, 100.2},
                  {1024, 7, 52, 116.9, 116.9},
                  {1280, 1, 0, 16.7, 16.7},
                  {4096, 2, 0, 33.4, 33.4}};
  reply.nodes = {
      {"node015", "Busy", 256, 100, 95.24, true},     {"node016", "Busy", 256, 100, 95.24, true},
      {"node017", "Down", 256, 0, 0, false},          {"node018", "Drained", 256, 100, 100, false},
      {"node009", "Busy", 512, 100, 95.24, true},     {"node010", "Busy", 512, 100, 95.24, true},
      {"node011", "Busy", 512, 100, 95.24, true},     {"node012", "Busy", 512, 100, 95.24, true},
      {"node013", "Busy", 512, 100, 95.24, true},     {"node014", "Busy", 512, 100, 95.24, true},
      {"node001", "Busy", 1024, 100, 95.24, true},    {"node002", "Busy", 1024, 100, 95.24, true},
      {"node003", "Busy", 1024, 100, 85.71, true},    {"node004", "Busy", 1024, 100, 85.71, true},
      {"node005", "Busy", 1024, 100, 95.24, true},    {"node006", "Busy", 1024, 100, 95.24, true},
      {"node008", "Busy", 1024, 100, 95.24, true},    {"node007", "Busy", 1280, 100, 95.24, true},
      {"node019", "Running", 4096, 100, 95.24, true}, {"node020", "Busy", 4096, 100, 95.24, true},
  };
  expect(reply, "showstats_n");
  reply.summary = true;
  expect(reply, "showstats_n_S");
}

TEST_F(StatisticsText, Reset) { expect(StatisticsResetReply{1000009600}, "resetstats"); }

}  // namespace
}  // namespace maui
