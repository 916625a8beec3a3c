#include "case_studies/site.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

#include "config/configuration.h"
#include "sim/trace_replayer.h"

namespace maui::test {

Site::Site(const std::string& study) {
  setenv("TZ", "UTC", 1);
  tzset();
  std::vector<Diagnostic> diagnostics;
  const auto loaded = Configuration::load(
      std::string(MAUI_TEST_DATA) + "/case_studies/" + study + "/maui.cfg", diagnostics);
  for (const Diagnostic& diagnostic : diagnostics) ADD_FAILURE() << diagnostic.text();
  if (!loaded) return;
  settings = loaded->settings();
  settings.server.mode = ServerMode::simulation;
  settings.simulation.submission = SubmissionPolicy::normal;
  settings.simulation.step = StepPolicy::event;
  settings.simulation.stop_iteration = 0;
}

void Site::add_nodes(const std::string& prefix, int count, Resources each,
                     const std::vector<std::string>& classes) {
  for (int i = 1; i <= count; ++i) {
    NodeReport report;
    report.node.name = fmt::format("{}{:02}", prefix, i);
    report.node.reported = NodeState::idle;
    report.node.configured = each;
    for (const std::string& name : classes) report.classes.emplace_back(name, each.procs());
    nodes_.push_back(std::move(report));
  }
}

void Site::run(Time until, std::vector<MadeUpJob> jobs) {
  auto workload = std::make_unique<MadeUpWorkload>(std::move(jobs));
  VirtualClock clock(workload->submitted(0));
  Engine engine(settings, std::make_unique<TraceReplayer>(settings, nodes_, std::move(workload)),
                clock, *this);
  while (clock.now() <= until) {
    engine.iterate([] {});
    note(engine.cluster());
    look(engine.cluster(), clock.now());
    const Time next = engine.next_event();
    if (next == kForever) break;
    clock.move_to(std::max(next, clock.now() + Seconds(1)));
  }
  const Statistics& statistics = engine.statistics();
  for (const auto& [group, totals] : statistics.groups)
    proc_hours[engine.cluster().groups[group]] = totals.dedicated_proc_seconds / 3600;
}

void Site::note(const Cluster& cluster) {
  std::int64_t kept = 0;
  for (const ReservationId id : cluster.reservations())
    if (cluster.reservation(id).kind == ReservationKind::job) ++kept;
  most_reservations = std::max(most_reservations, kept);
  for (const Node& node : cluster.nodes()) {
    const auto jobs = static_cast<std::int64_t>(cluster.occupancy(node.id).occupants.size());
    most_shared = std::max(most_shared, jobs);
  }
}

void Site::job_ended(const Cluster& cluster, JobId id, int) {
  const Job& job = cluster.job(id);
  if (job.started == kForever) return;
  FinishedJob run;
  run.name = job.name;
  run.user = cluster.users[job.credentials.user];
  run.group = cluster.groups[job.credentials.group];
  if (job.credentials.job_class.valid()) run.job_class = cluster.classes[job.credentials.job_class];
  run.procs = cluster.request(job.request).total_procs();
  run.limit = cluster.request(job.request).limit;
  run.submitted = job.submitted;
  run.started = job.started;
  run.ended = job.ended;
  for (const NodeTasks& part : job.placement) run.nodes.insert(cluster.node(part.node).name);
  runs.push_back(std::move(run));
}

double Site::average_wait(const std::function<bool(const FinishedJob&)>& counts) const {
  double sum = 0;
  int jobs = 0;
  for (const FinishedJob& run : runs)
    if (counts(run)) {
      sum += run.wait_hours();
      ++jobs;
    }
  return jobs == 0 ? -1 : sum / jobs;
}

double Site::share(const std::string& group) const {
  double all = 0;
  for (const auto& [name, hours] : proc_hours) all += hours;
  const auto at = proc_hours.find(group);
  return at == proc_hours.end() || all <= 0 ? 0 : 100 * at->second / all;
}

}  // namespace maui::test
