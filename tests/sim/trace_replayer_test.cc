#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "maui/cluster.h"
#include "maui/settings.h"
#include "sim/open_simulator.h"
#include "sim/trace_text.h"

namespace maui {
namespace {

using test::Folder;
using test::job_line;
using test::node_line;
using test::with;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A simulation on one node; jobs are j1, j2, ... submitted 100 s apart from time 1000 on.
struct ReplayTest : testing::Test {
  ReplayTest() {
    settings.simulation.resource_trace = "nodes";
    settings.simulation.workload_trace = "jobs";
    settings.simulation.submission = SubmissionPolicy::normal;
    settings.node_access = NodeAccess::shared;
    nodes = {node_line("n1"), node_line("n2"), node_line("n3")};
    for (int i = 0; i < 5; ++i)
      jobs.push_back(
          with(job_line("j" + std::to_string(i + 1)), 9, std::to_string(1000 + 100 * i)));
  }

  void open() {
    folder.write("nodes", nodes);
    folder.write("jobs", jobs);
    auto opened = open_simulator(settings, folder.path(), summary);
    ASSERT_TRUE(opened) << opened.error().what;
    simulator = *std::move(opened);
  }

  Update poll(std::int64_t now) {
    Update update;
    simulator->poll(cluster, Time(now), [&](Result<Update> got) { update = *std::move(got); });
    for (const auto& report : update.arrived) {
      Job job = report.job;
      job.name = report.name;
      cluster.add_job(job, report.request);
    }
    return update;
  }

  /// The jobs that have come by then, which are left out of the cluster.
  std::vector<JobReport> come(std::int64_t now) {
    std::vector<JobReport> jobs_come;
    simulator->poll(cluster, Time(now),
                    [&](Result<Update> got) { jobs_come = std::move(got->arrived); });
    return jobs_come;
  }

  Job named(const std::string& name) {
    Job job;
    job.name = name;
    return job;
  }
  /// Adds the nodes n1, n2 and so on.
  void add_nodes(std::initializer_list<double> speeds) {
    for (const double speed : speeds) {
      Node node;
      node.name = "n" + std::to_string(cluster.nodes().size() + 1);
      node.speed = speed;
      cluster.add_node(std::move(node));
    }
  }
  /// The limit of the job depends on the speed of its nodes.
  Job named_by_speed(const std::string& name) {
    Request request;
    request.by_speed = true;
    Job job = named(name);
    job.request = cluster.job(cluster.add_job(named("of that request"), request)).request;
    return job;
  }
  Status start(const std::string& name, std::int64_t now) {
    Status answer = Done{};
    simulator->start(named(name), cluster, Time(now), [&](Status got) { answer = got; });
    // For the queue's depth it is enough that the job is no longer in it.
    if (const auto id = cluster.find_job(name); answer && id.valid()) cluster.forget_job(id);
    return answer;
  }
  static std::vector<std::string> names(const Update& update) {
    std::vector<std::string> found;
    for (const auto& job : update.arrived) found.push_back(job.name);
    return found;
  }
  static std::vector<std::string> ends(const Update& update) {
    std::vector<std::string> found;
    for (const auto& end : update.ended)
      found.push_back(end.name + "@" + std::to_string(end.when.raw()));
    return found;
  }

