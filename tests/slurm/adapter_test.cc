#include "slurm/adapter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cluster_builders.h"
#include "slurm/start_note.h"

namespace maui::slurm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class AdapterTest : public testing::Test {
 protected:
  AdapterTest() {
    slurm_.cluster.jobs = {waiting(7), waiting(8), running(9, "n2")};
    slurm_.cluster.nodes = {node("n1"), node("n2")};
  }
  WikiReply ask(const std::string& body) { return adapter_.answer(*read_wiki_request(body), kNow); }

  FakeController slurm_;
  Adapter adapter_{slurm_, Seconds(30)};
};

TEST_F(AdapterTest, ReportsNodesAndJobsAllOrByName) {
  EXPECT_THAT(ask("CMD=GETNODES ARG=0:ALL").text, testing::StartsWith("2#n1:STATE=Idle;"));
  EXPECT_THAT(ask("CMD=GETNODES ARG=0:n2").text, testing::StartsWith("1#n2:"));
  const auto all = ask("CMD=GETJOBS ARG=0:ALL");
  EXPECT_TRUE(all.data);
  EXPECT_THAT(all.text, testing::StartsWith("3#7:STATE=Idle;"));
  EXPECT_THAT(ask("CMD=GETJOBS ARG=0:9").text, testing::StartsWith("1#9:STATE=Running;"));
}

TEST_F(AdapterTest, WarnsOnceOfAResourceThatIsTooMuchToCount) {
  slurm_.cluster.nodes[0].gres = slurm_.cluster.nodes[1].gres = "gpu:2,space:30G";
  EXPECT_THAT(ask("CMD=GETNODES ARG=0:ALL").text, HasSubstr("space:2147483647"));
  EXPECT_THAT(adapter_.take_warnings(), ElementsAre(HasSubstr("generic resource 'space'")));
  ask("CMD=GETNODES ARG=0:ALL");
  EXPECT_THAT(adapter_.take_warnings(), IsEmpty());
}

TEST_F(AdapterTest, AStartIsOneUpdate) {
  EXPECT_FALSE(ask("CMD=STARTJOB ARG=7 TASKLIST=n1").failed());
  ASSERT_THAT(slurm_.changes, SizeIs(1));
  EXPECT_EQ(slurm_.changes[0].required_nodes, "n1");
  EXPECT_THAT(ask("CMD=GETJOBS ARG=0:7").text, HasSubstr("STATE=Starting;"));
}

// sbatch -O -n 100
TEST_F(AdapterTest, AnOvercommittedJobHasTheCpusThatSlurmGivesIt) {
  slurm_.cluster.jobs[0].tasks = 100;
  slurm_.cluster.jobs[0].min_nodes = 13;  // Slurm's guess
  slurm_.cluster.jobs[1].tasks = 100;
  slurm_.cluster.jobs[1].max_nodes = 2;  // -N1-2
  EXPECT_THAT(ask("CMD=GETJOBS ARG=0:7").text,
              testing::AllOf(HasSubstr("TASKS=1;"), Not(HasSubstr("NODES="))));
  EXPECT_FALSE(ask("CMD=STARTJOB ARG=7 TASKLIST=n1").failed());
  ASSERT_THAT(slurm_.changes, SizeIs(1));
  EXPECT_EQ(slurm_.changes[0].required_nodes, "n1");
  EXPECT_EQ(slurm_.changes[0].min_nodes, std::nullopt) << "Slurm would count CPUs by the tasks";
  EXPECT_EQ(slurm_.changes[0].excluded_nodes, std::nullopt);
  EXPECT_FALSE(ask("CMD=STARTJOB ARG=8 TASKLIST=n1").failed());
  EXPECT_EQ(slurm_.changes[1].excluded_nodes, "n2") << "Slurm would take both";
}

