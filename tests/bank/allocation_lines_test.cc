#include "bank/allocation_lines.h"

#include <gtest/gtest.h>

namespace maui::test {
namespace {

AllocationRequest debit() {
  AllocationRequest request;
  request.deed = AllocationDeed::debit;
  request.when = Time(1200);
  request.job = "a.1";
  request.user = "amy";
  request.account = "proj";
  request.start = request.began = Time(1000);
  request.procs = 4;
  request.duration = Seconds(200);
  request.amount = 800;
  return request;
}

TEST(AllocationLines, ARequestIsOneLineOfWhatIsKnown) {
  EXPECT_EQ(allocation_line(debit()),
            "DEBIT TIME=1200 JOB=a.1 USER=amy ACCOUNT=proj START=1000 PROCS=4 SECONDS=200 "
            "AMOUNT=800");
}

TEST(AllocationLines, ALienIsLiftedWithoutAnAmount) {
  auto request = debit();
  request.deed = AllocationDeed::release;
  EXPECT_EQ(allocation_line(request),
            "RELEASE TIME=1200 JOB=a.1 USER=amy ACCOUNT=proj START=1000 PROCS=4");
}

TEST(AllocationLines, NodeTypesAreCounted) {
  auto request = debit();
  request.deed = AllocationDeed::release;
  request.node_types = {{"fast", 2}, {"slow", 1}};
  EXPECT_TRUE(allocation_line(request).ends_with(" NODETYPES=fast:2,slow:1"));
}

TEST(AllocationLines, NoNameCanEndTheLineOrMakeAnotherField) {
  auto request = debit();
  request.account = "a b\nDEBIT%\xc3\xa9";
  EXPECT_NE(allocation_line(request).find(" ACCOUNT=a%20b%0ADEBIT%25%C3%A9 "), std::string::npos);
}

TEST(AllocationLines, OverlappingDebitsOfAJobAreTheSame) {
  const auto line = allocation_line(debit());
  const auto known = run_in(line);
  ASSERT_TRUE(known);
  const auto same = [&](const char* job, int start, int end) {
    return known->same_as({AllocationDeed::debit, {job, {}, {Time(start), Time(end)}}});
  };
  EXPECT_TRUE(same("a.1", 1000, 1200));
  EXPECT_TRUE(same("a.1", 1003, 1260)) << "the resource manager's word for it";
  EXPECT_FALSE(same("a.1", 1200, 1300)) << "the next run";
  EXPECT_FALSE(same("a.2", 1000, 1200));
  EXPECT_FALSE(known->same_as({AllocationDeed::release, {"a.1", {}, {Time(1000), Time(1200)}}}));
}

// The clock was set back by 100 seconds during the first run, before the second began.
TEST(AllocationLines, RunsThatOverlapByTheClockButNotByTheSteadyClockAreTwo) {
  auto first = debit(), second = debit();
  first.when = Time(1100);
  second.start = Time(1150);
  second.when = Time(1300);
  second.began = Time(1250);
  second.duration = Seconds(150);
  const auto line = allocation_line(second), other = allocation_line(first);
  EXPECT_NE(line.find(" START=1150 BEGAN=1250 "), std::string::npos) << line;
  EXPECT_FALSE(run_in(line)->same_as(*run_in(other)));
  second.start = Time(4750);  // dated otherwise by now
  const auto again = allocation_line(second);
  EXPECT_TRUE(run_in(again)->same_as(*run_in(line)));
}

TEST(AllocationLines, JobsOfTheSameNameOfTwoManagersAreTwo) {
  auto request = debit();
  request.manager = "base";
  const auto line = allocation_line(request);
  EXPECT_TRUE(line.starts_with("DEBIT TIME=1200 JOB=a.1 RM=base USER=amy ")) << line;
  const auto known = run_in(line);
  ASSERT_TRUE(known);
  const auto same = [&](const char* manager) {
    return known->same_as({AllocationDeed::debit, {"a.1", manager, {Time(1000), Time(1200)}}});
  };
  EXPECT_TRUE(same("base"));
  EXPECT_TRUE(same("")) << "an earlier version did not tell";
  EXPECT_FALSE(same("two"));
}

TEST(AllocationLines, ALineThatIsNoRequestHasNoRun) {
  EXPECT_FALSE(run_in("GRANT TIME=1 JOB=a START=1"));
  EXPECT_FALSE(run_in(""));
}

TEST(AllocationLines, AnAnswerGrantsRefusesOrFailsWithAReason) {
  EXPECT_EQ(parse_allocation_answer("OK\n").verdict, AllocationVerdict::granted);
  const auto refused = parse_allocation_answer("NO only 5 left\r\n");
  EXPECT_EQ(refused.verdict, AllocationVerdict::refused);
  EXPECT_EQ(refused.why, "only 5 left");
  EXPECT_EQ(parse_allocation_answer("ERROR disk full").why, "disk full");
}

TEST(AllocationLines, AnInvalidAnswerIsAFailure) {
  for (const char* line : {"", "OKAY", "HTTP/1.1 200 OK", "\x01"}) {
    const auto answer = parse_allocation_answer(line);
    EXPECT_EQ(answer.verdict, AllocationVerdict::failed) << line;
    EXPECT_NE(answer.why.find("expected OK, NO or ERROR"), std::string::npos);
  }
}

}  // namespace
}  // namespace maui::test
