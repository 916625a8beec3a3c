// The situations of guide 5.2.1 in which it matters which nodes a job gets.
#include <gtest/gtest.h>

#include "config/configs.h"
#include "sched/cycle.h"
#include "support/carry_out.h"

namespace maui {
namespace {

using test::decisions;
using test::hours;
using test::kNow;
using test::procs;
using test::Scenario;

std::string planned(const Scenario& scenario, const std::string& policy) {
  const Cluster cluster = Scenario(scenario).build();
  auto settings =
      parsed("RESERVATIONPOLICY NEVER\nNODEALLOCATIONPOLICY " + policy + "\n").settings();
  return decisions(cluster, plan(cluster, settings, kNow));
}

Bound at_least(int megabytes) { return {Comparison::at_least, megabytes}; }

// Nodes of 256 MB and of 1 GB; one job needs 128 MB at least, the next one 512.
TEST(NodeChoiceExamples, MinresourceLeavesTheLargeNodeToWhoNeedsIt) {
  Scenario scenario;
  scenario.node("large", procs(1, 1024)).node("small", procs(1, 256)).job("y").job("x");
  Cluster cluster = scenario.build();
  for (const auto& [name, memory] : {std::pair{"y", 128}, std::pair{"x", 512}}) {
    const auto id = test::job_named(cluster, name);
    Request request = cluster.request_of(id);
    request.requirements.front().memory = at_least(memory);
    cluster.set_request(id, request);
  }
  const auto with = [&](const char* policy) {
    const auto text = std::string("RESERVATIONPOLICY NEVER\nNODEALLOCATIONPOLICY ") + policy + "\n";
    return decisions(cluster, plan(cluster, parsed(text).settings(), kNow));
  };
  EXPECT_EQ(with("MINRESOURCE"), "start y on small:1\nstart x on large:1\n");
  EXPECT_EQ(with("FIRSTAVAILABLE"), "start y on large:1\n");
}

// Above job A there is room for five hours until reservation X, below job B for three: a job of
// three hours below B leaves the other place to one of five.
TEST(NodeChoiceExamples, LastavailableLeavesTheLongPlaceToTheLongJob) {
  Scenario scenario;
  scenario.node("above", procs(1)).node("below", procs(1));
  scenario.reservation("X").on({"above"}).from(kNow + hours(5)).until(hours(9));
  scenario.reservation("X2").on({"below"}).from(kNow + hours(3)).until(hours(9));
  scenario.job("c").limit(hours(3)).job("d").limit(hours(5));
  EXPECT_EQ(planned(scenario, "LASTAVAILABLE"), "start c on below:1\nstart d on above:1\n");
  EXPECT_EQ(planned(scenario, "FIRSTAVAILABLE"), "start c on above:1\n");
}

// 5.2.2.8 and 5.2.2.7
TEST(NodeChoiceExamples, FastestGoesBySpeedAndMaxbalanceByTheSmallestSpan) {
  Scenario scenario;
  scenario.node("slow", procs(1)).change_nodes([](Node& node) { node.speed = 0.5; });
  scenario.node("one", procs(1)).node("other", procs(1));
  scenario.node("fast", procs(1)).change_nodes([](Node& node) { node.speed = 1.75; });
  scenario.job("a").tasks(2);
  EXPECT_EQ(planned(scenario, "FASTEST"), "start a on fast:1 one:1\n");
  EXPECT_EQ(planned(scenario, "MAXBALANCE"), "start a on one:1 other:1\n");
}

}  // namespace
}  // namespace maui