// sbatch -N2-4: Slurm counts one CPU until the job starts.
TEST_F(AdapterTest, ARangeOfNodesWithoutTasksIsNoOvercommitment) {
  Job& job = slurm_.cluster.jobs[0];
  job.tasks = job.min_nodes = 2;
  job.max_nodes = 4;
  EXPECT_THAT(
      ask("CMD=GETJOBS ARG=0:7").text,
      testing::AllOf(HasSubstr("TASKS=2;"), HasSubstr("NODES=2;"), HasSubstr("MAXNODES=4;")));
  EXPECT_FALSE(ask("CMD=STARTJOB ARG=7 TASKLIST=n1:n2").failed());
  ASSERT_THAT(slurm_.changes, SizeIs(1));
  EXPECT_EQ(slurm_.changes[0].required_nodes, "n1,n2");
  EXPECT_EQ(slurm_.changes[0].min_nodes, 2);
}

// It had six CPUs, which Slurm forgets when the start is taken back.
TEST_F(AdapterTest, AJobThatComesBackWithFewerCpusIsNotOvercommitted) {
  Job& job = slurm_.cluster.jobs[0];
  job.tasks = 6;
  job.cpus = 2;
  job.admin_comment = "maui nodes=1-0 set=2 cpus=1";
  EXPECT_THAT(ask("CMD=GETJOBS ARG=0:7").text, HasSubstr("TASKS=6;"));
  job.admin_comment += " over=1";
  slurm_.changed = true;
  EXPECT_THAT(ask("CMD=GETJOBS ARG=0:7").text, HasSubstr("TASKS=2;"));
}

TEST_F(AdapterTest, NoJobIsStartedTwice) {
  ask("CMD=STARTJOB ARG=7 TASKLIST=n1");
  const auto again = ask("CMD=STARTJOB ARG=7 TASKLIST=n1");
  EXPECT_TRUE(again.failed());
  EXPECT_THAT(again.text, HasSubstr("already"));
  EXPECT_THAT(slurm_.changes, SizeIs(1));
}

// Slurm keeps the nodes and the priority of an update that breaks a limit of the partition.
TEST_F(AdapterTest, AStartThatSlurmCarriesOutInSpiteOfItsErrorIsCountedOnce) {
  slurm_.refusal = "Slurm: Requested partition configuration not available now";
  const auto reply = ask("CMD=STARTJOB ARG=7 TASKLIST=n1");
  EXPECT_FALSE(reply.failed()) << reply.text;
  EXPECT_THAT(ask("CMD=GETJOBS ARG=0:7").text,
              testing::AllOf(HasSubstr("STATE=Starting;"), Not(HasSubstr("REJCOUNT="))));
  slurm_.cluster.jobs[0].reason = "PartitionInactive";
  slurm_.changed = true;
  EXPECT_THAT(ask("CMD=GETJOBS ARG=0:7").text,
              testing::AllOf(HasSubstr("STATE=Idle;"), HasSubstr("REJCOUNT=1;")));
  EXPECT_THAT(ask("CMD=GETJOBS ARG=0:7").text, HasSubstr("REJCOUNT=1;"));
}

TEST_F(AdapterTest, AJobThatRunsThoughItsStartWasAnsweredWithAnErrorWasStarted) {
  ask("CMD=GETJOBS ARG=0:ALL");
  slurm_.refusal = "Slurm: Requested partition configuration not available now";
  slurm_.runs_at_once = true;
  EXPECT_FALSE(ask("CMD=STARTJOB ARG=7 TASKLIST=n1").failed());
  EXPECT_THAT(ask("CMD=GETJOBS ARG=0:7").text, HasSubstr("STATE=Running;"));
}

TEST_F(AdapterTest, AStartThatSlurmDoesNotCarryOutIsRefused) {
  slurm_.refusal = "Slurm: Invalid node name specified";
  slurm_.carries_out = false;
  const auto reply = ask("CMD=STARTJOB ARG=7 TASKLIST=n1");
  EXPECT_EQ(reply.code, kWikiRefused);
  EXPECT_THAT(reply.text, HasSubstr("Invalid node name"));
  adapter_.look(kNow + Seconds(60));
  EXPECT_THAT(slurm_.changes, SizeIs(1)) << "there is nothing to take back";
  slurm_.refusal.clear();
  EXPECT_FALSE(ask("CMD=STARTJOB ARG=7 TASKLIST=n1").failed());
}

