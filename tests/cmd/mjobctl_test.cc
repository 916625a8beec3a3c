// mjobctl and mnodectl.
#include <gmock/gmock.h>

#include "cmd/command_fixture.h"

namespace maui::test {
namespace {

using testing::HasSubstr;

/// That of the one job that the command was about.
Outcome only(const JobsReply& reply) { return reply.jobs.empty() ? Outcome{} : reply.jobs.front(); }

struct Mjobctl : CommandTest {};
struct Mnodectl : CommandTest {};

TEST_F(Mjobctl, SuspendsAndResumes) {
  const auto reply = get<JobsReply>("mjobctl -s a");
  EXPECT_EQ(reply.action, JobAction::suspended);
  EXPECT_TRUE(only(reply).done);
  EXPECT_EQ(job("a").state, JobState::suspended);
  EXPECT_EQ(get<JobReply>("checkjob a").state, "Suspended");
  EXPECT_EQ(get<JobReply>("checkjob a").requirements.at(0).partition, "DEFAULT")
      << "that of the nodes to which it returns";
  EXPECT_EQ(get<JobsReply>("mjobctl -r a").action, JobAction::resumed);
  EXPECT_EQ(job("a").state, JobState::running);
  EXPECT_THAT(why_not("mjobctl -r a"), HasSubstr("job 'a' is not suspended"));
}

TEST_F(Mjobctl, AJobThatIsSuspendedByHandStaysSo) {
  get<JobsReply>("mjobctl -s a");
  EXPECT_EQ(job("a").suspension_reason->cause, SuspensionCause::by_hand);
}

TEST_F(Mjobctl, AHeldJobDoesNotResume) {
  get<JobsReply>("mjobctl -s a");
  get<JobsReply>("sethold -u a");
  EXPECT_EQ(why_not("mjobctl -r a"), "job 'a' has a hold in place");
  EXPECT_TRUE(job("a").suspended());
  get<JobsReply>("releasehold -u a");
  EXPECT_EQ(why_not("mjobctl -r a"), "(done)");
  EXPECT_TRUE(job("a").active());
}

TEST_F(Mjobctl, AJobWhoseNodesAreTakenDoesNotResume) {
  get<JobsReply>("mjobctl -s a");
  get<JobsReply>("mjobctl -x b");
  EXPECT_EQ(job("b").state, JobState::running);
  EXPECT_THAT(why_not("mjobctl -r a"), HasSubstr("its nodes are in use"));
}

TEST_F(Mjobctl, RequeuesAndCheckpoints) {
  EXPECT_EQ(get<JobsReply>("mjobctl -R a").action, JobAction::requeued);
  EXPECT_EQ(job("a").state, JobState::idle);
  EXPECT_THAT(why_not("mjobctl -C a"), HasSubstr("job 'a' is not active"));
}

TEST_F(Mjobctl, DoesWhatOtherCommandsDo) {
  EXPECT_EQ(get<JobReply>("mjobctl -q b").name, "b");
  EXPECT_EQ(get<JobsReply>("mjobctl -h b c").action, JobAction::holds_set);
  EXPECT_EQ(job("b").holds, 15);
  EXPECT_EQ(get<JobsReply>("mjobctl -u b").action, JobAction::holds_released);
  EXPECT_EQ(job("b").holds, 0);
  EXPECT_EQ(get<JobsReply>("mjobctl -c b").action, JobAction::cancelled);
}

TEST_F(Mjobctl, ModifiesHoldPriorityAndLimit) {
  EXPECT_EQ(get<JobsReply>("mjobctl -m hold=user,batch b").action, JobAction::modified);
  EXPECT_EQ(job("b").holds, 5);
  get<JobsReply>("mjobctl -m hold-=user b");
  EXPECT_EQ(job("b").holds, 4);
  get<JobsReply>("mjobctl -m hold+=system b");
  EXPECT_EQ(job("b").holds, 6);
  get<JobsReply>("mjobctl -m priority=7 b");
  EXPECT_EQ(job("b").system_priority, (SystemPriority{true, 7}));
  get<JobsReply>("mjobctl -m priority-=7 b");
  EXPECT_EQ(job("b").system_priority, (SystemPriority{false, -7}));
  get<JobsReply>("mjobctl -m wclimit=2:00:00 b");
  EXPECT_EQ(engine().cluster().request_of(job("b").id).limit, hours(2));
  get<JobsReply>("mjobctl -m wclimit=3:00:00 a");
  EXPECT_EQ(engine().cluster().request_of(job("a").id).limit, hours(3)) << "which runs";
  EXPECT_THAT(why_not("mjobctl -m wclimit=4:00:00 a", "amy"), HasSubstr("not authorized"));
}

TEST_F(Mjobctl, SetsThePriority) {
  get<JobsReply>("mjobctl -p 7 b");
  EXPECT_EQ(job("b").system_priority, (SystemPriority{true, 7}));
  get<JobsReply>("mjobctl -p +5 b");
  EXPECT_EQ(job("b").system_priority, (SystemPriority{false, 5}));
  EXPECT_THAT(why_not("mjobctl -p soon b"), HasSubstr("from 0 to 1000"));
  for (const std::string sign : {"+", "-"})
    EXPECT_EQ(why_not("mjobctl -m priority=" + sign + "9 b"),
              "mjobctl: invalid priority=" + sign +
                  "9: priority= sets the system priority, from 0 to 1000; -p " + sign +
                  "9 or -m priority" + sign + "=9 changes the priority by an amount");
  EXPECT_THAT(why_not("mjobctl -p ++9 b"), HasSubstr("invalid priority '++9'"));
  EXPECT_THAT(why_not("mjobctl -m priority+=+9 b"), HasSubstr("invalid priority '+9'"));
  EXPECT_EQ(job("b").system_priority, (SystemPriority{false, 5})) << "as before";
}

TEST_F(Mjobctl, ModifiesTheQosAsSetqosDoes) {
  settings.qos["high"].priority = 5;
  settings.users["amy"].qos_list = std::vector<std::string>{"high"};
  EXPECT_EQ(get<JobsReply>("mjobctl -m qos=high b c").jobs.size(), 2U);
  EXPECT_EQ(get<JobReply>("checkjob b").qos, "high");
  EXPECT_EQ(get<JobReply>("checkjob c").qos, "high");
  EXPECT_THAT(why_not("mjobctl -m qos=nosuch b"), HasSubstr("'nosuch' is not known"));
  EXPECT_THAT(why_not("mjobctl -m qos+=high b"), HasSubstr("expected qos=NAME"));
  EXPECT_TRUE(only(get<JobsReply>("mjobctl -m qos=high c", "amy")).done);
  EXPECT_THAT(why_not("mjobctl -m qos=high b", "bob"), HasSubstr("not authorized to set QOS"));
}

TEST_F(Mjobctl, SaysWhatItExpects) {
  EXPECT_THAT(why_not("mjobctl b"), HasSubstr("expected one of -c, -C"));
  EXPECT_THAT(why_not("mjobctl -s -r b"), HasSubstr("one operation at a time"));
  EXPECT_THAT(why_not("mjobctl -m colour=red b"),
              HasSubstr("expected hold, priority, qos or wclimit"));
  EXPECT_THAT(why_not("mjobctl -m hold=mine b"), HasSubstr("expected user, system, batch"));
  EXPECT_THAT(why_not("mjobctl -m priority=2000 b"), HasSubstr("from 0 to 1000"));
  EXPECT_THAT(why_not("mjobctl -m wclimit=soon b"), HasSubstr("[[[DD:]HH:]MM:]SS"));
  for (const std::string by : {"wclimit+=600", "wclimit-=600", "wclimit=+600"})
    EXPECT_THAT(why_not("mjobctl -m " + by + " b"),
                HasSubstr("invalid " + by +
                          ": a limit is not changed by an amount: expected the "
                          "whole new limit"));
  EXPECT_THAT(why_not("mjobctl -m wclimit=INFINITY b"), HasSubstr("cannot be given INFINITY"));
  EXPECT_THAT(why_not("mjobctl -p +9223372036854775808 b"),
              HasSubstr("invalid priority '+9223372036854775808': expected a whole number from "
                        "-1000000000 to 1000000000"));
  EXPECT_THAT(why_not("mjobctl -p 1001 b"),
              HasSubstr("invalid priority '1001': expected a whole number from 0 to 1000"));
}

TEST_F(Mjobctl, ATypeOfHoldIsNotTakenForAJob) {
  get<JobsReply>("mjobctl -m hold=system,batch b");
  const auto holds = job("b").holds;
  EXPECT_THAT(why_not("mjobctl -h user b"), HasSubstr("-m hold+=user JOB"));
  EXPECT_THAT(why_not("mjobctl -u batch b"), HasSubstr("-m hold-=batch JOB"));
  EXPECT_EQ(job("b").holds, holds);
}

TEST_F(Mjobctl, AnOwnerMayDoWhatTheOtherCommandsAllowHim) {
  EXPECT_THAT(why_not("mjobctl -s a", "amy"), HasSubstr("user amy is not authorized to suspend"));
  EXPECT_THAT(why_not("mjobctl -x c", "amy"), HasSubstr("not authorized"));
  EXPECT_TRUE(only(get<JobsReply>("mjobctl -h c", "amy")).done);
  EXPECT_EQ(job("c").holds, static_cast<int>(Hold::user));
  get<JobsReply>("mjobctl -m hold-=user c", "amy");
  EXPECT_EQ(job("c").holds, 0);
  get<JobsReply>("mjobctl -m hold=user c", "amy");
  EXPECT_EQ(job("c").holds, static_cast<int>(Hold::user));
  get<JobsReply>("sethold -s c");
  for (const char* change : {"hold=none", "hold=user", "hold+=system", "hold-=system"})
    EXPECT_THAT(why_not(std::string("mjobctl -m ") + change + " c", "amy"),
                HasSubstr("may set and release user holds"))
        << change;
  EXPECT_THAT(why_not("mjobctl -m hold+=user c", "bob"),
              HasSubstr("user bob is not authorized to change holds of job 'c'"));
  EXPECT_TRUE(only(get<JobsReply>("mjobctl -c c", "amy")).done);
}

TEST_F(Mjobctl, RunjobSuspendsToo) {
  EXPECT_EQ(get<JobsReply>("runjob -s a").action, JobAction::preempted);
  EXPECT_EQ(job("a").state, JobState::suspended);
}

TEST_F(Mnodectl, TakesNodesOutOfServiceAndBack) {
  const auto reply = get<NodesModifiedReply>("mnodectl -m STATE=down n1 n2");
  EXPECT_EQ(reply.value, "Drained") << "resource managers know no other way";
  EXPECT_EQ(reply.nodes.size(), 2U);
  EXPECT_EQ(get<NodeReply>("checknode n1").state, "Draining") << "a job runs there";
  EXPECT_EQ(get<NodesModifiedReply>("mnodectl -m STATE=idle n[1-2]").value, "Idle");
  EXPECT_EQ(get<NodeReply>("checknode n1").state, "Busy");
}

TEST_F(Mnodectl, TakesTheFormOfRelease33) {
  get<NodesModifiedReply>("mnodectl modify state=drained n2");
  EXPECT_EQ(engine().cluster().node(engine().cluster().find_node("n2")).reported,
            NodeState::drained);
}

TEST_F(Mnodectl, AnInvalidListChangesNoNode) {
  const auto before = get<NodeReply>("checknode n1").state;
  EXPECT_FALSE(succeeded(ask("mnodectl -m STATE=down n1 n[5-")));
  EXPECT_FALSE(succeeded(ask("mnodectl -m STATE=down n1 x[1-1000000]")));
  EXPECT_EQ(get<NodeReply>("checknode n1").state, before);
}

TEST_F(Mnodectl, SaysWhatItExpects) {
  EXPECT_THAT(why_not("mnodectl n1"), HasSubstr("expected -m STATE=IDLE, DRAINED or DOWN"));
  EXPECT_THAT(why_not("mnodectl -m STATE=tired n1"), HasSubstr("unknown state 'tired'"));
  EXPECT_THAT(why_not("mnodectl -m COLOUR=red n1"), HasSubstr("expected STATE="));
  EXPECT_THAT(why_not("mnodectl -m STATE=down n9"), HasSubstr("n9"));
  EXPECT_THAT(why_not("mnodectl -m STATE=down n1", "op"), HasSubstr("not authorized"));
}

}  // namespace
}  // namespace maui::test
