#include "compare/run_variant.h"

#include <algorithm>
#include <unordered_map>

#include "compare/wait_reasons.h"
#include "engine/engine.h"
#include "model/credentials.h"
#include "replay/simulation_driver.h"
#include "sched/query/explain.h"
#include "sched/query/reason_words.h"

namespace maui::compare {
namespace {

constexpr int kStepsBetweenReports = 256;   // iterations, or jobs that are listed
constexpr std::size_t kMostPeriods = 4096;  // per job: enough for sums

/// Records the outcome of each job that ends.
class Recorder final : public EngineObserver {
 public:
  using Classes = std::unordered_map<std::string, std::string>;  // by job

  /// `unoffered`: the log's classes of jobs that have no class here.
  Recorder(Outcome& outcome, WaitHistory& waits, const Classes& unoffered)
      : outcome_(outcome), waits_(waits), unoffered_(unoffered) {}

  bool wants(int) const override { return false; }
  void log(int, std::string_view, std::string_view) override {}
  void job_ended(const Cluster& cluster, JobId id, int) override {
    const Job& job = cluster.job(id);
    const auto waits = waits_.take(job);
    if (job.started >= kForever) {
      outcome_.left.push_back({job.name, "removed while it waited"});
      return;
    }
    const Request& request = cluster.request(job.request);
    JobOutcome outcome;
    outcome.name = job.name;
    for (const auto kind : kCredentialKinds) outcome.who[kind] = number(cluster, job, kind);
    outcome.procs = request.total_procs();
    outcome.limit = job.kept_run + request.limit;
    outcome.submitted = job.submitted;
    outcome.started = std::max(job.started, job.submitted);
    outcome.ended = job.ended;
    outcome.run = std::clamp(job.kept_run + (job.ended - job.started - job.suspended_time),
                             Seconds(0), outcome.ended - outcome.submitted);
    outcome.backfilled = has(job.flags, JobFlag::backfill);
    outcome.bypass = cluster.bypasses(job.id);
    outcome.reasons = sums_of(waits);
    outcome_.jobs.push_back(std::move(outcome));
  }

 private:
  /// The cluster drops names without references; the outcome keeps its own.
  std::uint32_t number(const Cluster& cluster, const Job& job, CredentialKind kind) {
    const auto id = number_of(job.credentials, kind);
    std::string name;
    if (id != kNoCredential)
      name = credential_name(cluster, kind, id);
    else if (const auto at = unoffered_.find(job.name);
             kind == CredentialKind::job_class && at != unoffered_.end())
      name = at->second;
    const auto [at, is_new] =
        numbers_[kind].try_emplace(name, static_cast<std::uint32_t>(outcome_.names[kind].size()));
    if (is_new) outcome_.names[kind].push_back(name);
    return at->second;
  }

  Outcome& outcome_;
  WaitHistory& waits_;
  const Classes& unoffered_;
  ByKind<std::unordered_map<std::string, std::uint32_t>> numbers_;
};

void list_targets(const Settings& settings, Outcome& outcome) {
  for (const auto kind : kCredentialKinds)
    for (const auto& [name, credential] : table_of(settings, kind))
      if (credential.fairshare_target && name != "DEFAULT")
        outcome.targets.push_back({kind, name, credential.fairshare_target->percent});
}

/// Returns why a job still waits.  To explain() it may take as long as an iteration.
std::string why_left(const Engine& engine, const WaitHistory& waits, const Job& job) {
  if (!job.hold_reason->empty()) return job.hold_reason->text;
  const auto periods = waits.of(job, engine.now());
  if (!periods.empty() && periods.back().reason != Reason::policy)
    return std::string(reason_words(periods.back().reason));
  const auto found = explain(engine.cluster(), engine.settings(), engine.now(), job.id);
  if (found.limit) return describe(engine.cluster(), *found.limit);
  return std::string(reason_words(periods.empty() ? found.reason : periods.back().reason));
}

/// Lists the jobs that never started, until `go_on` returns false.
void list_left(const Engine& engine, const WaitHistory& waits, const Simulator& simulator,
               Outcome& outcome, const std::function<bool()>& go_on) {
  const Cluster& cluster = engine.cluster();
  int until_report = kStepsBetweenReports;
  for (const Waiting& waiting : cluster.waiting()) {
    const Job& job = cluster.job(waiting.job);
    outcome.left.push_back({job.name, why_left(engine, waits, job)});
    if (--until_report > 0) continue;
    until_report = kStepsBetweenReports;
    if (!go_on()) return;
  }
  for (std::string& name : simulator.never_submitted())
    outcome.left.push_back({std::move(name), "its preceding job never ended"});
}

}  // namespace

Settings replay_settings(Settings settings) {
  settings.server.mode = ServerMode::simulation;
  auto& simulation = settings.simulation;
  simulation.submission = SubmissionPolicy::normal;
  simulation.step = StepPolicy::event;
  simulation.time_ratio = 0;
  simulation.stop_iteration = 0;
  simulation.exit_iteration = 0;
  simulation.auto_shutdown = true;
  simulation.start_time = Time(-1);
  // Predictions that are only displayed are not needed in a replay.
  if (!settings.learning.decides()) settings.learning.use = LearningUse::none;
  return settings;
}

Result<Outcome> run_variant(const std::string& name, const Settings& settings,
                            const ReplayFiles& files,
                            const std::function<bool(const Progress&)>& report_progress) {
  const Settings used = replay_settings(settings);
  TraceSummary summary;
  auto simulator = open_simulator(used, files, summary);
  if (!simulator) return simulator.error();
  Outcome outcome;
  outcome.variant = name;
  outcome.skipped = summary.skipped_jobs;
  outcome.skipped_because = std::move(summary.skipped_because);
  outcome.bad_lines = summary.bad_lines;
  outcome.damaged = summary.damaged;
  outcome.problems = std::move(summary.problems);
  list_targets(used, outcome);
  VirtualClock clock((*simulator)->start_time());
  WaitHistory waits(kMostPeriods);
  Recorder recorder(outcome, waits, summary.unoffered_classes);
  const auto plan = [&waits, inner = cycle_planner()](const Cluster& cluster,
                                                      const Settings& now_set, Time now) {
    Plan made = inner(cluster, now_set, now);
    waits.look(cluster, now_set, made, now);
    return made;
  };
  const Simulator& source = **simulator;
  Engine engine(used, std::move(*simulator), clock, recorder, plan);
  SimulationDriver driver(engine, clock);
  const auto go_on = [&] {
    outcome.unfinished = !report_progress(
        {summary.jobs, static_cast<std::int64_t>(outcome.jobs.size()), clock.now()});
    return !outcome.unfinished;
  };
  int until_report = 0;
  while (driver.state({}) == Driver::State::ready) {
    driver.step();
    if (--until_report > 0) continue;
    until_report = kStepsBetweenReports;
    if (!go_on()) break;
  }
  const Cluster& cluster = engine.cluster();
  outcome.nodes = static_cast<std::int64_t>(cluster.nodes().size());
  for (const Node& node : cluster.nodes()) outcome.procs += node.configured.procs();
  if (!outcome.unfinished) list_left(engine, waits, source, outcome, go_on);
  return outcome;
}

}  // namespace maui::compare