TEST_F(AdapterTest, AJobThatIsCancelledBeforeItsStartWasNotStarted) {
  ask("CMD=GETJOBS ARG=0:ALL");
  slurm_.cluster.jobs[0] = ended(7, JobState::cancelled);
  slurm_.refusal = "Slurm: Job/step already completing or completed";
  slurm_.carries_out = false;
  EXPECT_EQ(ask("CMD=STARTJOB ARG=7 TASKLIST=n1").code, kWikiRefused);
}

TEST_F(AdapterTest, AStartOfUnknownOutcomeDoesNotCountAgainstTheJob) {
  ask("CMD=GETJOBS ARG=0:ALL");
  slurm_.failure = "Slurm: Unable to contact slurm controller";
  const auto reply = ask("CMD=STARTJOB ARG=7 TASKLIST=n1");
  EXPECT_EQ(obstacle_of(reply.code, reply.text), Obstacle::passes);
  EXPECT_THAT(reply.text, HasSubstr("Unable to contact"));
}

TEST_F(AdapterTest, RefusesJobsThatSlurmWouldNotStart) {
  slurm_.cluster.jobs[0].dependency = "afterok:8";
  EXPECT_THAT(ask("CMD=STARTJOB ARG=7 TASKLIST=n1").text, HasSubstr("afterok:8"));
  EXPECT_THAT(ask("CMD=STARTJOB ARG=77 TASKLIST=n1").text, HasSubstr("no job 77"));
  EXPECT_THAT(slurm_.changes, IsEmpty());
}

TEST_F(AdapterTest, TheLastLicenceGoesToOneJob) {
  slurm_.cluster.licenses = {{"matlab", 1}};
  slurm_.cluster.jobs[0].licenses = slurm_.cluster.jobs[1].licenses = "matlab";
  EXPECT_FALSE(ask("CMD=STARTJOB ARG=7 TASKLIST=n1").failed());
  EXPECT_THAT(ask("CMD=STARTJOB ARG=8 TASKLIST=n2").text, HasSubstr("1 licence 'matlab'"));
}

TEST_F(AdapterTest, TasksOfAnArrayStartUnderTheirOwnNames) {
  Job record = waiting(20);
  record.array_job = 20;
  record.array_tasks = "0-3";
  slurm_.cluster.jobs.push_back(record);
  EXPECT_FALSE(ask("CMD=STARTJOB ARG=20_2 TASKLIST=n1").failed());
  EXPECT_EQ(slurm_.changes.back().job, "20_2");
  EXPECT_TRUE(ask("CMD=STARTJOB ARG=20_4 TASKLIST=n1").failed());
}

// Those that share a record wait for their own tasks, whatever becomes of the others.
TEST_F(AdapterTest, ATaskStartsWhenThatWhichItWaitsForHasSucceeded) {
  Job record = waiting(30), bad = ended(21, JobState::failed, 1), good = ended(22);
  record.array_job = 30;
  record.array_tasks = "1-2";
  record.dependency = "aftercorr:20_*(unfulfilled)";
  bad.array_job = good.array_job = 20;
  bad.array_task = 1;
  good.array_task = 2;
  slurm_.cluster.jobs = {record, bad, good};
  EXPECT_EQ(ask("CMD=STARTJOB ARG=30_1 TASKLIST=n1").code, kWikiNever);
  const auto reply = ask("CMD=STARTJOB ARG=30_2 TASKLIST=n1");
  EXPECT_FALSE(reply.failed()) << reply.text;
}

TEST_F(AdapterTest, NoMoreTasksOfAnArrayStartThanMayRunAtOnce) {
  Job record = waiting(20), task = running(21, "n1");
  record.array_job = task.array_job = 20;
  record.array_tasks = "1-3";
  record.array_limit = 1;
  task.array_task = 0;
  slurm_.cluster.jobs = {record, task};
  EXPECT_THAT(ask("CMD=STARTJOB ARG=20_1 TASKLIST=n1").text, HasSubstr("its array"));
  slurm_.cluster.jobs[1].state = JobState::complete;
  slurm_.changed = true;
  ask("CMD=GETJOBS ARG=0:ALL");
  EXPECT_FALSE(ask("CMD=STARTJOB ARG=20_1 TASKLIST=n1").failed());
}

