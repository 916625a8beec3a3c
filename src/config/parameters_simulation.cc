// The simulator (guide 16).
#include "config/apply.h"
#include "config/names.h"
#include "config/parameters.h"

namespace maui::config {
namespace {

constexpr EnumName<SubmissionPolicy> kSubmission[] = {
    {SubmissionPolicy::normal, "NORMAL"},
    {SubmissionPolicy::constant_job_depth, "CONSTANTJOBDEPTH"},
    {SubmissionPolicy::constant_ps_depth, "CONSTANTPSDEPTH"}};
constexpr EnumName<NodeConfiguration> kNodes[] = {{NodeConfiguration::uniform, "UNIFORM"},
                                                  {NodeConfiguration::normal, "NORMAL"}};
constexpr EnumName<StepPolicy> kSteps[] = {{StepPolicy::interval, "INTERVAL"},
                                           {StepPolicy::event, "EVENT"}};

struct Ignored {
  std::string_view name;
  bool SimulationSettings::*member;
};
constexpr Ignored kIgnored[] = {{"IGNHOSTLIST", &SimulationSettings::ignore_host_list},
                                {"IGNCLASS", &SimulationSettings::ignore_class},
                                {"IGNQOS", &SimulationSettings::ignore_qos},
                                {"IGNMODE", &SimulationSettings::ignore_mode},
                                {"IGNFEATURES", &SimulationSettings::ignore_features}};

std::string ignored_words() {
  std::string out;
  for (const auto& row : kIgnored) out += (out.empty() ? "" : " ") + std::string(row.name);
  return out;
}

void set_ignored(Settings& settings, const std::string&, const Words& value) {
  for (const auto& row : kIgnored)
    settings.simulation.*row.member =
        std::find(value.begin(), value.end(), row.name) != value.end();
}

// [NONE] is a value here: the machine is described by the header of the workload trace.
void set_resource_trace(Settings& settings, const std::string&, const Words& value) {
  settings.simulation.resource_trace = value.empty() ? "[NONE]" : value.front();
}

ValueType job_flags() { return choices(words_of(std::span<const EnumName<JobFlag>>(kJobFlags))); }

std::vector<Parameter> trace_parameters() {
  using enum Index;
  using enum Change;
  return {
      {"SIMRESOURCETRACEFILE", "", none, text("a file name"), "traces/resource.trace", simulates,
       Landed::yes,
       "File with the nodes of the simulated cluster; [NONE]: the machine described by the header "
       "of the SWF workload.",
       set_resource_trace},
      {"SIMWORKLOADTRACEFILE", "", none, text("a file name"), "traces/workload.trace", simulates,
       Landed::yes, "The jobs to simulate: a workload trace or an SWF log.",
       into([](Settings & s) -> auto& { return s.simulation.workload_trace; })},
      {"SIMJOBSSUBMISSIONPOLICY", "SIMJOBSUBMISSIONPOLICY JOBSUBMISSIONPOLICY", none,
       choice(kSubmission), "CONSTANTJOBDEPTH", simulates, Landed::yes,
       "Whether jobs arrive as recorded (NORMAL) or so that the queue keeps its depth.",
       into(
           kSubmission, [](Settings & s) -> auto& { return s.simulation.submission; })},
      {"SIMINITIALQUEUEDEPTH", "", none, integer(0), "16", simulates, Landed::yes,
       "Depth, in jobs or processor-seconds, with which the queue begins and at which it is kept.",
       into([](Settings & s) -> auto& { return s.simulation.initial_queue_depth; })},
      {"SIMCPUSCALINGPERCENT", "", none, integer(1, 1000000), "100", simulates, Landed::yes,
       "Percentage of their recorded run times and limits that jobs get.",
       into([](Settings & s) -> auto& { return s.simulation.cpu_scaling_percent; })},
      {"SIMDEFAULTJOBFLAGS", "", none, job_flags(), "[NONE]", simulates, Landed::yes,
       "Flags that every job gets.",
       into_bits(
           kJobFlags, [](Settings & s) -> auto& { return s.simulation.default_job_flags; })},
      {"SIMIGNOREJOBFLAGS", "", none, job_flags(), "[NONE]", simulates, Landed::yes,
       "Flags of the workload trace that are ignored.",
       into_bits(
           kJobFlags, [](Settings & s) -> auto& { return s.simulation.ignore_job_flags; })},
      {"SIMFLAGS", "", none, choices(ignored_words()), "[NONE]", simulates, Landed::yes,
       "Requests of the workload trace that are ignored.", set_ignored},
      {"SIMNODECOUNT", "", none, integer(0), "0", simulates, Landed::yes,
       "How many nodes of the resource trace are used; 0: all.",
       into([](Settings & s) -> auto& { return s.simulation.node_count; })},
      {"SIMNODECONFIGURATION", "", none, choice(kNodes), "NORMAL", simulates, Landed::yes,
       "UNIFORM uses only nodes that are configured like the first one.",
       into(
           kNodes, [](Settings & s) -> auto& { return s.simulation.node_configuration; })},
  };
}

}  // namespace

std::vector<Parameter> simulation_parameters() {
  using enum Index;
  using enum Change;
  auto rows = trace_parameters();
  const std::vector<Parameter> course{
      {"SIMSTARTTIME", "", none, epoch(), "[NONE]", simulates, Landed::yes,
       "When the simulation begins; by default at the first submission of the workload.",
       into([](Settings & s) -> auto& { return s.simulation.start_time; })},
      {"SIMSTEPPOLICY", "", none, choice(kSteps), "INTERVAL", at_runtime, Landed::yes,
       "Whether simulated time advances by RMPOLLINTERVAL or from event to event.",
       into(
           kSteps, [](Settings & s) -> auto& { return s.simulation.step; })},
      {"SIMMRRANDOMDELAY", "SIMRMRANDOMDELAY", none, integer(0, 86400), "0", simulates, Landed::yes,
       "Maximum random delay, in seconds, of a call to the simulated resource manager.",
       into([](Settings & s) -> auto& { return s.simulation.random_delay; })},
      {"SIMSTOPITERATION", "", none, integer(-1), "0", at_runtime, Landed::yes,
       "Iteration at which the simulation stops and waits for commands; 0 or -1: none.",
       into([](Settings & s) -> auto& { return s.simulation.stop_iteration; })},
      {"SIMEXITITERATION", "", none, integer(-1), "0", at_runtime, Landed::yes,
       "Iteration at which the simulation ends; 0 or -1: none.",
       into([](Settings & s) -> auto& { return s.simulation.exit_iteration; })},
      {"SIMTIMERATIO", "", none, integer(0, 1000000), "0", at_runtime, Landed::yes,
       "How many times faster than real time the simulation runs; 0: as fast as possible.",
       into([](Settings & s) -> auto& { return s.simulation.time_ratio; })},
      {"SIMAUTOSHUTDOWN", "", none, boolean(), "TRUE", at_runtime, Landed::yes,
       "Whether the simulation ends when no job runs and no waiting job could run.",
       into([](Settings & s) -> auto& { return s.simulation.auto_shutdown; })},
  };
  rows.insert(rows.end(), course.begin(), course.end());
  return rows;
}

}  // namespace maui::config
