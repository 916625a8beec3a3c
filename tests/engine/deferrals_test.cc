#include "engine/actions/deferrals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/random_cluster.h"

namespace maui::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Time kLooked{1000};

class DeferralsTest : public testing::Test {
 protected:
  JobId deferred(const std::string& name, Time until, HoldReason why = {"it was refused"}) {
    Job job;
    job.name = name;
    Request request;
    request.requirements.emplace_back().per_task = Resources(1);
    const JobId id = cluster_.add_job(std::move(job), std::move(request));
    JobFailures failures;
    failures.deferred_until = until;
    cluster_.set_failures(id, failures);
    cluster_.set_own_holds(id, static_cast<std::uint8_t>(Hold::defer), std::move(why));
    deferrals_.add(until, id);
    return id;
  }

  Cluster cluster_;
  Deferrals deferrals_;
};

TEST_F(DeferralsTest, EndInTheOrderOfTheirTimes) {
  const JobId late = deferred("late", kLooked), early = deferred("early", kLooked - Seconds(5));
  const JobId later = deferred("later", kLooked + Seconds(7));
  EXPECT_EQ(deferrals_.next(cluster_, kLooked - Seconds(10)), kLooked - Seconds(5));
  EXPECT_THAT(deferrals_.take_over(cluster_, kLooked), ElementsAre(early, late));
  EXPECT_EQ(deferrals_.next(cluster_, kLooked), kLooked + Seconds(7));
  EXPECT_THAT(deferrals_.take_over(cluster_, kLooked + Seconds(7)), ElementsAre(later));
  EXPECT_EQ(deferrals_.next(cluster_, kLooked), kForever);
}

TEST_F(DeferralsTest, OfEqualEndsTheFirstAddedComesFirst) {
  const JobId first = deferred("first", kLooked), second = deferred("second", kLooked);
  EXPECT_THAT(deferrals_.take_over(cluster_, kLooked), ElementsAre(first, second));
}

TEST_F(DeferralsTest, ThatSomebodyEndedBeforeDoNotStand) {
  const JobId released = deferred("released", kLooked);
  const JobId again = deferred("again", kLooked);
  cluster_.set_own_holds(released, 0, {});
  JobFailures failures;
  failures.deferred_until = kLooked + Seconds(60);
  cluster_.set_failures(again, failures);
  deferrals_.add(kLooked + Seconds(60), again);
  EXPECT_EQ(deferrals_.next(cluster_, kLooked), kLooked + Seconds(60));
  EXPECT_THAT(deferrals_.take_over(cluster_, kLooked), IsEmpty());
  EXPECT_THAT(deferrals_.take_over(cluster_, kLooked + Seconds(60)), ElementsAre(again));
}

TEST_F(DeferralsTest, MoveWithTheClock) {
  const JobId job = deferred("one", kLooked);
  JobFailures failures;
  failures.deferred_until = kLooked + Seconds(3600);
  cluster_.set_failures(job, failures);
  deferrals_.shift(Seconds(3600));
  EXPECT_THAT(deferrals_.take_over(cluster_, kLooked), IsEmpty());
  EXPECT_THAT(deferrals_.take_over(cluster_, kLooked + Seconds(3600)), ElementsAre(job));
}

TEST_F(DeferralsTest, ForWantOfResourcesEndWhenNodesBringThem) {
  const JobId waits = deferred("waits", kForever, {"no node", HoldCause::no_resources});
  deferred("refused", kForever);
  EXPECT_THAT(deferrals_.take_feasible(cluster_), IsEmpty());
  Node node;
  node.name = "n1";
  node.configured = Resources(1);
  cluster_.add_node(std::move(node));
  EXPECT_THAT(deferrals_.take_feasible(cluster_), ElementsAre(waits));
  EXPECT_THAT(deferrals_.take_feasible(cluster_), IsEmpty());
}

}  // namespace
}  // namespace maui::test
