// What JOBATTRIBUTEPROGRAM has said of jobs: it outlives the scheduler and failures of the program.
#include <map>
#include <optional>

#include "engine/checkpoint/checkpoint.h"
#include "engine/engine_fixture.h"
#include "maui/local_policies.h"

namespace maui::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// Says the words of each job, or fails.
class SiteProgram final : public LocalPolicies {
 public:
  bool wants(LocalHook hook) const override { return hook == LocalHook::attributes; }
  void ask(LocalQuestion question, Answered answered) override {
    asked.emplace_back();
    std::vector<LocalAnswer> answers;
    for (const LocalJob& job : question.jobs) {
      asked.back().push_back(job.name);
      if (const auto said = words.find(job.name); said != words.end())
        answers.push_back({job.name, said->second});
    }
    answered(fails ? std::nullopt : std::optional(std::move(answers)));
  }
  bool fails = false;
  std::map<std::string, std::string> words;     // by job
  std::vector<std::vector<std::string>> asked;  // the jobs of each question
};

class SiteWordsTest : public EngineTest {
 protected:
  SiteWordsTest() { settings.jobs.sync_time = minutes(10); }
  void begin_with(std::vector<JobReport> jobs) {
    engine().consult_with(program);
    begin(std::move(jobs));
  }
  /// Another scheduler goes on after a minute, and is told of the nodes and these jobs.
  void restart(std::vector<JobReport> jobs) {
    const auto text = checkpoint_text(cluster(), engine().checkpoint());
    auto manager = std::make_unique<ScriptedRm>();
    next_rm = manager.get();
    next.time = kNow + minutes(1);
    second = std::make_unique<Engine>(settings, std::move(manager), next, listener,
                                      [](const Cluster&, const Settings&, Time) { return Plan{}; });
    second->consult_with(program);
    auto read = read_checkpoint_text(text, settings.display.plot, second->names());
    ASSERT_TRUE(read) << read.error().what;
    second->restore(std::move(*read), Seconds(0));
    next_rm->next.nodes = {node_report("n1", procs(2)), node_report("n2", procs(2))};
    next_rm->next.arrived = std::move(jobs);
    second->iterate([] {});
  }
  const Job& again(const std::string& name) {
    return second->cluster().job(job_named(second->cluster(), name));
  }
  static JobReport in_state(JobState state) {
    JobReport report = job_report("a", 1);
    report.job.state = state;
    report.job.started = kNow;
    report.task_list = {"n1"};
    return report;
  }
  bool preemptee(const Job& job) { return has(job.flags, JobFlag::preemptee); }

  SiteProgram program;
  ScriptedRm* next_rm = nullptr;
  HandClock next;
  std::unique_ptr<Engine> second;
};

TEST_F(SiteWordsTest, ARunKeepsThemWhenTheSchedulerRestarts) {
  program.words["a"] = "ACCESSMODE:SINGLEJOB;DMEM:300";
  core_starts("a", "n1", 1);
  begin_with({job_report("a", 1)});
  ASSERT_EQ(job("a").access_asked, NodeAccess::dedicated);
  program.words.clear();
  for (const JobState state : {JobState::running, JobState::suspended}) {
    program.asked.clear();
    restart({in_state(state)});
    EXPECT_EQ(again("a").state, state);
    EXPECT_EQ(again("a").access_asked, NodeAccess::dedicated);
    const Request& request = second->cluster().request_of(again("a").id);
    EXPECT_EQ(request.access.usual, NodeAccess::dedicated);
    EXPECT_EQ(request.requirements.front().per_task.memory(), 300);
    EXPECT_THAT(program.asked, IsEmpty());
  }
}

TEST_F(SiteWordsTest, ARunThatIsNotReportedKeepsThem) {
  settings.jobs.purge_time = minutes(5);
  program.words["a"] = "ACCESSMODE:SINGLEJOB";
  core_starts("a", "n1", 1);
  begin_with({job_report("a", 1)});
  restart({});
  EXPECT_TRUE(again("a").active());
  EXPECT_EQ(again("a").access_asked, NodeAccess::dedicated);
}

TEST_F(SiteWordsTest, ARunKeepsThemAlsoIfItsRequestChangesAndItIsRequeued) {
  program.words["a"] = "FLAGS:PREEMPTEE";
  core_starts("a", "n1", 1);
  begin_with({job_report("a", 1)});
  restart({in_state(JobState::running)});
  JobReport longer = in_state(JobState::running);
  longer.request.limit = hours(2);
  next_rm->next.changed = {longer};
  second->iterate([] {});
  EXPECT_TRUE(preemptee(again("a")));
  const auto text = checkpoint_text(second->cluster(), second->checkpoint());
  EXPECT_THAT(text, HasSubstr("FLAGS:PREEMPTEE"));
}

TEST_F(SiteWordsTest, ThoseOfALastAnswerCountUntilTheProgramAnswersAgain) {
  program.words["a"] = "FLAGS:PREEMPTEE";
  begin_with({job_report("a", 1)});
  program.fails = true;
  restart({job_report("a", 1), job_report("b", 1)});
  EXPECT_TRUE(preemptee(again("a")));
  EXPECT_FALSE(preemptee(again("b")));
  EXPECT_THAT(listener.lines, Contains(HasSubstr("is asked about 2 jobs again")));
  program.asked.clear();
  second->iterate([] {});
  EXPECT_THAT(program.asked, ElementsAre(ElementsAre("a", "b")));
  EXPECT_TRUE(preemptee(again("a")));

  program.fails = false;
  program.words = {{"b", "FLAGS:PREEMPTEE"}};
  second->iterate([] {});
  EXPECT_FALSE(preemptee(again("a")));
  EXPECT_TRUE(preemptee(again("b")));
  EXPECT_THAT(listener.lines, Contains(HasSubstr("JOBATTRIBUTEPROGRAM has answered again")));
  program.asked.clear();
  second->iterate([] {});
  EXPECT_THAT(program.asked, IsEmpty());
}

TEST_F(SiteWordsTest, AJobThatDoesNotWaitAnyMoreIsNotAskedAboutAgain) {
  program.fails = true;
  core_starts("a", "n1", 1);
  begin_with({job_report("a", 1), job_report("b", 1)});
  rm().next.ended = {{"b", JobState::removed, kNow}};
  iterate(minutes(1));
  program.asked.clear();
  iterate(minutes(2));
  EXPECT_THAT(program.asked, IsEmpty());
}

TEST_F(SiteWordsTest, AJobThatComesWhenAnotherOfItsNameEndsHasItsOwn) {
  program.words["a"] = "FLAGS:PREEMPTEE";
  begin_with({job_report("a", 1)});
  program.words["a"] = "ACCESSMODE:SINGLEJOB";
  rm().next.ended = {{"a", JobState::removed, kNow}};
  rm().next.arrived = {job_report("a", 1)};
  iterate(minutes(1));
  EXPECT_FALSE(preemptee(job("a")));
  EXPECT_THAT(checkpoint_text(cluster(), engine().checkpoint()),
              testing::AllOf(HasSubstr("SINGLEJOB"), Not(HasSubstr("PREEMPTEE"))));
}

}  // namespace
}  // namespace maui::test
