// Jobs: limits for individual jobs, holds, and what the scheduler enforces (guide 6.2, 9, 11).
#include <fmt/format.h>

#include <algorithm>

#include "config/apply.h"
#include "config/parameters.h"

namespace maui::config {
namespace {

std::vector<Parameter> bound_parameters() {
  using enum Index;
  using enum Change;
  return {
      {"SYSTEMMAXPROCJOB", "SYSTEMMAXPROCPERJOB SYSTEMMAXJOBPROC", none, integer(-1), "-1",
       at_runtime, Landed::yes, "Most processors that one job may ask for; -1: no limit.",
       into([](Settings & s) -> auto& { return s.throttling.max_job_procs; })},
      {"SYSTEMMAXPROCSECONDPERJOB", "SYSTEMMAXJOBPROCSECOND", none,
       integer(-1, std::int64_t{1} << 53), "-1", at_runtime, Landed::yes,
       "Most processor-seconds that one job may ask for; -1: no limit.",
       into([](Settings & s) -> auto& { return s.throttling.max_job_proc_seconds; })},
      {"SYSTEMMAXJOBWALLTIME", "", none, duration(true), "-1", at_runtime, Landed::yes,
       "Longest wallclock limit that a job may ask for; -1: no limit.",
       into([](Settings & s) -> auto& { return s.throttling.max_job_wall_time; })},
      {"USEMACHINESPEED", "", none, boolean(), "OFF", at_runtime, Landed::yes,
       "Whether wallclock limits are scaled by the speed of the nodes.",
       into([](Settings & s) -> auto& { return s.node.machine_speed; })},
      {"ENABLEMULTINODEJOBS", "", none, boolean(), "TRUE", at_runtime, Landed::yes,
       "Whether jobs may span nodes.",
       into([](Settings & s) -> auto& { return s.jobs.multi_node; })},
      {"ENABLEMULTIREQJOBS", "", none, boolean(), "FALSE", at_runtime, Landed::yes,
       "Whether jobs may have requirements of several kinds.",
       into([](Settings & s) -> auto& { return s.jobs.multi_requirement; })},
  };
}

}  // namespace

std::vector<Parameter> job_parameters() {
  using enum Index;
  using enum Change;
  std::vector<Parameter> rows{
      {"JOBATTRIBUTEPROGRAM", "", none, text("a program"), "[NONE]", at_runtime, Landed::yes,
       "Program that can change what new jobs request; in tools/ unless absolute.",
       into([](Settings & s) -> auto& { return s.local.attribute_program; })},
      {"JOBNODEMATCHPOLICY", "", none, choices("EXACTNODE EXACTPROC"), "[NONE]", at_runtime,
       Landed::yes,
       "EXACTNODE: exactly as many nodes as requested; EXACTPROC: nodes with exactly as many "
       "processors as requested.",
       [](Settings& s, const std::string&, const Words& value) {
         const auto holds = [&](std::string_view word) {
           return std::find(value.begin(), value.end(), word) != value.end();
         };
         s.exact_node = holds("EXACTNODE");
         s.exact_proc = holds("EXACTPROC");
       }},
      {"SYSTEMDEFAULTJOBWALLTIME", "", none, duration(), "10:00:00:00", at_runtime, Landed::yes,
       "Wallclock limit of jobs that request none.",
       into([](Settings & s) -> auto& { return s.default_wall_time; })},
      {"JOBMAXOVERRUN", "MAXJOBVERRUN", none, duration(), "0", at_runtime, Landed::yes,
       "How far a job may exceed its wallclock limit before it is ended.",
       into([](Settings & s) -> auto& { return s.job_max_overrun; })},
      {"JOBSIZEPOLICY", "", none, text("a policy"), "[NONE]", at_runtime, Landed::without_effect,
       "The guide names it without a description."},
  };
  for (auto& row : job_policy_parameters()) rows.push_back(std::move(row));
  for (auto& row : bound_parameters()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace maui::config
