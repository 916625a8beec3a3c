#include "metrics/scheduler_metrics.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

#include "engine/engine_fixture.h"
#include "metrics/metric_table.h"

namespace maui::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kBegin = "| metric |", kManual = "docs/manual/metrics.md";

std::string_view word(MetricKind kind) {
  switch (kind) {
    case MetricKind::gauge:
      return "gauge";
    case MetricKind::counter:
      return "counter";
    case MetricKind::histogram:
      return "histogram";
  }
  return {};
}

std::string manual_table() {
  std::string text = "| metric | kind | labels | |\n|--|--|--|--|\n";
  for (const Metric& metric : metrics())
    text += fmt::format("| `{}` | {} | {} | {} |\n", metric.name, word(metric.kind), metric.labels,
                        metric.help);
  return text;
}

class MetricsTest : public EngineTest {
 protected:
  std::string text() { return metrics_text(engine(), times, state, counts); }
  /// A line of the text, "maui_jobs{state=\"idle\"} 2".
  void expect(const std::string& line) { EXPECT_THAT(text(), HasSubstr("\n" + line + "\n")); }

  IterationTimes times;
  ServerState state{1.5, 100, false, false};
  ServerCounts counts;
};

TEST_F(MetricsTest, TheManualIsThatOfTheTable) {
  const std::string path = std::string(MAUI_SOURCE "/") + std::string(kManual);
  std::ifstream in(path);
  std::string page(std::istreambuf_iterator<char>(in), {});
  if (std::getenv("MAUI_WRITE_MANUAL") != nullptr) {
    const auto begin = page.find(kBegin), end = page.find("\n\n", begin);
    page.replace(begin, end + 1 - begin, manual_table());
    std::ofstream(path) << page;
  }
  EXPECT_THAT(page, HasSubstr(manual_table() + "\n"))
      << kManual << " is old: run this test with MAUI_WRITE_MANUAL=yes";
}

TEST_F(MetricsTest, EveryMetricIsServedAndNoOther) {
  auto waiting = job_report("a", 1);
  waiting.job_class = "batch";
  begin({waiting});
  core_starts("a", "n1", 1);
  iterate(Seconds(10));
  rm().next.ended = {{"a", JobState::completed, kNow + Seconds(20), 0}};
  auto next = job_report("b", 1);
  next.job_class = "batch";
  rm().next.arrived = {next};
  iterate(Seconds(30));
  std::set<std::string> served, known;
  std::istringstream lines(text());
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("# TYPE ")) served.insert(line.substr(7));
  const auto all = text();
  for (const Metric& metric : metrics()) {
    known.insert(fmt::format("{} {}", metric.name, word(metric.kind)));
    const bool has_value = all.find(fmt::format("\n{}{{", metric.name)) != all.npos ||
                           all.find(fmt::format("\n{} ", metric.name)) != all.npos ||
                           all.find(fmt::format("\n{}_count", metric.name)) != all.npos;
    EXPECT_TRUE(has_value) << metric.name;
    std::istringstream labels{std::string(metric.labels)};
    for (std::string label; labels >> label;)
      EXPECT_THAT(
          all, testing::ContainsRegex(fmt::format("\n{}[a-z_]*.[^\n]*{}=\"", metric.name, label)));
  }
  EXPECT_EQ(served, known);
}

TEST_F(MetricsTest, TheQueueAndTheMachineAreCountedByState) {
  auto held = job_report("c", 1);
  held.job_class = "long";
  begin({job_report("a", 2), job_report("b", 1), held});
  ASSERT_TRUE(set_holds(engine(), id("c"), static_cast<std::uint8_t>(Hold::user)));
  core_starts("a", "n1", 2);
  iterate(Seconds(10));
  ASSERT_TRUE(engine().set_node_state(node("n2"), NodeState::down));
  expect("maui_jobs{state=\"active\"} 1");
  expect("maui_jobs{state=\"idle\"} 1");
  expect("maui_jobs{state=\"held\"} 1");
  expect("maui_jobs{state=\"suspended\"} 0");
  expect("maui_class_jobs{class=\"long\",state=\"held\"} 1");
  expect("maui_class_jobs{class=\"\",state=\"active\"} 1");
  expect("maui_qos_jobs{qos=\"DEFAULT\",state=\"active\"} 1");
  expect("maui_nodes{state=\"available\"} 1");
  expect("maui_nodes{state=\"down\"} 1");
  expect("maui_processors{state=\"available\"} 2");
  expect("maui_processors_dedicated 2");
  expect("maui_processors_free 0");
  expect("maui_nodes_occupied 1");
}

TEST_F(MetricsTest, AJobOfAnotherQosIsCountedThere) {
  begin({job_report("a", 1)});
  const QosId high = engine().names().qos.intern("high");
  ASSERT_TRUE(engine().set_qos(id("a"), high));
  expect("maui_qos_jobs{qos=\"high\",state=\"idle\"} 1");
}

TEST_F(MetricsTest, TheDashboardAsksForNothingThatThereIsNot) {
  std::ifstream in(MAUI_SOURCE "/etc/grafana/maui.json");
  const std::string board(std::istreambuf_iterator<char>(in), {});
  std::set<std::string> known;
  for (const Metric& metric : metrics()) {
    known.emplace(metric.name);
    if (metric.kind == MetricKind::histogram) known.insert(std::string(metric.name) + "_bucket");
  }
  const std::regex name("maui_[a-z_]+");
  int found = 0;
  for (std::sregex_iterator at(board.begin(), board.end(), name), end; at != end; ++at, ++found)
    EXPECT_TRUE(known.contains(at->str())) << at->str();
  EXPECT_GT(found, 20);
}