TEST_F(AdapterTest, AJobThatCameBackRestsWhenANodeComesBackLater) {
  slurm_.cluster.jobs[0].restarts = 1;
  slurm_.cluster.jobs[0].submitted = kNow - Seconds(10);
  slurm_.cluster.nodes[0].state = NodeState::down;
  EXPECT_THAT(ask("CMD=GETJOBS ARG=0:7").text, Not(HasSubstr("STARTDATE=")));
  slurm_.cluster.nodes[0].state = NodeState::idle;
  slurm_.changed = true;
  EXPECT_THAT(ask("CMD=GETJOBS ARG=0:7").text,
              HasSubstr("STARTDATE=" + std::to_string((kNow + Seconds(3)).raw())));
  EXPECT_THAT(ask("CMD=GETJOBS ARG=0:8").text, Not(HasSubstr("STARTDATE="))) << "it has not run";
}

TEST_F(AdapterTest, OtherCommandsGoToSlurm) {
  ask("CMD=CANCELJOB ARG=9 TYPE=ADMIN");
  ask("CMD=SUSPENDJOB ARG=9");
  ask("CMD=RESUMEJOB ARG=9");
  ask("CMD=REQUEUEJOB ARG=9");
  ask("CMD=SIGNALJOB ARG=9 ACTION=signal VALUE=SIGTERM");
  ask("CMD=SIGNALJOB ARG=9 ACTION=signal VALUE=10");
  EXPECT_THAT(slurm_.calls, ElementsAre("kill 9 9", "suspend 9", "resume 9", "requeue 9",
                                        "kill 9 15", "kill 9 10"));
}

TEST_F(AdapterTest, AJobThatIsNotToBeRequeuedMayBeAfterAll) {
  slurm_.cluster.jobs[2].requeue = false;
  ask("CMD=GETJOBS ARG=0:ALL");
  ask("CMD=REQUEUEJOB ARG=9");
  ASSERT_THAT(slurm_.changes, SizeIs(1));
  EXPECT_TRUE(slurm_.changes[0].allow_requeue);
  EXPECT_THAT(slurm_.calls, ElementsAre("requeue 9"));
}

TEST_F(AdapterTest, JobsOfAnExclusivePartitionHaveTheirNodesAlone) {
  ask("CMD=GETJOBS ARG=0:ALL");
  EXPECT_THAT(ask("CMD=GETJOBS ARG=0:7").text, Not(HasSubstr("DEDICATED")));
  slurm_.cluster.partitions = {partition("batch", "n1,n2")};
  slurm_.cluster.partitions[0].exclusive = true;
  slurm_.changed = true;
  EXPECT_THAT(ask("CMD=GETJOBS ARG=0:7").text, HasSubstr("DEDICATED"));
}

TEST_F(AdapterTest, TasksThatAreCountedByTheGpuHaveTheirGpus) {
  slurm_.cluster.jobs[0].tasks = slurm_.cluster.jobs[0].cpus = 3;
  slurm_.cluster.jobs[0].tasks_per_gpu = 1;
  slurm_.changed = true;
  EXPECT_THAT(ask("CMD=GETJOBS ARG=0:7").text, HasSubstr("DGRES=gpu:1;"));
  slurm_.cluster.jobs[0].tres_per_job = "gres:gpu:6";
  slurm_.changed = true;
  EXPECT_THAT(ask("CMD=GETJOBS ARG=0:7").text, HasSubstr("DGRES=gpu:2;")) << "it says how many";
}

