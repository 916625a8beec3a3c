#include "cmd/command_fixture.h"
#include "cmd/facts/node_statistics.h"

namespace maui::test {
namespace {

using StatisticsCommands = CommandTest;

/// The job ends as if the resource manager had said so.
class EndedJob : public CommandTest {
 protected:
  EndedJob() {
    settings.display.plot.max_procs = 4;
    settings.display.plot.proc_scale = 3;
    settings.display.plot.min_time = hours(1);
    settings.display.plot.max_time = hours(4);
    settings.display.plot.time_scale = 3;
    auto manager = std::make_unique<ScriptedRm>();
    rm = manager.get();
    rm->next.nodes = {node_report("n1", procs(2, 512)), node_report("n2", procs(2, 1024))};
    rm->next.arrived = {report("a", 4, "amy")};
    own = std::make_unique<Engine>(settings, std::move(manager), clock, nobody);
    own->iterate([] {});
    clock.time = kNow + minutes(30);
    rm->next.ended = {{"a", JobState::completed, clock.time}};
    own->iterate([] {});
  }
  template <class T>
  T reply(const std::string& command, const std::vector<std::string>& operands,
          const std::string& flag = {}) {
    CommandRequest request;
    request.user = "root";
    request.command = command;
    request.operands = operands;
    if (!flag.empty()) request.flags.emplace(flag, "");
    const Reply made = execute(*own, server, request);
    if (const auto* refusal = std::get_if<Refusal>(&made)) ADD_FAILURE() << refusal->reason;
    const auto* wanted = std::get_if<T>(&made);
    return wanted == nullptr ? T{} : *wanted;
  }
  Nobody nobody;
  ScriptedRm* rm = nullptr;
  std::unique_ptr<Engine> own;
};

TEST_F(EndedJob, StandsInTheGridBySizeAndLimit) {
  const auto grid = reply<GridReply>("showgrid", {"JOBCOUNT"});
  EXPECT_EQ(grid.limits, (std::vector<std::int64_t>{3600, 7200, 14400}));
  ASSERT_EQ(grid.rows.size(), 3U);
  EXPECT_EQ(grid.rows[2].procs, 4);
  EXPECT_EQ(grid.rows[2].cells[0], (GridCell{1, 1}));
  EXPECT_EQ(grid.rows[2].total, (GridCell{1, 1}));
  EXPECT_EQ(grid.totals[0], (GridCell{1, 1}));
  EXPECT_EQ(grid.samples, 1);
  EXPECT_EQ(grid.rows[0].total.jobs, 0);
}

TEST_F(EndedJob, HasAValueInEveryStatistic) {
  const auto value = [&](const std::string& statistic) {
    const auto grid = reply<GridReply>("showgrid", {statistic});
    EXPECT_EQ(grid.rows[2].cells[0].value, grid.overall) << statistic;
    return grid.overall;
  };
  EXPECT_DOUBLE_EQ(value("AVGXFACTOR"), 0.5);  // half an hour of an hour, no wait
  EXPECT_DOUBLE_EQ(value("MAXXFACTOR"), 0.5);
  EXPECT_DOUBLE_EQ(value("AVGQTIME"), 0);
  EXPECT_DOUBLE_EQ(value("AVGBYPASS"), 0);
  EXPECT_DOUBLE_EQ(value("MAXBYPASS"), 0);
  EXPECT_DOUBLE_EQ(value("JOBCOUNT"), 1);
  EXPECT_DOUBLE_EQ(value("PHREQUEST"), 100);
  EXPECT_DOUBLE_EQ(value("PHRUN"), 100);
  EXPECT_DOUBLE_EQ(value("WCACCURACY"), 50);
  EXPECT_DOUBLE_EQ(value("BFCOUNT"), 0);
  EXPECT_DOUBLE_EQ(value("BFPHRUN"), 0);
  EXPECT_DOUBLE_EQ(value("JOBEFFICIENCY"), 100);
  EXPECT_DOUBLE_EQ(value("QOSDELIVERED"), 100);
  EXPECT_DOUBLE_EQ(reply<GridReply>("showgrid", {"NHREQUEST"}).whole, 4);  // the guide's name
  EXPECT_DOUBLE_EQ(reply<GridReply>("showgrid", {"phrun"}).whole, 2);
}

TEST_F(EndedJob, ResetstatsForgetsIt) {
  EXPECT_EQ(reply<StatisticsReply>("showstats", {}).completed_jobs, 1);
  EXPECT_EQ(reply<StatisticsResetReply>("resetstats", {}).when, clock.time.raw());
  const auto after = reply<StatisticsReply>("showstats", {});
  EXPECT_EQ(after.completed_jobs, 0);
  EXPECT_EQ(after.since, clock.time.raw());
  EXPECT_EQ(reply<GridReply>("showgrid", {"JOBCOUNT"}).samples, 0);
  EXPECT_EQ(reply<GridReply>("showgrid", {"JOBCOUNT"}).since, clock.time.raw());
}

TEST_F(EndedJob, OtherRowsAndColumnsBeginANewGridButKeepTheRest) {
  settings.display.plot.max_procs = 64;
  own->set_settings(settings);
  EXPECT_EQ(reply<GridReply>("showgrid", {"JOBCOUNT"}).samples, 0);
  EXPECT_EQ(reply<StatisticsReply>("showstats", {}).completed_jobs, 1);
}

TEST_F(EndedJob, NodesWereUpAllOfTheTimeAndBusyWhileItRan) {
  clock.time = kNow + hours(1);
  own->iterate([] {});
  const auto nodes = reply<NodeStatisticsReply>("showstats", {}, "n");
  ASSERT_EQ(nodes.nodes.size(), 2U);
  EXPECT_EQ(nodes.nodes[0].name, "n1");
  EXPECT_EQ(nodes.nodes[0].memory, 512);
  EXPECT_DOUBLE_EQ(nodes.nodes[0].available, 100);
  EXPECT_DOUBLE_EQ(nodes.nodes[0].busy, 50);
  EXPECT_EQ(nodes.nodes[0].state, "Idle");
}

TEST_F(StatisticsCommands, AnUnknownGridIsRefusedWithThoseThereAre) {
  EXPECT_EQ(why_not("showgrid ESTSTARTTIME"),
            "showgrid: unknown statistic 'ESTSTARTTIME': expected one of AVGXFACTOR, "
            "MAXXFACTOR, AVGQTIME, AVGBYPASS, MAXBYPASS, JOBCOUNT, PHREQUEST, PHRUN, WCACCURACY, "
            "BFCOUNT, BFPHRUN, JOBEFFICIENCY, QOSDELIVERED");
  EXPECT_EQ(why_not("showgrid"), "showgrid: expected STATISTIC");
  EXPECT_NE(why_not("resetstats foo"), "(done)");
}

TEST_F(StatisticsCommands, TheQueueStandsWithTheMemoryThatItNeeds) {
  const auto nodes = get<NodeStatisticsReply>("showstats -n");
  ASSERT_EQ(nodes.memory.size(), 2U);
  EXPECT_EQ(nodes.memory[0].memory, 512);
  EXPECT_EQ(nodes.memory[0].procs, 2);
  EXPECT_DOUBLE_EQ(nodes.memory[0].initial_hours, 3);  // b and c need none
  EXPECT_DOUBLE_EQ(nodes.memory[1].spread_hours, 1.5);
  EXPECT_TRUE(get<NodeStatisticsReply>("showstats -n -S").summary);
  const auto of_n2 = get<NodeStatisticsReply>("showstats -n n2");
  ASSERT_EQ(of_n2.nodes.size(), 1U);
  EXPECT_EQ(of_n2.nodes[0].name, "n2");
  EXPECT_EQ(why_not("showstats -n n7"), "cannot locate node 'n7'");
  EXPECT_EQ(why_not("showstats -n -u"),
            "showstats: only one of -a, -c, -g, -n, -q and -u at a time");
}

// Guide G, showstats -n -S: work that needs no memory may be done anywhere, the rest only higher
// up.
TEST(SpreadWork, MovesUpButNeverDown) {
  std::vector<MemoryRow> rows{{64, 1, 9, 0, 0}, {128, 1, 1, 0, 0}, {256, 2, 40, 0, 0}};
  spread_work(rows);
  EXPECT_DOUBLE_EQ(rows[0].spread_hours, 5);
  EXPECT_DOUBLE_EQ(rows[1].spread_hours, 5);
  EXPECT_DOUBLE_EQ(rows[2].spread_hours, 40);
  EXPECT_DOUBLE_EQ(rows[0].even_hours, 12.5);
  EXPECT_DOUBLE_EQ(rows[2].even_hours, 25);
}

TEST(SpreadWork, InTheGuidesExampleTheLowestTwoShareAndTheRestShare) {
  std::vector<MemoryRow> rows{{64, 8, 9799, 0, 0},
                              {128, 144, 9162, 0, 0},
                              {256, 32, 20290, 0, 0},
                              {512, 96, 5080, 0, 0},
                              {1024, 8, 48, 0, 0}};
  spread_work(rows);
  // 128 MB nodes have less than their share, but what needs 256 MB cannot come down to them.
  const auto load = [&](std::size_t i) {
    return rows[i].spread_hours / static_cast<double>(rows[i].procs);
  };
  EXPECT_NEAR(load(0), load(1), 1e-9);
  EXPECT_NEAR(load(2), load(4), 1e-9);
  EXPECT_NEAR(rows[0].even_hours, 1232, 1);
}

TEST_F(StatisticsCommands, TheResourceManagerIsWatched) {
  const auto all = get<ResourceManagerReply>("diagnose -R");
  ASSERT_EQ(all.managers.size(), 1U);
  const auto& manager = all.managers.front();
  EXPECT_EQ(manager.name, "scripted");
  EXPECT_EQ(manager.state, "Active");
  EXPECT_EQ(manager.polls, 1);
  EXPECT_EQ(manager.starts, 1);
  EXPECT_EQ(manager.failed_starts, 0);
  EXPECT_EQ(all.nodes, 2);
  EXPECT_EQ(all.jobs, 3);
}

TEST_F(EndedJob, AManagerThatDoesNotAnswerIsDown) {
  rm->down = "connection refused";
  clock.time = kNow + hours(1);
  own->iterate([] {});
  const auto all = reply<ResourceManagerReply>("diagnose", {}, "R");
  ASSERT_EQ(all.managers.size(), 1U);
  const auto& manager = all.managers.front();
  EXPECT_EQ(manager.state, "Down");
  EXPECT_EQ(manager.failed_polls, 1);
  EXPECT_EQ(manager.last_failure, "connection refused");
  EXPECT_EQ(manager.last_failure_at, clock.time.raw());
  EXPECT_EQ(manager.last_answer, (kNow + minutes(30)).raw());
}

TEST_F(StatisticsCommands, NodesStandInFramesIfTheySayWhere) {
  settings.nodes["n1"].frame = 2;
  settings.nodes["n1"].slot = 5;
  const auto frames = get<FramesDiagnosisReply>("diagnose -m");
  ASSERT_EQ(frames.frames.size(), 2U);
  EXPECT_EQ(frames.frames[0].frame, 1) << "of those that do not say";
  EXPECT_EQ(frames.frames[0].nodes, std::vector<std::string>{"n2"});
  EXPECT_EQ(frames.frames[1].frame, 2);
  EXPECT_EQ(frames.frames[1].nodes, std::vector<std::string>{"n1"});
  EXPECT_EQ(frames.frames[1].memory, 512);
  EXPECT_EQ(frames.nodes_without_frame, 1);
}

TEST_F(StatisticsCommands, TwoNodesInOneSlotAreWorthAWarning) {
  for (const char* name : {"n1", "n2"}) {
    settings.nodes[name].frame = 2;
    settings.nodes[name].slot = 5;
  }
  const auto frames = get<FramesDiagnosisReply>("diagnose -m");
  ASSERT_EQ(frames.warnings.size(), 1U);
  EXPECT_EQ(frames.warnings[0], "nodes 'n1' and 'n2' both occupy slot 5 of frame 2");
}

TEST_F(StatisticsCommands, DisplayflagsChooseWhatShowqShows) {
  settings.display.flags = 0;
  put(settings.display.flags, DisplayFlag::node_centric);
  const auto queue = get<QueueReply>("showq");
  EXPECT_TRUE(queue.display.nodes);
  EXPECT_FALSE(queue.display.accounts);
  ASSERT_EQ(queue.active.size(), 1U);
  EXPECT_EQ(queue.active[0].nodes, 2);
  EXPECT_EQ(queue.active[0].procs, 4);
}

TEST_F(StatisticsCommands, HideblockedHidesOthersBlockedJobsFromOrdinaryUsers) {
  put(settings.display.flags, DisplayFlag::hide_blocked);
  ask("sethold -s b");
  ask("sethold -s c");
  EXPECT_EQ(get<QueueReply>("showq", "root").blocked.size(), 2U);
  const auto amys = get<QueueReply>("showq", "amy");
  ASSERT_EQ(amys.blocked.size(), 1U);
  EXPECT_EQ(amys.blocked[0].name, "c");
  EXPECT_TRUE(get<QueueReply>("showq", "eve").blocked.empty());
}

}  // namespace
}  // namespace maui::test