  Folder folder;
  Settings settings;
  TraceSummary summary;
  std::vector<std::string> nodes, jobs;
  std::unique_ptr<Simulator> simulator;
  Cluster cluster;
};

TEST_F(ReplayTest, NodesComeWithTheFirstPollOnly) {
  open();
  EXPECT_EQ(poll(1000).nodes.size(), 3U);
  EXPECT_THAT(poll(1000).nodes, IsEmpty());
}

TEST_F(ReplayTest, NormalBeginsWithTheFirstSubmissionAndSubmitsAsRecorded) {
  open();
  EXPECT_EQ(simulator->start_time(), Time(1000));
  EXPECT_THAT(names(poll(1000)), ElementsAre("j1"));
  EXPECT_EQ(simulator->next_event(), Time(1100));
  EXPECT_THAT(names(poll(1099)), IsEmpty());
  const auto later = poll(1250);
  EXPECT_THAT(names(later), ElementsAre("j2", "j3"));
  EXPECT_EQ(later.arrived.front().job.submitted, Time(1100));
  EXPECT_FALSE(later.exhausted);
  EXPECT_TRUE(poll(2000).exhausted);
  EXPECT_EQ(simulator->next_event(), kForever);
}

TEST_F(ReplayTest, TheLastOfVeryManyArrivalsAreReportedOneByOne) {
  jobs.clear();
  for (int i = 0; i < 1500; ++i)
    jobs.push_back(with(job_line("j" + std::to_string(i + 1)), 9, "1000"));
  open();
  auto update = poll(1000);
  ASSERT_EQ(update.arrived.size() + update.more.count, 1500U);
  ASSERT_GT(update.more.count, 0U);
  EXPECT_TRUE(update.exhausted);
  for (auto i = update.arrived.size(); i < 1500; ++i)
    ASSERT_EQ(update.more.next().name, "j" + std::to_string(i + 1));
  EXPECT_EQ(poll(1001).more.count, 0U);
  EXPECT_EQ(simulator->next_event(), kForever);
}

TEST_F(ReplayTest, SimStartTimeSetsTheClock) {
  settings.simulation.start_time = Time(1150);
  open();
  EXPECT_EQ(simulator->start_time(), Time(1150));
  EXPECT_THAT(names(poll(1150)), ElementsAre("j1", "j2"));
}

TEST_F(ReplayTest, AJobEndsWhenItsRecordedRunTimeIsOver) {
  open();
  poll(1000);
  ASSERT_TRUE(start("j1", 1000));
  EXPECT_EQ(simulator->next_event(), Time(1100));
  EXPECT_THAT(ends(poll(1299)), IsEmpty());
  const auto update = poll(1360);
  EXPECT_THAT(ends(update), ElementsAre("j1@1300")) << "with the time at which it ended";
  EXPECT_EQ(update.ended.front().state, JobState::completed);
}

TEST_F(ReplayTest, AJobThatWasRemovedWhileItRanEndsRemoved) {
  jobs[0] = with(jobs[0], 7, "Removed");
  open();
  poll(1000);
  ASSERT_TRUE(start("j1", 1000));
  EXPECT_EQ(poll(1300).ended.front().state, JobState::removed);
}

TEST_F(ReplayTest, EndsAreReportedInTheOrderInWhichTheyHappen) {
  jobs[1] = with(jobs[1], 12, "1150");  // runs 50 s
  open();
  poll(1200);
  ASSERT_TRUE(start("j1", 1200));
  ASSERT_TRUE(start("j2", 1200));
  ASSERT_TRUE(start("j3", 1200));
  EXPECT_THAT(ends(poll(1500)), ElementsAre("j2@1250", "j1@1500", "j3@1500"));
}

TEST_F(ReplayTest, ACancelledJobThatRunsHasEndedRemovedAtTheNextPoll) {
  open();
  poll(1000);
  ASSERT_TRUE(start("j1", 1000));
  Status answer = Error{};
  simulator->cancel(named("j1"), CancelCause::asked, Time(1010), [&](Status got) { answer = got; });
  EXPECT_TRUE(answer);
  EXPECT_EQ(simulator->next_event(), Time(1010));
  const auto update = poll(1060);
  EXPECT_THAT(ends(update), ElementsAre("j1@1010"));
  EXPECT_EQ(update.ended.front().state, JobState::removed);
  EXPECT_THAT(ends(poll(1400)), IsEmpty());
  simulator->cancel(named("j1"), CancelCause::asked, Time(1400), [&](Status got) { answer = got; });
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().what, HasSubstr("job j1 is not known"));
}

TEST_F(ReplayTest, ACancelledJobThatWaitsIsGoneAtOnce) {
  open();
  poll(1000);
  Status answer = Error{};
  simulator->cancel(named("j1"), CancelCause::asked, Time(1000), [&](Status got) { answer = got; });
  EXPECT_TRUE(answer);
  EXPECT_THAT(ends(poll(1000)), IsEmpty());
  EXPECT_FALSE(start("j1", 1000));
}

TEST_F(ReplayTest, TheNextEventIsAlwaysLaterThanTheLastPoll) {
  open();
  poll(1000);
  ASSERT_TRUE(start("j1", 1000));
  simulator->cancel(named("j1"), CancelCause::asked, Time(1000), [](Status) {});
  EXPECT_EQ(simulator->next_event(), Time(1001));
}

TEST_F(ReplayTest, ARequeuedJobRunsItsWholeTimeAgain) {
  open();
  poll(1000);
  ASSERT_TRUE(start("j1", 1000));
  Status answer = Error{};
  simulator->requeue(named("j1"), Time(1200), [&](Status got) { answer = got; });
  EXPECT_TRUE(answer);
  EXPECT_THAT(ends(poll(1300)), IsEmpty());
  ASSERT_TRUE(start("j1", 1300));
  EXPECT_THAT(ends(poll(1599)), IsEmpty());
  EXPECT_THAT(ends(poll(1600)), ElementsAre("j1@1600"));
}

TEST_F(ReplayTest, ASuspendedJobRunsForTheRestOnceItResumes) {
  open();
  poll(1000);
  ASSERT_TRUE(start("j1", 1000));
  Status answer = Error{};
  simulator->suspend(named("j1"), Time(1200), [&](Status got) { answer = got; });
  EXPECT_TRUE(answer);
  EXPECT_THAT(ends(poll(1900)), IsEmpty());
  EXPECT_THAT(start("j1", 1900).error().what, HasSubstr("runs already"));
  simulator->resume(named("j1"), Time(2000), [&](Status got) { answer = got; });
  EXPECT_TRUE(answer);
  EXPECT_THAT(ends(poll(2099)), IsEmpty());
  EXPECT_THAT(ends(poll(2100)), ElementsAre("j1@2100"));
  simulator->resume(named("j1"), Time(2200), [&](Status got) { answer = got; });
  EXPECT_FALSE(answer);
}

TEST_F(ReplayTest, ACheckpointedJobGoesOnWhereItWas) {
  open();
  poll(1000);
  ASSERT_TRUE(start("j1", 1000));
  simulator->checkpoint(named("j1"), Time(1200), [](Status) {});
  ASSERT_TRUE(start("j1", 1500));
  EXPECT_THAT(ends(poll(1599)), IsEmpty());
  EXPECT_THAT(ends(poll(1600)), ElementsAre("j1@1600"));
}

TEST_F(ReplayTest, WithUSEMACHINESPEEDTheSlowestNodeDecidesHowLongAJobRuns) {
  open();
  add_nodes({0.5, 2.0});
  poll(1000);
  Job job = named_by_speed("j1");
  const auto begin = [&](std::initializer_list<NodeTasks> placement, std::int64_t now) {
    job.placement = placement;
    simulator->start(job, cluster, Time(now), [](const Status& got) { EXPECT_TRUE(got); });
  };
  const NodeTasks slow{cluster.nodes().front().id, 1}, fast{cluster.nodes().back().id, 1};
  begin({slow, fast}, 1000);  // 300 s at speed 1
  simulator->suspend(job, Time(1200), [](const Status&) {});
  simulator->resume(job, Time(2000), [](const Status&) {});
  simulator->checkpoint(job, Time(2200), [](const Status&) {});  // 100 s are left
  begin({fast}, 3000);
  EXPECT_THAT(ends(poll(3049)), IsEmpty());
  EXPECT_THAT(ends(poll(3050)), ElementsAre("j1@3050"));
}

// So a replay of what a simulation has recorded gives the same runs.
TEST_F(ReplayTest, WithUSEMACHINESPEEDARecordedRunIsThatOnTheRecordedNodes) {
  settings.node.machine_speed = true;
  jobs[0] = with(jobs[0], 38, "n1:n2");  // 300 s at speed 0.5
  open();
  add_nodes({2.0, 0.5, 0.75});
  poll(1000);
  Job job = named_by_speed("j1");
  const auto begin = [&](std::size_t node, std::int64_t now) {
    job.placement = {{cluster.nodes()[node].id, 1}};
    simulator->start(job, cluster, Time(now), [](const Status& got) { EXPECT_TRUE(got); });
    return simulator->next_event().raw() - now;
  };
  const auto stop = [&](std::int64_t now) {
    simulator->requeue(job, Time(now), [](const Status&) {});
  };
  poll(2000);
  EXPECT_EQ(begin(1, 2000), 300);
  stop(2010);
  EXPECT_EQ(begin(0, 2010), 75);
  stop(2020);
  EXPECT_EQ(begin(2, 2020), 200);
}

TEST_F(ReplayTest, AJobThatWasRequeuedWhileSuspendedBeginsAnew) {
  open();
  poll(1000);
  ASSERT_TRUE(start("j1", 1000));
  simulator->suspend(named("j1"), Time(1200), [](Status) {});
  simulator->requeue(named("j1"), Time(1250), [](Status) {});
  ASSERT_TRUE(start("j1", 1300));
  EXPECT_THAT(ends(poll(1599)), IsEmpty());
  EXPECT_THAT(ends(poll(1600)), ElementsAre("j1@1600"));
}

TEST_F(ReplayTest, WithADelayAJobIsStartingUntilItRuns) {
  settings.simulation.random_delay = 60;
  open();
  EXPECT_TRUE(simulator->reports_job_starts());
  poll(1000);
  ASSERT_TRUE(start("j1", 1000));
  const Update later = poll(1060);
  ASSERT_EQ(later.statuses.size(), 1U);
  EXPECT_EQ(later.statuses.front().name, "j1");
  EXPECT_EQ(later.statuses.front().state, JobState::running);
  EXPECT_THAT(ends(poll(1361)),
              ElementsAre("j1@" + std::to_string(later.statuses.front().started.raw() + 300)));
  EXPECT_TRUE(poll(1362).statuses.empty()) << "it is told once";
}

TEST_F(ReplayTest, StartsOnlyWhatWaits) {
  open();
  poll(1000);
  ASSERT_TRUE(start("j1", 1000));
  EXPECT_THAT(start("j1", 1000).error().what, HasSubstr("runs already"));
  EXPECT_THAT(start("j9", 1000).error().what, HasSubstr("is not known"));
}

TEST_F(ReplayTest, ConstantJobDepthKeepsSoManyJobsIdle) {
  settings.simulation.submission = SubmissionPolicy::constant_job_depth;
  settings.simulation.initial_queue_depth = 2;
  open();
  EXPECT_EQ(simulator->start_time(), Time(1100)) << "the latest submission among the first two";
  const auto initial = poll(1100);
  EXPECT_THAT(names(initial), ElementsAre("j1", "j2"));
  EXPECT_EQ(initial.arrived.front().job.submitted, Time(1100));
  EXPECT_TRUE(simulator->queue_full(cluster));
  EXPECT_EQ(simulator->unsubmitted(), 3U);
  EXPECT_THAT(names(poll(1160)), IsEmpty());
  EXPECT_EQ(simulator->next_event(), kForever);
  ASSERT_TRUE(start("j2", 1160));
  EXPECT_FALSE(simulator->queue_full(cluster));
  EXPECT_EQ(simulator->next_event(), Time(1161)) << "the queue is filled up again";
  const auto filled = poll(1161);
  EXPECT_THAT(names(filled), ElementsAre("j3"));
  EXPECT_EQ(filled.arrived.front().job.submitted, Time(1161));
}

TEST_F(ReplayTest, ConstantPsDepthCountsProcessorSeconds) {
  settings.simulation.submission = SubmissionPolicy::constant_ps_depth;
  settings.simulation.initial_queue_depth = 2500;  // a job asks for 2 * 600
  open();
  EXPECT_EQ(simulator->start_time(), Time(1200));
  EXPECT_THAT(names(poll(1200)), ElementsAre("j1", "j2", "j3"));
  ASSERT_TRUE(start("j1", 1200));
  EXPECT_THAT(names(poll(1260)), ElementsAre("j4"));
}

TEST_F(ReplayTest, DatesKeepTheirDistanceFromTheSubmission) {
  settings.simulation.submission = SubmissionPolicy::constant_job_depth;
  settings.simulation.start_time = Time(5000);
  jobs = {with(with(job_line("j1"), 36, "1500"), 37, "9000")};
  open();
  const auto update = poll(5000);
  EXPECT_EQ(update.arrived.front().job.earliest_start, Time(5500));
  EXPECT_EQ(update.arrived.front().job.deadline, Time(13000));
}

// Guide F: SYSTEMDEFAULTJOBWALLTIME.
TEST_F(ReplayTest, AJobWithoutALimitHasTheUnscaledDefaultLimit) {
  settings.default_wall_time = Seconds(7200);
  settings.simulation.cpu_scaling_percent = 50;
  jobs = {with(with(job_line("j1"), 9, "1000"), 6, "[NONE]")};
  open();
  EXPECT_EQ(poll(1000).arrived.at(0).request.limit, Seconds(7200));
}

TEST_F(ReplayTest, CpuScalingChangesRunTimeAndLimit) {
  settings.simulation.cpu_scaling_percent = 50;
  open();
  const auto update = poll(1000);
  EXPECT_EQ(update.arrived.front().request.limit, Seconds(300));
  ASSERT_TRUE(start("j1", 1000));
  EXPECT_THAT(ends(poll(1150)), ElementsAre("j1@1150"));
}

TEST_F(ReplayTest, FlagsAreForcedAndIgnored) {
  settings.simulation.default_job_flags = static_cast<std::uint16_t>(JobFlag::preemptee);
  settings.simulation.ignore_job_flags = static_cast<std::uint16_t>(JobFlag::restartable) |
                                         static_cast<std::uint16_t>(JobFlag::adv_res);
  jobs = {with(with(job_line("j1"), 25, "[RESTARTABLE][PREEMPTOR]"), 41, "john.1")};
  open();
  const Job job = poll(1000).arrived.front().job;
  EXPECT_EQ(job.flags, static_cast<std::uint16_t>(JobFlag::preemptee) |
                           static_cast<std::uint16_t>(JobFlag::preemptor));
  EXPECT_EQ(job.required_reservation, "");
}

TEST_F(ReplayTest, TheDedicatedFlagDedicatesNodes) {
  settings.simulation.default_job_flags = static_cast<std::uint16_t>(JobFlag::dedicated);
  open();
  EXPECT_EQ(poll(1000).arrived.front().request.access.usual, NodeAccess::dedicated);
}

TEST_F(ReplayTest, SimFlagsLeaveOutWhatTheTraceDemands) {
  jobs = {with(with(with(with(job_line("j1"), 40, "n1"), 20, "[fast]"), 24, "high"), 28,
               "ACCESSMODE:DEDICATED")};
  open();
  const auto all = poll(1000).arrived.front();
  EXPECT_EQ(all.host_list_use, HostListUse::all_of);
  EXPECT_THAT(all.features, ElementsAre(ElementsAre("fast")));
  EXPECT_EQ(all.qos, "high");
  EXPECT_EQ(all.job_class, "batch");
  EXPECT_EQ(all.request.access.usual, NodeAccess::dedicated);
  auto& simulation = settings.simulation;
  simulation.ignore_host_list = simulation.ignore_features = simulation.ignore_qos =
      simulation.ignore_class = simulation.ignore_mode = true;
  cluster = Cluster();
  open();
  const auto none = poll(1000).arrived.front();
  EXPECT_EQ(none.host_list_use, HostListUse::none);
  EXPECT_THAT(none.host_list, IsEmpty());
  EXPECT_THAT(none.features, ElementsAre(IsEmpty()));
  EXPECT_EQ(none.qos, "");
  EXPECT_EQ(none.job_class, "");
  EXPECT_EQ(none.request.access.usual, NodeAccess::shared);
  EXPECT_EQ(none.job.access_asked, std::nullopt);
  EXPECT_EQ(none.job.flags, 0);
}

TEST_F(ReplayTest, NodeCountAndUniformConfigurationChooseNodes) {
  nodes[1] = with(nodes[1], 7, "4096");
  nodes.push_back(node_line("n4"));
  settings.simulation.node_configuration = NodeConfiguration::uniform;
  settings.simulation.node_count = 2;
  open();
  const auto update = poll(1000);
  ASSERT_EQ(update.nodes.size(), 2U);
  EXPECT_EQ(update.nodes[1].node.name, "n3");
  EXPECT_EQ(summary.nodes, 2);
}

TEST_F(ReplayTest, ARandomDelayIsTheSameInEveryRun) {
  settings.simulation.random_delay = 30;
  std::vector<std::vector<std::string>> runs;
  for (int run = 0; run < 2; ++run) {
    cluster = Cluster();
    open();
    poll(1400);
    for (int i = 1; i <= 5; ++i) ASSERT_TRUE(start("j" + std::to_string(i), 1400));
    runs.push_back(ends(poll(1730)));
  }
  EXPECT_EQ(runs[0], runs[1]);
  ASSERT_EQ(runs[0].size(), 5U) << "no delay is longer than 30 s";
  EXPECT_NE(runs[0].front().substr(2), runs[0].back().substr(2)) << "delays differ";
}

TEST_F(ReplayTest, BadLinesOfBothFilesAreSummedUp) {
  nodes.push_back("rubbish");
  jobs.push_back("rubbish");
  open();
  EXPECT_EQ(summary.bad_lines, 2);
  EXPECT_EQ(summary.jobs, 5);
  EXPECT_EQ(summary.nodes, 3);
}

TEST_F(ReplayTest, AMachineFromTheHeaderNeedsALogWithAHeader) {
  settings.simulation.resource_trace = "[NONE]";
  folder.write("jobs", jobs);
  const auto opened = open_simulator(settings, folder.path(), summary);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().what, HasSubstr("SIMRESOURCETRACEFILE [NONE]"));
}

