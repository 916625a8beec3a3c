// A.5: nine queues with priorities of their own on 160 nodes of one processor.
#include <gtest/gtest.h>

#include <iostream>

#include "case_studies/site.h"

namespace maui::test {
namespace {

struct Queue {
  const char* name;
  int least, most;  // nodes
  int minutes;      // longest
  int jobs;
  int memory;  // MB
};
constexpr Queue kQueues[] = {
    {"test", 1, 16, 30, 150, 0},         {"serial", 1, 1, 120, 300, 0},
    {"serial-long", 1, 1, 1440, 60, 0},  {"short", 2, 16, 240, 300, 0},
    {"short-long", 2, 16, 1440, 100, 0}, {"med", 17, 64, 480, 80, 0},
    {"med-long", 17, 64, 1440, 25, 0},   {"large", 65, 80, 1440, 15, 0},
    {"largemem", 1, 1, 480, 100, 1500},
};

std::vector<MadeUpJob> jobs_for_queues() {
  Dice dice(5);
  std::vector<MadeUpJob> jobs;
  for (const Queue& queue : kQueues)
    for (int i = 0; i < queue.jobs; ++i) {
      MadeUpJob job;
      job.user = fmt::format("user{}", dice.between(1, 30));
      job.group = "all";
      job.job_class = queue.name;
      job.tasks = dice.between(queue.least, queue.most);
      job.memory = queue.memory;
      job.limit = kMinute * dice.between(std::min(15, queue.minutes), queue.minutes);
      job.run = Seconds(job.limit.raw() * dice.between(30, 100) / 100);
      job.submitted = kMonday + kMinute * dice.between(0, 7 * 24 * 60);
      jobs.push_back(job);
    }
  return jobs;
}

const std::vector<std::string> kAll{"test", "serial",   "serial-long", "short",   "short-long",
                                    "med",  "med-long", "large",       "largemem"};

void simulate(Site& site) {
  site.add_nodes("lin", 128, Resources(1, 512), kAll);
  site.add_nodes("big", 32, Resources(1, 2048), kAll);
  site.run(kMonday + kDay * 40, jobs_for_queues());
}

/// The site as it is configured, run once for all tests, and how many nodes jobs of more than 16
/// had at most.
struct Ran {
  Ran() : site("a5") {
    site.look = [this](const Cluster& cluster, Time) {
      std::size_t nodes = 0;
      for (const Active& line : cluster.active())
        if (const Job& job = cluster.job(line.job); cluster.request(job.request).total_procs() > 16)
          nodes += job.placement.size();
      most = std::max(most, nodes);
    };
    simulate(site);
  }
  Site site;
  std::size_t most = 0;
};
const Ran& ran() {
  static const Ran ran;
  return ran;
}

double wait_of(const Site& site, const std::string& queue) {
  return site.average_wait([&](const FinishedJob& run) { return run.job_class == queue; });
}

TEST(CaseStudyA5, QueuesOfHigherPriorityWaitLess) {
  const Site& site = ran().site;
  Site equal("a5");
  equal.settings.classes.clear();
  simulate(equal);
  EXPECT_EQ(site.runs.size(), 1130U);
  for (const Queue& queue : kQueues)
    std::cout << fmt::format("{:<12} average wait {:6.2f} h, {:6.2f} h with equal priorities\n",
                             queue.name, wait_of(site, queue.name), wait_of(equal, queue.name));
  EXPECT_LT(wait_of(site, "test"), wait_of(site, "short"));
  EXPECT_LT(wait_of(site, "large"), wait_of(site, "med-long"));
  EXPECT_LT(wait_of(site, "test"), 0.7 * wait_of(equal, "test"));
  EXPECT_LT(wait_of(site, "large"), 0.9 * wait_of(equal, "large"));
}

TEST(CaseStudyA5, OnlyJobsThatNeedMuchMemoryRunOnTheLargeNodes) {
  int jobs = 0;
  for (const FinishedJob& job : ran().site.runs)
    for (const std::string& node : job.nodes) {
      EXPECT_EQ(node.starts_with("big"), job.job_class == "largemem") << job.name;
      jobs += node.starts_with("big") ? 1 : 0;
    }
  EXPECT_EQ(jobs, 100);
}

TEST(CaseStudyA5, JobsOfMoreThanSixteenNodesLeaveSixteenNodesToOthers) {
  const std::size_t most = ran().most;
  std::cout << fmt::format("larger jobs have at most {} of 160 nodes\n", most);
  EXPECT_LE(most, 160U - 32 - 16);
  EXPECT_GT(most, 80U);
}

}  // namespace
}  // namespace maui::test
