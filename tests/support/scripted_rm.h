// A resource manager that reports what a test specifies, answers when the test says so, and records
// the requests it receives.
#pragma once
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "maui/clock.h"
#include "maui/resource_manager.h"
#include "support/scenario.h"

namespace maui::test {

/// A clock that a test sets.
class HandClock : public Clock {
 public:
  Time now() const override { return time; }
  void catch_up(Time answered) override { time = std::max(time, answered); }
  Time time = kNow;
};

class ScriptedRm : public ResourceManager {
 public:
  Update next;                      // reported by the next poll, then emptied
  std::optional<std::string> down;  // polls fail, with this reason
  std::optional<std::string> refuses_starts, refuses_cancels, refuses_preemption,
      refuses_checkpoints, refuses_resumption, refuses_limits;
  bool unanswered = false;                // what it refuses, it does not answer instead
  Obstacle obstacle = Obstacle::unknown;  // of refused starts
  std::string refused_job;                // the only job whose start is refused; empty: all
  bool reports_starts = false;  // a started job stays "starting" until a status reports it running
  bool answers_later = false;   // answers wait until answer_all()
  bool shows = false;           // users see notices about their jobs
  std::vector<JobNotice> noted;
  std::vector<RmRecord> kept_records;  // returned by records()
  std::optional<std::string> refuses_nodes;
  Seconds limit_set{0};            // by the last set_limit()
  CancelCause cancelled_for{};     // by the last cancel()
  Time event = kForever;           // returned by next_event()
  std::vector<std::string> asked;  // "start a on n1:2", "cancel a", "requeue a"

  std::vector<std::function<void()>> take_answers() { return std::exchange(held_, {}); }
  void answer_all() {
    for (const auto& one : take_answers()) one();
  }

  std::string_view name() const override { return "scripted"; }
  Time next_event() const override { return event; }
  bool shows_notices() const override { return shows; }
  void note(const std::vector<JobNotice>& notices) override { noted = notices; }
  void poll(const Cluster&, Time, std::function<void(Result<Update>)> done) override {
    if (down) return answer([done, why = *down] { done(Error{why}); });
    auto report = std::make_shared<Update>(std::exchange(next, {}));
    answer([done, report] { done(std::move(*report)); });
  }
  void start(const Job& job, const Cluster& cluster, Time, Started done) override {
    asked.push_back("start " + job.name + " on " + show(cluster, job.placement));
    const bool refused = refused_job.empty() || refused_job == job.name;
    answer([done, why_not = refused ? refuses_starts : std::nullopt, what = obstacle] {
      done(why_not ? StartAnswer(Error{*why_not}, what) : StartAnswer(Done{}));
    });
  }
  void cancel(const Job& job, CancelCause why, Time, Answer done) override {
    cancelled_for = why;
    asked.push_back("cancel " + job.name);
    answer(done, refuses_cancels);
  }
  void requeue(const Job& job, Time, Answer done) override {
    asked.push_back("requeue " + job.name);
    answer(done, refuses_preemption);
  }
  void suspend(const Job& job, Time, Answer done) override {
    asked.push_back("suspend " + job.name);
    answer(done, refuses_preemption);
  }
  void resume(const Job& job, Time, Answer done) override {
    asked.push_back("resume " + job.name);
    answer(done, refuses_resumption);
  }
  void checkpoint(const Job& job, Time, Answer done) override {
    asked.push_back("checkpoint " + job.name);
    answer(done, refuses_checkpoints ? refuses_checkpoints : refuses_preemption);
  }
  void set_limit(const Job&, Seconds limit, Time, Answer done) override {
    limit_set = limit;
    answer(done, refuses_limits);
  }
  void modify_node(const Node& node, NodeState, const std::string& user, Time,
                   Answer done) override {
    asked.push_back("modify " + node.name + (user.empty() ? "" : " for " + user));
    answer(done, refuses_nodes);
  }
  std::vector<RmRecord> records() const override { return kept_records; }
  bool reports_job_starts() const override { return reports_starts; }

 private:
  void answer(const Answer& done, const std::optional<std::string>& why_not) {
    answer([done, why_not, unanswered = unanswered] {
      done(why_not ? Status(Error{*why_not, unanswered}) : Status(Done{}));
    });
  }
  void answer(std::function<void()> say) {
    if (answers_later)
      held_.push_back(std::move(say));
    else
      say();
  }
  std::vector<std::function<void()>> held_;
};

/// Builds reports for `ScriptedRm::next`.
inline NodeReport node_report(const std::string& name, Resources configured) {
  NodeReport report;
  report.node.name = name;
  report.node.reported = NodeState::idle;
  report.node.configured = std::move(configured);
  return report;
}

inline JobReport job_report(const std::string& name, int tasks, Seconds limit = hours(1)) {
  JobReport report;
  report.name = name;
  report.user = "amy";
  report.group = "staff";
  report.job.submitted = kNow;
  report.request.requirements.front().tasks = tasks;
  report.request.limit = limit;
  return report;
}

}  // namespace maui::test