TEST_F(AdapterTest, NodesAreDrainedForAReasonThatNamesTheUser) {
  EXPECT_FALSE(ask("CMD=MODIFYNODE ARG=n1 STATE=Drained USER=ann").failed());
  EXPECT_FALSE(ask("CMD=MODIFYNODE ARG=n1 STATE=Idle USER=ann").failed());
  EXPECT_THAT(slurm_.calls,
              ElementsAre("drain n1 (maui: mnodectl by ann)", "resume n1 (maui: mnodectl by ann)"));
}

TEST_F(AdapterTest, WarnsWhileSlurmConfDoesNotUseTheGate) {
  EXPECT_EQ(ask("CMD=GETWARNINGS ARG=0:ALL").text, "0#");
  slurm_.cluster.no_gate = "no gate: Slurm starts jobs by itself";
  slurm_.changed = true;
  adapter_.look(kNow);
  EXPECT_EQ(ask("CMD=GETWARNINGS ARG=0:ALL").text,
            "1#gate:MESSAGE=no gate\\: Slurm starts jobs by itself;");
}

TEST_F(AdapterTest, AModificationIsWholeOrRefused) {
  EXPECT_FALSE(ask("CMD=MODIFYJOB ARG=7 TIMELIMIT=90 BANK=chem").failed());
  EXPECT_EQ(slurm_.changes.back().limit, 90u);
  EXPECT_EQ(slurm_.changes.back().account, "chem");
  EXPECT_THAT(ask("CMD=MODIFYJOB ARG=7 BANK=chem TIMELIMIT=soon").text,
              HasSubstr("invalid TIMELIMIT 'soon'"));
  EXPECT_THAT(ask("CMD=MODIFYJOB ARG=7 COLOUR=red").text, HasSubstr("COLOUR"));
  EXPECT_THAT(slurm_.changes, SizeIs(1));
}

TEST_F(AdapterTest, RefusesUnknownCommandsAndSignals) {
  EXPECT_EQ(ask("CMD=DANCE ARG=7").code, kWikiMalformed);
  EXPECT_EQ(ask("CMD=SIGNALJOB ARG=9 ACTION=signal VALUE=SIGNOTHING").code, kWikiMalformed);
}

TEST_F(AdapterTest, ReportsAFailureOfSlurm) {
  slurm_.failure = "Slurm: Unable to contact slurm controller";
  for (const char* body : {"CMD=GETJOBS ARG=0:ALL", "CMD=GETNODES ARG=0:ALL",
                           "CMD=STARTJOB ARG=7 TASKLIST=n1", "CMD=CANCELJOB ARG=9 TYPE=ADMIN"}) {
    const auto reply = ask(body);
    EXPECT_TRUE(reply.failed()) << body;
    EXPECT_THAT(reply.text, HasSubstr("Unable to contact")) << body;
  }
}

TEST_F(AdapterTest, ALookSaysWhetherAnythingChanged) {
  EXPECT_TRUE(adapter_.look(kNow));
  EXPECT_FALSE(adapter_.look(kNow));
  slurm_.changed = true;
  EXPECT_TRUE(adapter_.look(kNow));
}

TEST_F(AdapterTest, APollIsAnsweredOutOfOneLook) {
  const auto loads_of_poll = [this] {
    slurm_.loads = 0;
    for (const char* body :
         {"CMD=GETNODES ARG=0:ALL", "CMD=GETRESERVATIONS ARG=0:ALL", "CMD=GETJOBS ARG=0:ALL"})
      EXPECT_FALSE(ask(body).failed());
    return slurm_.loads.load();
  };
  EXPECT_EQ(loads_of_poll(), 1);
  EXPECT_EQ(loads_of_poll(), 1) << "each anew";
  adapter_.look(kNow);
  EXPECT_EQ(loads_of_poll(), 1) << "nobody was told of that look";
  slurm_.changed = true;
  adapter_.look(kNow, Adapter::Asked::at_once);
  EXPECT_EQ(loads_of_poll(), 0) << "it has seen what the scheduler asks for";
  slurm_.changed = true;
  adapter_.look(kNow, Adapter::Asked::at_once);
  ask("CMD=CANCELJOB ARG=9 TYPE=ADMIN");
  EXPECT_EQ(loads_of_poll(), 1) << "what was asked for shows";
}

