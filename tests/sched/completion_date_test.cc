// End dates (guide 16.3.1, field 37): no job runs beyond the date by which it must have ended.
#include <gtest/gtest.h>

#include "sched/cycle.h"
#include "support/carry_out.h"

namespace maui {
namespace {

using test::decisions;
using test::hours;
using test::kNow;
using test::procs;
using test::Scenario;
using test::started;

/// An hour on both processors, with `slack` between its end, if it starts now, and its date.
Cluster one_job(Seconds slack) {
  return Scenario()
      .nodes(1, procs(2))
      .job("a")
      .tasks(2)
      .limit(hours(1))
      .end_date(kNow + hours(1) + slack)
      .build();
}

TEST(CompletionDate, AJobThatEndsOnTheDateStarts) {
  const Cluster cluster = one_job(Seconds(0));
  EXPECT_EQ(started(cluster, plan(cluster, Settings{}, kNow)), "a");
}

TEST(CompletionDate, AJobThatWouldEndASecondLaterIsHeld) {
  Cluster cluster = one_job(Seconds(-1));
  const Plan made = plan(cluster, Settings{}, kNow);
  ASSERT_EQ(made.decisions.size(), 1U);
  const auto& hold = std::get<HoldJob>(made.decisions.front());
  EXPECT_EQ(hold.hold, Hold::batch);
  EXPECT_EQ(hold.reason.text,
            "CompletionDate: the job needs 1:00:00 and cannot end by its completion date");
}

TEST(CompletionDate, AReservationThatWouldPassTheDateIsNotMade) {
  const auto with_slack = [](Seconds slack) {
    return Scenario()
        .nodes(2, procs(1))
        .job("now")
        .running_on({{"n1", 1}})
        .limit(hours(2))
        .job("a")
        .tasks(2)
        .limit(hours(1))
        .end_date(kNow + hours(3) + slack)
        .job("long")
        .tasks(1)
        .limit(hours(9))
        .build();
  };
  const Cluster in_time = with_slack(Seconds(0));
  EXPECT_EQ(decisions(in_time, plan(in_time, Settings{}, kNow)),
            "reserve a in 7200 s on n1:1 n2:1\n");
  // It waits for somebody to end early, and stands in nobody's way.
  const Cluster late = with_slack(Seconds(-1));
  EXPECT_EQ(decisions(late, plan(late, Settings{}, kNow)), "start long on n2:1\n");
}

TEST(CompletionDate, OnlyShapesThatEndInTimeAreTried) {
  const Cluster cluster = Scenario()
                              .nodes(4, procs(1))
                              .job("a")
                              .tasks(1)
                              .limit(hours(4))
                              .end_date(kNow + hours(2))
                              .change_job([](Job& job) {
                                job.alternatives = {{1, hours(4)}, {2, hours(2)}};
                              })
                              .build();
  EXPECT_EQ(decisions(cluster, plan(cluster, Settings{}, kNow)), "start a on n4:1 n3:1\n");
}

}  // namespace
}  // namespace maui
