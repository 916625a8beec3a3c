// An engine with a scripted resource manager and a scripted planner.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "sched/priority/priority.h"
#include "support/scripted_rm.h"
#include "support/set_holds.h"

namespace maui::test {

inline constexpr auto kDefer = static_cast<std::uint8_t>(Hold::defer);

class Listener : public EngineObserver {
 public:
  bool wants(int level) const override { return level <= verbosity; }
  void log(int level, std::string_view facility, std::string_view text) override {
    facilities.emplace_back(facility);
    lines.push_back(std::to_string(level) + " " + std::string(text));
  }
  void log_of(LineCause cause, std::string_view party, int level, std::string_view facility,
              std::string_view text) override {
    log(level, facility, text);
    caused.push_back({cause, std::string(party), std::string(text)});
  }
  void job_ended(const Cluster& cluster, JobId job, int) override {
    ended.push_back(cluster.job(job));
  }
  void job_has_record(const Cluster& cluster, JobId job) override {
    ended.push_back(cluster.job(job));
    ++with_record;
  }
  bool keep_records() override {
    if (on_keep_records) on_keep_records();
    return !records_fail;
  }
  void fairshare_changed(const Cluster&, const FairshareHistory&, const FairshareWindow& window,
                         bool) override {
    ++windows_reported;
    window_reported_last = window;
  }
  bool wants_events() const override { return events_wanted; }
  void event(const Event& event) override { events.push_back(event); }
  void checkpoint_outdated() override { ++outdated; }
  void triggered(const Trigger& trigger, const Reservation& reservation,
                 std::function<void()> begun) override {
    triggered_lines.push_back(reservation.name + " " + trigger.data);
    programs_wait ? waiting.push_back(std::move(begun)) : begun();
  }
  bool pause(std::function<void()> go_on) override {
    if (pauses) go_on_with = std::move(go_on);
    return pauses;
  }
  void begins(Phase phase) override { phases.push_back(phase); }
  void iteration_ended() override { ++iterations; }
  bool keeps_requests() const override { return keeps; }
  void keep_requests(const Cluster& known, const std::vector<CheckpointedJob>& jobs) override {
    kept.emplace_back();
    for (const CheckpointedJob& job : jobs) kept.back().push_back(job_line(known, job));
    if (on_keep) on_keep();
  }
  bool keeps = false;                          // starts
  std::vector<std::vector<std::string>> kept;  // the jobs of each call, as lines
  std::function<void()> on_keep, on_keep_records;
  bool records_fail = false;
  bool pauses = false;
  std::function<void()> go_on_with;  // continues the iteration after the pause
  int verbosity = 1;
  bool events_wanted = false;
  FairshareWindow window_reported_last;
  int windows_reported = 0, iterations = 0, outdated = 0;
  std::vector<Phase> phases;
  std::vector<Event> events;
  std::vector<std::string> lines, triggered_lines;
  bool programs_wait = false;                  // those of triggers are not started at once
  std::vector<std::function<void()>> waiting;  // to be called when they are
  std::vector<std::string> facilities;         // of `lines`
  struct Caused {
    LineCause cause;
    std::string party, text;
    friend bool operator==(const Caused&, const Caused&) = default;
  };
  std::vector<Caused> caused;  // lines that others can cause in any number
  std::vector<Job> ended;
  int with_record = 0;  // of these: a record was there already
};

class EngineTest : public testing::Test {
 protected:
  EngineTest() { settings.node_access = NodeAccess::shared; }

  Engine& engine() {
    if (!engine_) {
      auto manager = std::make_unique<ScriptedRm>();
      rm_ = manager.get();
      engine_ = std::make_unique<Engine>(settings, std::move(manager), clock, listener,
                                         [this](const Cluster& cluster, const Settings&, Time now) {
                                           ++plans;
                                           return core ? core(cluster, now) : Plan{};
                                         });
    }
    return *engine_;
  }
  ScriptedRm& rm() { return engine(), *rm_; }

  /// Runs one iteration at kNow + `at`.
  void iterate(Seconds at = Seconds(0)) {
    clock.time = kNow + at;
    engine().iterate([this] { ++done; });
  }
  /// Runs an iteration that reports two nodes of two processors, and the jobs.
  void begin(std::vector<JobReport> jobs) {
    rm().next.nodes = {node_report("n1", procs(2)), node_report("n2", procs(2))};
    rm().next.arrived = std::move(jobs);
    iterate();
  }

  const Cluster& cluster() { return engine().cluster(); }
  JobId id(const std::string& name) { return job_named(cluster(), name); }
  const Job& job(const std::string& name) { return cluster().job(id(name)); }
  NodeId node(const std::string& name) { return node_named(cluster(), name); }

  /// Returns the first words of the events of this type.
  std::vector<std::string> reported_of(EventType type) {
    std::vector<std::string> lines;
    for (const Event& event : listener.events)
      if (event.type == type) lines.push_back(event.words.front());
    return lines;
  }

  /// Makes the planner start `name` on a node as soon as the job waits.
  void core_starts(const std::string& name, const std::string& on, int tasks,
                   bool backfilled = false) {
    core = [=, this](const Cluster& known, Time now) {
      Plan plan;
      const JobId job = known.find_job(name);
      if (job.valid() && known.job(job).waiting())
        plan.decisions.push_back(
            StartJob{.job = job,
                     .placement = {{known.find_node(on), tasks, 0}},
                     .backfilled = backfilled,
                     .priority = priority_of(known, settings, now, job).priority});
      return plan;
    };
  }

  Settings settings;
  HandClock clock;
  Listener listener;
  std::function<Plan(const Cluster&, Time)> core;  // none: the planner decides nothing
  int plans = 0;
  int done = 0;

 private:
  ScriptedRm* rm_ = nullptr;
  std::unique_ptr<Engine> engine_;
};

}  // namespace maui::test