TEST_F(AdapterTest, JobNoticesShowAfterTheNextLook) {
  EXPECT_FALSE(ask("CMD=NOTEJOBS ARG=ALL 7=1000060 8=\"held: no account\"").failed());
  adapter_.look(kNow);
  ASSERT_THAT(slurm_.changes, SizeIs(2));
  EXPECT_THAT(*slurm_.changes[0].admin_comment, HasSubstr("planned to start"));
  EXPECT_EQ(slurm_.changes[1].admin_comment, "maui: held: no account");
  EXPECT_FALSE(ask("CMD=STARTJOB ARG=7 TASKLIST=n1").failed()) << "it is none of maui's notes";
}

TEST_F(AdapterTest, AStartIsNotedWithTheGenerationOfTheLease) {
  EXPECT_FALSE(ask("CMD=STARTJOB ARG=7 GENERATION=6 TASKLIST=n1").failed());
  ASSERT_THAT(slurm_.changes, SizeIs(1));
  const auto note = read_note(*slurm_.changes[0].admin_comment);
  ASSERT_TRUE(note);
  EXPECT_EQ(note->generation, 6);
}

TEST_F(AdapterTest, AGenerationChangesNothingOnceANewerGenerationStartsJobs) {
  ask("CMD=GETJOBS ARG=0:ALL GENERATION=6");
  ask("CMD=NOTEJOBS ARG=ALL GENERATION=6 8=\"held: no account\"");
  slurm_.cluster.jobs[2].admin_comment = "maui start=1000000 generation=7 nodes=1-0 set=1 cpus=1";
  slurm_.cluster.jobs[0].priority = 1;  // it would be held again
  slurm_.changed = true;
  adapter_.look(kNow);
  for (const char* command :
       {"STARTJOB ARG=7 GENERATION=6 TASKLIST=n1", "CANCELJOB ARG=9 GENERATION=6",
        "MODIFYJOB ARG=8 GENERATION=6 TIMELIMIT=5"}) {
    const auto reply = ask(std::string("CMD=") + command);
    EXPECT_EQ(reply.code, kWikiRefused) << command;
    EXPECT_THAT(reply.text, HasSubstr("generation 6 of the lease is over: generation 7"))
        << command;
  }
  EXPECT_FALSE(ask("CMD=GETJOBS ARG=0:ALL GENERATION=6").failed());
  EXPECT_THAT(slurm_.changes, IsEmpty());
  EXPECT_THAT(slurm_.calls, IsEmpty());
}

// The count begins anew where a pair was given up and another made.
TEST_F(AdapterTest, EarlierStartsOfAHigherGenerationDoNotCount) {
  slurm_.cluster.jobs[2].admin_comment = "maui start=999999 generation=7 nodes=1-0 set=1 cpus=1";
  ask("CMD=GETJOBS ARG=0:ALL GENERATION=1");
  EXPECT_FALSE(ask("CMD=STARTJOB ARG=7 GENERATION=1 TASKLIST=n1").failed());
  EXPECT_FALSE(ask("CMD=CANCELJOB ARG=9 GENERATION=1").failed());
}

TEST_F(AdapterTest, ALookTakesBackAStartThatCameToNothing) {
  ask("CMD=STARTJOB ARG=7 TASKLIST=n1");
  adapter_.look(kNow + Seconds(30));
  EXPECT_THAT(slurm_.changes, SizeIs(1));
  adapter_.look(kNow + Seconds(31));
  ASSERT_THAT(slurm_.changes, SizeIs(2));
  EXPECT_EQ(slurm_.changes[1].gate, Change::Gate::close);
  EXPECT_THAT(ask("CMD=GETJOBS ARG=0:7").text, HasSubstr("STATE=Idle;"));
  EXPECT_THAT(ask("CMD=GETJOBS ARG=0:7").text, Not(HasSubstr("HOSTLIST")));
}

}  // namespace
}  // namespace maui::slurm
