// Jobs: limits of any single one, holds, what the system enforces (guide 6.2, 9, 11).
#include <fmt/format.h>

#include <algorithm>

#include "config/apply.h"
#include "config/parameters.h"

namespace maui::config {
namespace {

// POLICY:ACTION:RESOURCE[:RESOURCE]...
Result<std::string> limit_policy(std::string_view word) {
  const auto parts = split(word, ':');
  if (parts.size() < 3)
    return Error{fmt::format("'{}' has not a policy, an action and a resource", word)};
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto words = i == 0   ? "ALWAYS EXTENDEDVIOLATION BLOCKEDWORKLOADONLY"
                       : i == 1 ? "CANCEL REQUEUE SUSPEND"
                                : "PROC|PROCS DISK SWAP MEM";
    auto one = choice(words).canonical({std::string(parts[i])});
    if (!one) return one.error();
    out += (i == 0 ? "" : ":") + one->front();
  }
  return out;
}

std::vector<Parameter> enforcement_parameters() {
  using enum Index;
  using enum Change;
  return {
      {"ENFORCERESOURCELIMITS", "", none, boolean(), "OFF", at_runtime, Landed::no,
       "Whether jobs that use more than they asked for are acted upon."},
      {"RESOURCELIMITPOLICY", "", none,
       or_none(
           custom("POLICY:ACTION:RESOURCE[:RESOURCE]..., such as ALWAYS:CANCEL:MEM", limit_policy)),
       "[NONE]", at_runtime, Landed::no, "What is done to jobs that use more than they asked for."},
      {"RESOURCEUTILIZATIONPOLICY", "", none,
       or_none(choice("ALWAYS EXTENDEDVIOLATION BLOCKEDWORKLOADONLY")), "[NONE]", at_runtime,
       Landed::no, "When a job that uses too much is acted upon; see RESOURCELIMITPOLICY."},
      {"RESOURCEUTILIZATIONACTION", "", none, or_none(choice("CANCEL REQUEUE SUSPEND")), "[NONE]",
       at_runtime, Landed::no,
       "What is done to a job that uses too much; see RESOURCELIMITPOLICY."},
      {"WCVIOLATIONACTION", "", none, choice("CANCEL PREEMPT"), "CANCEL", at_runtime, Landed::no,
       "What is done to a job past its wallclock limit."},
      {"SYSTEMMAXPROCJOB", "SYSTEMMAXPROCPERJOB SYSTEMMAXJOBPROC", none, integer(-1), "-1",
       at_runtime, Landed::no, "Most processors that one job may ask for; -1: no limit.",
       into([](Settings & s) -> auto& { return s.throttling.max_job_procs; })},
      {"SYSTEMMAXPROCSECONDPERJOB", "SYSTEMMAXJOBPROCSECOND", none,
       integer(-1, std::int64_t{1} << 53), "-1", at_runtime, Landed::no,
       "Most processor-seconds that one job may ask for; -1: no limit.",
       into([](Settings & s) -> auto& { return s.throttling.max_job_proc_seconds; })},
      {"SYSTEMMAXJOBWALLTIME", "", none, duration(true), "-1", at_runtime, Landed::no,
       "Longest wallclock limit that a job may ask for; -1: no limit.",
       into([](Settings & s) -> auto& { return s.throttling.max_job_wall_time; })},
      {"USEMACHINESPEED", "", none, boolean(), "OFF", at_runtime, Landed::no,
       "Whether wallclock limits are scaled by the speed of the nodes.",
       into([](Settings & s) -> auto& { return s.node.machine_speed; })},
      {"ENABLEMULTINODEJOBS", "", none, boolean(), "TRUE", at_runtime, Landed::no,
       "Whether jobs may span nodes."},
      {"ENABLEMULTIREQJOBS", "", none, boolean(), "FALSE", at_runtime, Landed::no,
       "Whether jobs may have requirements of several kinds."},
  };
}

}  // namespace

std::vector<Parameter> job_parameters() {
  using enum Index;
  using enum Change;
  std::vector<Parameter> rows{
      {"JOBNODEMATCHPOLICY", "", none, choices("EXACTNODE EXACTPROC"), "[NONE]", at_runtime,
       Landed::yes,
       "EXACTNODE: as many nodes as asked for; EXACTPROC: nodes of exactly that many processors.",
       [](Settings& s, const std::string&, const Words& value) {
         const auto holds = [&](std::string_view word) {
           return std::find(value.begin(), value.end(), word) != value.end();
         };
         s.exact_node = holds("EXACTNODE");
         s.exact_proc = holds("EXACTPROC");
       }},
      {"SYSTEMDEFAULTJOBWALLTIME", "", none, duration(), "10:00:00:00", at_runtime, Landed::yes,
       "Wallclock limit of jobs that name none.",
       into([](Settings & s) -> auto& { return s.default_wall_time; })},
      {"JOBMAXOVERRUN", "MAXJOBVERRUN", none, duration(), "0", at_runtime, Landed::yes,
       "How far a job may exceed its wallclock limit before it is ended.",
       into([](Settings & s) -> auto& { return s.job_max_overrun; })},
      {"JOBMAXSTARTTIME", "", none, duration(true), "-1", at_runtime, Landed::no,
       "How long a job may stay in the starting state; -1: no limit."},
      {"JOBSIZEPOLICY", "", none, text("a policy"), "[NONE]", at_runtime, Landed::no,
       "Named by the guide without a meaning."},
      {"JOBSYNCTIME", "JOBSYNCDEADLINE", none, duration(), "00:10:00", at_runtime, Landed::no,
       "After what time a job's state as reported is believed against the one expected."},
      {"PURGETIME", "", none, duration(), "0", at_runtime, Landed::no,
       "How long jobs and nodes are remembered that no resource manager reports."},
      {"JOBPURGETIME", "", none, duration(), "0", at_runtime, Landed::no,
       "How long a job is remembered that no resource manager reports."},
      {"DEFERTIME", "DEFERSTARTTIME", none, duration(), "1:00:00", at_runtime, Landed::no,
       "How long a deferred job is held."},
      {"DEFERCOUNT", "", none, integer(0), "24", at_runtime, Landed::no,
       "How often a job is deferred before it gets a batch hold."},
      {"DEFERSTARTCOUNT", "", none, integer(0), "1", at_runtime, Landed::no,
       "How often a job may fail to start before it is deferred."},
  };
  for (auto& row : enforcement_parameters()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace maui::config
