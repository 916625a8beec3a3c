// The site's own programs: what they are told, how they are heard, and what becomes of those that
// fail.  PRIORITYPROGRAM.
#include "daemon/programs/local_programs.h"

#include <gmock/gmock.h>

#include "daemon/local_simulation.h"

namespace maui {
namespace {

using std::chrono::milliseconds;
using test::LocalSimulation;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

/// One processor, which job 1 has until 100; then it is 2's turn, and 3's at last.
void three_in_a_row(LocalSimulation& simulation) {
  simulation.job(1, 0, 100, 1, 100, 1).job(2, 10, 100, 1, 100, 2).job(3, 20, 100, 1, 100, 3);
}

const char* const kPriority = "PRIORITYPROGRAM mine\n";
const auto kInTurn = ElementsAre(Pair("1", 0), Pair("2", 100), Pair("3", 200));
const auto kThirdFirst = ElementsAre(Pair("1", 0), Pair("2", 200), Pair("3", 100));

TEST(LocalPrograms, ReceiveAllJobsInOneQuestion) {
  LocalSimulation simulation;
  three_in_a_row(simulation);
  simulation.program("mine", "cat >> " + simulation.path("told"));
  simulation.run(kPriority, 1);
  EXPECT_THAT(simulation.complaints, ElementsAre());
  EXPECT_THAT(
      simulation.written("told"),
      HasSubstr("hook priority\nnow 43220\nprocs 0 1\n"
                "job 2 state=Idle user=u2 group=g2 qos=DEFAULT procs=1 nodes=0 limit=100 "
                "submitted=43210 queued=43210\n"
                "job 3 state=Idle user=u3 group=g3 qos=DEFAULT procs=1 nodes=0 limit=100 "
                "submitted=43220 queued=43220\n"
                "job 1 state=Running user=u1 group=g1 qos=DEFAULT procs=1 nodes=0 limit=100 "
                "submitted=43200 queued=43200 started=43200\n"));
}

TEST(LocalPrograms, NoNameAddsALineToTheQuestion) {
  LocalJob job;
  job.name = "x\njob mine user=boss\x1b";
  job.user = "domain users";
  LocalQuestion question;
  question.jobs = {job};
  const auto text = question_text(question);
  EXPECT_THAT(text, HasSubstr("\njob x_job_mine_user=boss? state=Idle user=domain_users "));
  const auto answers = read_local_answer(question, "x_job_mine_user=boss? 7\n");
  ASSERT_TRUE(answers) << answers.error().what;
  EXPECT_EQ(answers->front().job, job.name);
}

TEST(LocalPrograms, AddToThePriorityOfJobs) {
  LocalSimulation simulation;
  three_in_a_row(simulation);
  simulation.program("mine", "grep -q '^job 3 state=Idle' && echo '3 1000.5'; true");
  EXPECT_THAT(simulation.run(kPriority, 1), kThirdFirst);
  EXPECT_THAT(simulation.complaints, ElementsAre());
}

TEST(LocalPrograms, CountAsTheirWeightsSay) {
  LocalSimulation simulation;
  three_in_a_row(simulation);
  simulation.program("mine", "grep -q '^job 3 state=Idle' && echo '3 1000'; true");
  EXPECT_THAT(simulation.run("PRIORITYPROGRAM mine\nLOCALWEIGHT 0\n", 1), kInTurn);
  EXPECT_THAT(simulation.run("PRIORITYPROGRAM mine\nLOCALPRIORITYWEIGHT -1\n", 1), kInTurn);
}

TEST(LocalPrograms, AFailedProgramIsReportedAndTheIterationGoesOn) {
  LocalSimulation simulation;
  three_in_a_row(simulation);
  simulation.program("mine", "cat > /dev/null; echo '3 1000'; exit 3");
  EXPECT_THAT(simulation.run(kPriority, 1), kInTurn);
  ASSERT_FALSE(simulation.complaints.empty());
  EXPECT_THAT(simulation.complaints.front(), HasSubstr("tools/mine: it exited with status 3"));
}

TEST(LocalPrograms, ALateProgramIsKilled) {
  LocalSimulation simulation;
  simulation.job(1, 0, 100, 1, 100, 1).limits({milliseconds(50), 1000});
  simulation.program("mine", "echo '1 1'; sleep 600 & sleep 600");
  EXPECT_THAT(simulation.run(kPriority), ElementsAre(Pair("1", 0)));
  ASSERT_FALSE(simulation.complaints.empty());
  EXPECT_THAT(simulation.complaints.front(), HasSubstr("it took longer than 50 ms"));
}

TEST(LocalPrograms, AProgramThatWritesTooMuchIsKilled) {
  LocalSimulation simulation;
  simulation.job(1, 0, 100, 1, 100, 1).limits({milliseconds(30000), 1000});
  simulation.program("mine", "yes");
  EXPECT_THAT(simulation.run(kPriority), ElementsAre(Pair("1", 0)));
  ASSERT_FALSE(simulation.complaints.empty());
  EXPECT_THAT(simulation.complaints.front(), HasSubstr("its answer is too long"));
}

TEST(LocalPrograms, AMissingProgramIsReportedAndNotAsked) {
  LocalSimulation simulation;
  simulation.job(1, 0, 100, 1, 100, 1);
  EXPECT_THAT(simulation.run(kPriority), ElementsAre(Pair("1", 0)));
  EXPECT_THAT(simulation.complaints, ElementsAre(HasSubstr("PRIORITYPROGRAM has no effect")));
}

TEST(LocalPrograms, AProgramThatReadsNothingMayAnswer) {
  LocalSimulation simulation;
  three_in_a_row(simulation);
  simulation.program("mine", "echo '3 1000'");
  EXPECT_THAT(simulation.run(kPriority, 1), kThirdFirst);
  for (const auto& complaint : simulation.complaints)  // before there was a job 3
    EXPECT_THAT(complaint, HasSubstr("no job '3' was asked about"));
}

TEST(LocalPrograms, InvalidOutputIsReportedWithItsLine) {
  LocalQuestion question;
  question.jobs.resize(2);
  question.jobs[0].name = "a";
  question.jobs[1].name = "b";
  const auto said = [&](const char* text) {
    const auto read = read_local_answer(question, text);
    return read ? std::string("fine") : read.error().what;
  };
  EXPECT_EQ(said("a 1\n\n b  -2.5 \n"), "fine");
  EXPECT_EQ(said("a 1\nc 2\n"), "line 2: no job 'c' was asked about");
  EXPECT_EQ(said("a\n"), "line 1: expected JOB and its value");
  EXPECT_EQ(said("a much\n"), "line 1: invalid number 'much'");
}

TEST(LocalPrograms, TheExampleForPriorityPutsShortJobsFirstByDay) {
  ::setenv("TZ", "UTC", 1);
  LocalSimulation simulation;
  simulation.job(1, 0, 100, 1, 100, 1).job(2, 10, 100, 1, 7200, 2).job(3, 20, 100, 1, 100, 3);
  simulation.example("priority");
  EXPECT_THAT(simulation.run("PRIORITYPROGRAM priority\n", 1), kThirdFirst);
  EXPECT_THAT(simulation.complaints, ElementsAre());
}

}  // namespace
}  // namespace maui