TEST_F(ReplayTest, AJobRunsForAsLongAsItRanWhereThatIsAsked) {
  // Each ran for 300 s: with its limit, 50 s over it, and 150 s over it.
  for (int i = 0; i < 3; ++i)
    jobs[i] = with(jobs[i], 6, std::to_string(300 - 50 * i - 50 * (i / 2)));
  ReplayFiles files{{folder.write("jobs", jobs)}, folder.write("nodes", nodes)};
  settings.job_max_overrun = Seconds(60);
  const auto limits = [&] {
    auto opened = open_simulator(settings, files, summary);
    EXPECT_TRUE(opened) << opened.error().what;
    simulator = *std::move(opened);
    std::vector<std::int64_t> found;
    for (const auto& report : come(1200)) found.push_back(report.request.limit.raw());
    return found;
  };
  EXPECT_THAT(limits(), ElementsAre(300, 250, 150));
  files.as_they_ran = true;
  EXPECT_THAT(limits(), ElementsAre(300, 250, 300)) << "JOBMAXOVERRUN lets the second run on";
}

TEST_F(ReplayTest, AJobRunsForAsLongAsItRanWhicheverAlternativeIsChosen) {
  jobs[0] = with(with(jobs[0], 3, "4,2"), 6, "100,400");
  jobs[1] = with(with(jobs[1], 3, "4,2"), 6, "0");
  ReplayFiles files{{folder.write("jobs", jobs)}, folder.write("nodes", nodes)};
  files.as_they_ran = true;
  settings.default_wall_time = Seconds(60);
  auto opened = open_simulator(settings, files, summary);
  ASSERT_TRUE(opened) << opened.error().what;
  simulator = *std::move(opened);
  using testing::Pair;
  const auto arrived = come(1100);
  ASSERT_EQ(arrived.size(), 2U);
  EXPECT_THAT(arrived[0].job.alternatives,
              ElementsAre(Pair(4, Seconds(300)), Pair(2, Seconds(400))));
  EXPECT_THAT(arrived[1].job.alternatives,
              ElementsAre(Pair(4, Seconds(300)), Pair(2, Seconds(300))));
}

