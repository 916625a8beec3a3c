// A scheduler, its clock and a resource manager that computes its answers some seconds after the
// requests, by the same clock.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "daemon/worlds/live_driver.h"
#include "rm/wiki_resource_manager.h"
#include "support/scripted_rm.h"
#include "support/silent_observer.h"

namespace maui {
namespace {

using std::chrono::seconds;
using test::kNow;

/// Keeps requests until the test answers them.
class PatientLink final : public WikiLink {
 public:
  struct Asked {
    WikiRequest request;
    std::function<void(WikiAnswer)> done;
  };
  explicit PatientLink(std::vector<Asked>& asked) : asked_(asked) {}
  void ask(const WikiRequest& request, std::function<void(WikiAnswer)> done) override {
    asked_.push_back({request, std::move(done)});
  }

 private:
  std::vector<Asked>& asked_;
};

class EndsKept final : public test::SilentObserver {
 public:
  void job_ended(const Cluster& cluster, JobId id, int) override {
    const Job& job = cluster.job(id);
    ended[job.name] = {job.started, job.ended};
  }
  std::map<std::string, std::pair<Time, Time>> ended;
};

/// Runs of this length, of jobs that come every second, with answers that take so long.
struct Slowness {
  int run, latency;
};

class SlowManagerTest : public testing::TestWithParam<Slowness> {
 protected:
  SlowManagerTest() {
    settings_.poll_interval = Seconds(1);
    settings_.fairshare.metric = FairshareMetric::dedicated_proc_seconds;
    WikiManagerOptions options;
    options.now = [this] { return clock_.reading(); };
    options.clock_was_set = [this] { return clock_.was_set(); };
    engine_.emplace(
        settings_,
        std::make_unique<WikiResourceManager>(options, std::make_unique<PatientLink>(asked_)),
        clock_, ends_);
    driver_.emplace(
        *engine_, clock_, [this] { return wall_; }, [] { return std::chrono::nanoseconds(0); });
  }

  struct Run {
    Time submitted, started = kForever, ended = kForever;
  };

  void pass(int some) {
    for (; some > 0; --some) {
      machine_ = machine_ + Seconds(1);
      wall_ += seconds(1);
      passed_ += seconds(1);
      if (jobs_.size() < kJobs) jobs_[fmt::format("j{}", jobs_.size())] = {machine_};
      for (auto& [name, run] : jobs_)
        if (run.started < kForever && machine_ >= run.started + Seconds(GetParam().run))
          run.ended = std::min(run.ended, machine_);
    }
  }

  std::string list() const {
    std::string text = fmt::format("{}", jobs_.size());
    for (const auto& [name, run] : jobs_) {
      text +=
          fmt::format("#{}:UNAME=ann;WCLIMIT=600;TASKS=1;QUEUETIME={};", name, run.submitted.raw());
      if (run.started < kForever)
        text += fmt::format("TASKLIST=n1;STARTTIME={};", run.started.raw());
      if (run.ended < kForever) text += fmt::format("COMPLETETIME={};", run.ended.raw());
      text += run.ended < kForever     ? "STATE=Completed;"
              : run.started < kForever ? "STATE=Running;"
                                       : "STATE=Idle;";
    }
    return text;
  }

  std::string answer_to(const WikiRequest& request) {
    if (request.command == "GETNODES") return "1#n1:STATE=Idle;CPROC=64;CMEMORY=64000;";
    if (request.command == "STARTJOB") jobs_.at(request.argument).started = machine_;
    return request.command == "GETJOBS" ? list() : "";
  }

  void answer_all() {
    while (!asked_.empty()) {
      const auto one = std::move(asked_.front());
      asked_.erase(asked_.begin());
      const bool reports = one.request.command.starts_with("GET");
      if (one.request.command == "GETJOBS") pass(GetParam().latency);
      const auto text = answer_to(one.request);
      if (one.request.command == "GETJOBS") pass(1);  // on its way
      one.done({WikiReply{kWikiDone, text, reports}, true, std::nullopt});
    }
  }

  static constexpr std::size_t kJobs = 40;
  Time machine_ = kNow;
  std::chrono::nanoseconds passed_{0};
  Driver::WallTime wall_{seconds(5000)};
  LiveClock clock_{[this] { return std::chrono::seconds(machine_.raw()); },
                   [this] { return passed_; }};
  std::vector<PatientLink::Asked> asked_;
  std::map<std::string, Run> jobs_;
  Settings settings_;
  EndsKept ends_;
  std::optional<Engine> engine_;
  std::optional<LiveDriver> driver_;
};

TEST_P(SlowManagerTest, EachRunIsAsLongAsItReports) {
  for (int turn = 0; turn < 400 && ends_.ended.size() < kJobs; ++turn) {
    if (driver_->state(wall_) == Driver::State::ready) driver_->step();
    answer_all();
    pass(1);
  }
  ASSERT_EQ(ends_.ended.size(), kJobs);
  std::int64_t seconds_run = 0;
  for (const auto& [name, run] : ends_.ended) {
    EXPECT_EQ(run.first, jobs_[name].started) << name;
    EXPECT_EQ(run.second, jobs_[name].ended) << name;
    seconds_run += GetParam().run;
  }
  EXPECT_EQ(engine_->statistics().all.run_seconds, seconds_run);
  double charged = 0;
  for (const auto& window : engine_->fairshare().windows) charged += window.total;
  EXPECT_EQ(charged, static_cast<double>(seconds_run));
}
INSTANTIATE_TEST_SUITE_P(RunsAndLatencies, SlowManagerTest,
                         testing::Values(Slowness{1, 0}, Slowness{2, 2}, Slowness{6, 3},
                                         Slowness{2, 14}, Slowness{30, 5}));

}  // namespace
}  // namespace maui