TEST_F(MetricsTest, PhasesOfAnIterationAreMeasured) {
  const IterationTimes::Moment start{};
  const auto at = [&](int ms) { return start + std::chrono::milliseconds(ms); };
  times.begins(Phase::poll, at(0));
  times.begins(Phase::apply, at(100));
  times.begins(Phase::plan, at(104));
  times.ends(at(200));
  expect("maui_iterations_total 1");
  expect("maui_iteration_seconds_sum 0.2");
  expect("maui_iteration_phase_seconds_sum{phase=\"poll\"} 0.1");
  expect("maui_iteration_phase_seconds_bucket{phase=\"apply\",le=\"0.005\"} 1");
  expect("maui_iteration_phase_seconds_bucket{phase=\"apply\",le=\"0.0025\"} 0");
  expect("maui_iteration_phase_seconds_count{phase=\"refresh\"} 0");
}

TEST_F(MetricsTest, AnIterationReportsItsPhasesInOrder) {
  begin({job_report("a", 1)});
  EXPECT_THAT(listener.phases, testing::ElementsAre(Phase::poll, Phase::apply, Phase::refresh,
                                                    Phase::plan, Phase::carry_out));
  EXPECT_EQ(listener.iterations, 1);
}

TEST_F(MetricsTest, TheCountsOfTheServerAreShown) {
  counts.commands = {3, 100, 2};
  counts.http = {1, 50, 4};
  counts.event_streams = 7;
  counts.lines.count("ALERT: a");
  counts.lines.count("WARNING: b");
  counts.lines.count("all is well");
  state.checkpoint_failing = true;
  expect("maui_connections{protocol=\"command\"} 3");
  expect("maui_requests_total{protocol=\"http\"} 50");
  expect("maui_clients_refused_total{protocol=\"http\"} 4");
  expect("maui_log_lines_total{severity=\"alert\"} 1");
  expect("maui_log_lines_total{severity=\"error\"} 0");
  expect("maui_event_streams 7");
  expect("maui_checkpoint_failing 1");
  expect("maui_healthy 0");
}

TEST_F(MetricsTest, NoNameBeginsALineOfItsOwnOrEndsALabel) {
  auto hostile = job_report("a", 1);
  hostile.job_class = "x\"} 1\nmaui_evil 1\x1b[2J\xff";
  begin({hostile});
  const auto all = text();
  EXPECT_THAT(all, Not(HasSubstr("\nmaui_evil")));
  EXPECT_THAT(all, HasSubstr("class=\"x\\\"} 1?maui_evil 1?[2J?\""));
}

TEST_F(MetricsTest, HealthSaysWhatIsWrongAndQuotesNobody) {
  begin({});
  EXPECT_TRUE(health_of(engine(), state).problems.empty());
  rm().down = "secret words of host 10.0.0.7";
  iterate(Seconds(10));
  state.memory_short = state.checkpoint_failing = true;
  state.iteration_age = 1000;
  const auto health = health_of(engine(), state);
  EXPECT_THAT(health.problems,
              testing::ElementsAre("no iteration has ended for 1000 s",
                                   "resource manager 'scripted' does not answer",
                                   "the checkpoint cannot be written", "memory is short"));
  EXPECT_THAT(health_as_json(health), Not(HasSubstr("10.0.0.7")));
  EXPECT_THAT(health_as_json(health), HasSubstr("{\"healthy\":false,\"problems\":[\"no iter"));
}

TEST_F(MetricsTest, AResourceManagerThatHasNotReportedIsNotAnEmptyQueue) {
  rm().down = "nobody listens";
  iterate();
  EXPECT_THAT(health_of(engine(), state).problems,
              testing::ElementsAre("resource manager 'scripted' has not reported yet"));
  expect("maui_resource_manager_reported{name=\"scripted\"} 0");
  EXPECT_THAT(text(), Not(HasSubstr("\nmaui_jobs{")));
  EXPECT_THAT(text(), Not(HasSubstr("\nmaui_processors_free ")));
  rm().down.reset();
  iterate(Seconds(10));
  EXPECT_TRUE(health_of(engine(), state).problems.empty());
  expect("maui_resource_manager_reported{name=\"scripted\"} 1");
  expect("maui_jobs{state=\"active\"} 0");
  // Once it has, its silence is another matter.
  rm().down = "nobody listens";
  iterate(Seconds(20));
  EXPECT_THAT(health_of(engine(), state).problems,
              testing::ElementsAre("resource manager 'scripted' does not answer"));
  expect("maui_resource_manager_reported{name=\"scripted\"} 1");
  expect("maui_jobs{state=\"active\"} 0");
}

TEST_F(MetricsTest, AStoppedSchedulerIsHealthyButASchedulerThatNeverIteratedIsNot) {
  state.iteration_age.reset();
  state.up = 1000;
  EXPECT_THAT(health_of(engine(), state).problems,
              testing::ElementsAre("no iteration has ended for 1000 s"));
  engine().stop_rule().stopped = true;
  const auto health = health_of(engine(), state);
  EXPECT_TRUE(health.problems.empty());
  EXPECT_THAT(health_as_json(health),
              HasSubstr("\"iteration_age\":null,\"scheduling\":\"stopped\""));
}

}  // namespace
}  // namespace maui::test