TEST_F(ReplayTest, AJobWithoutALimitRunsOnWhereItIsToRunAsItRan) {
  jobs[0] = with(jobs[0], 6, "0");
  ReplayFiles files{{folder.write("jobs", jobs)}, folder.write("nodes", nodes)};
  const auto limit = [&] {
    auto opened = open_simulator(settings, files, summary);
    EXPECT_TRUE(opened) << opened.error().what;
    simulator = *std::move(opened);
    return come(1000).at(0).request.limit;
  };
  settings.default_wall_time = Seconds(60);
  EXPECT_EQ(limit(), Seconds(60));
  files.as_they_ran = true;
  EXPECT_EQ(limit(), Seconds(300)) << "its run time";
  settings.default_wall_time = Seconds(6000);
  EXPECT_EQ(limit(), Seconds(6000));
}

TEST_F(ReplayTest, JobsThatAreToRunAsTheyRanWaitForNoOther) {
  jobs[0] = with(jobs[0], 28, "DEPEND:afterok:long.ago");
  ReplayFiles files{{folder.write("jobs", jobs)}, folder.write("nodes", nodes)};
  files.as_they_ran = true;
  auto opened = open_simulator(settings, files, summary);
  ASSERT_TRUE(opened) << opened.error().what;
  simulator = *std::move(opened);
  EXPECT_THAT(come(1000).at(0).job.dependencies, testing::IsEmpty());
}

TEST_F(ReplayTest, AClassOrPartitionThatNoNodeHasDecidesNothingWhereJobsAreToRunAsTheyRan) {
  jobs[1] = with(with(jobs[1], 8, "[night:2]"), 31, "west");
  ReplayFiles files{{folder.write("jobs", jobs)}, folder.write("nodes", nodes)};
  files.keep_classes = files.as_they_ran = true;
  const auto asked = [&] {
    auto opened = open_simulator(settings, files, summary);
    EXPECT_TRUE(opened) << opened.error().what;
    simulator = *std::move(opened);
    std::vector<std::string> found;
    for (const auto& report : come(1100)) {
      const bool twice = !report.generic.empty() && !report.generic.front().empty();
      found.push_back(report.job_class + (twice ? ", twice," : ",") + report.partition);
    }
    return found;
  };
  EXPECT_THAT(asked(), ElementsAre("batch,", ","));
  EXPECT_THAT(summary.unoffered_classes, ElementsAre(testing::Pair("j2", "night")));
  files.as_they_ran = false;
  EXPECT_THAT(asked(), ElementsAre("batch,", "night, twice,west"));
  files.as_they_ran = true;
  settings.nodes["n1"].partition = "west";
  for (auto& node : nodes) node = with(node, 16, "[]");
  folder.write("nodes", nodes);
  EXPECT_THAT(asked(), ElementsAre("batch,", "night, twice,west")) << "nodes tell of no classes";
}

TEST_F(ReplayTest, AMissingFileIsNamed) {
  const auto opened = open_simulator(settings, folder.path(), summary);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().what, HasSubstr(folder.path() + "/nodes: cannot be read"));
}

}  // namespace
}  // namespace maui
