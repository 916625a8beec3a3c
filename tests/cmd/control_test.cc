#include <gmock/gmock.h>

#include "base/date.h"
#include "cmd/command_fixture.h"
#include "cmd/operands.h"

namespace maui::test {
namespace {

using ControlCommands = CommandTest;

TEST_F(ControlCommands, SteppingStopsSoManyIterationsOn) {
  const auto now = engine().iteration();
  EXPECT_EQ(get<StopReply>("schedctl -S"), (StopReply{now + 1, 60, false}));
  EXPECT_EQ(engine().stop_rule().at_iteration, now + 1);
  EXPECT_FALSE(engine().stop_rule().stopped);
  EXPECT_EQ(get<StopReply>("schedctl -S 2I"), (StopReply{now + 2, 120, true}));
  EXPECT_TRUE(engine().stop_rule().ignore_clients);
  EXPECT_EQ(server.woken, 2);
}

TEST_F(ControlCommands, StoppingAtAPastIterationIsAtOnce) {
  const auto now = engine().iteration();
  EXPECT_EQ(get<StopReply>("schedctl -s"), (StopReply{now, 0, false}));
  EXPECT_TRUE(engine().stop_rule().stopped);
  EXPECT_EQ(get<StopReply>("schedctl -s 60I"), (StopReply{60, (60 - now) * 60, true}));
  EXPECT_FALSE(engine().stop_rule().stopped);
}

// The letters of the guide's text and of its example.
TEST_F(ControlCommands, StepsMayBeTimesAndClientsMayWaitInTwoLetters) {
  const auto now = engine().iteration();
  EXPECT_EQ(get<StopReply>("schedctl -s 1:00:00"), (StopReply{60, (60 - now) * 60, false}));
  EXPECT_EQ(get<StopReply>("schedctl -S 2:30"), (StopReply{now + 3, 180, false}));
  EXPECT_EQ(get<StopReply>("schedctl -S 2T"), (StopReply{now + 2, 120, true}));
}

TEST_F(ControlCommands, StepTimesAreUnknownWhenEventsSetThePace) {
  settings.server.mode = ServerMode::simulation;
  settings.simulation.step = StepPolicy::event;
  EXPECT_EQ(get<StopReply>("schedctl -S 5").seconds, -1);
  EXPECT_EQ(why_not("schedctl -S 1:00"),
            "-S: invalid value '1:00': expected a number of iterations up to 100000000000, and "
            "perhaps I");
}

TEST_F(ControlCommands, SchedulingResumesAtOnceOrLater) {
  ask("schedctl -s");
  EXPECT_EQ(get<ResumeReply>("schedctl -r 1:30").seconds, 90);
  EXPECT_TRUE(engine().stop_rule().stopped);
  EXPECT_EQ(engine().stop_rule().resume_at, kNow + Seconds(90));
  EXPECT_EQ(get<ResumeReply>("schedctl -r").seconds, 0);
  EXPECT_FALSE(engine().stop_rule().stopped);
}

TEST_F(ControlCommands, AStopIsToldWithItsTimeAndUser) {
  settings.server.mode = ServerMode::normal;
  EXPECT_EQ(stopped_scheduling(engine()), "");
  ask("schedctl -s");
  const auto stopped = "scheduling has been stopped since " + format_date(kNow) +
                       " (schedctl, root): what came later is not known; ";
  EXPECT_EQ(stopped_scheduling(engine()), stopped + "schedctl -r continues it");
  EXPECT_EQ(why_not("checkjob 86"),
            "cannot locate job '86'; " + stopped + "schedctl -r continues it");
  ask("schedctl -r 1:30");
  EXPECT_EQ(stopped_scheduling(engine()),
            stopped + "it continues at " + format_date(kNow + Seconds(90)));
  ask("schedctl -r");
  EXPECT_EQ(why_not("checkjob 86"), "cannot locate job '86'");
}

TEST_F(ControlCommands, AStoppedSimulationIsNotBehind) {
  settings.server.mode = ServerMode::simulation;
  ask("schedctl -s");
  EXPECT_EQ(why_not("checkjob 86"), "cannot locate job '86'");
}

TEST_F(ControlCommands, ResumingRunsToAStopThatWasMovedOn) {
  settings.server.mode = ServerMode::simulation;
  settings.simulation.stop_iteration = 1;
  ask("schedctl -s");
  ASSERT_TRUE(engine().stop_rule().stopped);
  settings.simulation.stop_iteration = 50;
  engine().set_settings(settings);
  EXPECT_TRUE(engine().stop_rule().stopped);
  ask("schedctl -r");
  EXPECT_FALSE(engine().stop_rule().stopped);
  EXPECT_EQ(engine().stop_rule().at_iteration, 50);
}

TEST_F(ControlCommands, SchedctlTakesOneThingAtATime) {
  EXPECT_EQ(why_not("schedctl"), "schedctl: expected one of -k, -l, -m, -n, -r, -R, -s and -S");
  EXPECT_EQ(why_not("schedctl -k -n"), "schedctl: -k and -n cannot be combined");
  EXPECT_FALSE(server.ended);
  EXPECT_EQ(why_not("schedctl -s soon"),
            "-s: invalid value 'soon': expected a number of iterations up to 100000000000, or "
            "[[HH:]MM:]SS, and perhaps I");
}

TEST_F(ControlCommands, ShutdownAndReloadAreTheServers) {
  EXPECT_FALSE(get<ShutdownReply>("schedctl -k").lease);
  EXPECT_TRUE(server.ended);
  server.leased = true;
  EXPECT_TRUE(get<ShutdownReply>("schedctl -k").lease);
  get<ReloadReply>("schedctl -R");
  server.reload_result = Error{"maui.cfg:3: no parameter is called 'NOSUCH'"};
  EXPECT_EQ(why_not("schedctl -R"), "maui.cfg:3: no parameter is called 'NOSUCH'");
}

TEST_F(ControlCommands, TheNodeTraceHoldsEveryNode) {
  const auto trace = get<NodeTraceReply>("schedctl -n");
  ASSERT_EQ(trace.nodes.size(), 2U);
  EXPECT_EQ(trace.nodes[1].name, "n2");
  EXPECT_EQ(trace.nodes[1].event, "AVAILABLE");
  EXPECT_EQ(trace.nodes[1].memory, 1024);
}

TEST_F(ControlCommands, ParametersAreChangedAndShown) {
  EXPECT_EQ(get<ParameterReply>("changeparam BACKFILLDEPTH 7").values,
            std::vector<std::string>{"7"});
  EXPECT_EQ(server.configuration().settings().backfill_depth, 7);
  EXPECT_FALSE(succeeded(ask("changeparam NOSUCH 4")));
  EXPECT_FALSE(succeeded(ask("changeparam BACKFILLDEPTH deep")));
  const auto shown = get<ConfigReply>("showconfig");
  EXPECT_FALSE(shown.headings.empty());
  EXPECT_LT(shown.parameters.size(), get<ConfigReply>("showconfig -v").parameters.size());
  EXPECT_EQ(get<ConfigReply>("schedctl -l").parameters, shown.parameters);
}

TEST_F(ControlCommands, AChangeThatHasNoEffectIsWarnedOf) {
  for (const std::string flag : {"--dry-run ", ""}) {
    const auto warnings =
        get<ParameterReply>("changeparam " + flag + "NODESETPOLICY ONEOF").warnings;
    ASSERT_EQ(warnings.size(), 1U) << flag;
    EXPECT_THAT(warnings.front(), testing::HasSubstr("NODESETPOLICY has no effect"));
  }
  EXPECT_TRUE(get<ParameterReply>("changeparam BACKFILLDEPTH 7").warnings.empty())
      << "only what is new";
}

// Each is given twice: the second time, only the line itself gives the warning.
TEST_F(ControlCommands, AChangeIsWarnedOfAsItsLineInTheFile) {
  for (const std::string line : {"USERCFG[amy] MAXJOB=4,2", "USERCFG[amy] MAXJOB=4 MAXJOB=2",
                                 "USERCFG MAXJOB=2", "MAILPROGRAM /usr/bin/mail"}) {
    std::vector<Diagnostic> diagnostics;
    const auto read = Configuration::parse(line + "\n", "maui.cfg", diagnostics);
    ASSERT_TRUE(read) << line;
    std::vector<std::string> expected;
    for (const auto& diagnostic : diagnostics) expected.push_back(diagnostic.message);
    for (auto& warning : read->warnings()) expected.push_back(std::move(warning));
    ASSERT_EQ(expected.size(), 1U) << line;
    for (const std::string flag : {"--dry-run ", "", ""})
      EXPECT_EQ(get<ParameterReply>("changeparam " + flag + line).warnings, expected) << line;
  }
}

TEST_F(ControlCommands, SchedctlShowsAndChangesOneParameter) {
  EXPECT_EQ(get<ParameterReply>("schedctl -m BACKFILLDEPTH 9").parameter, "BACKFILLDEPTH");
  const auto shown = get<ConfigReply>("schedctl -l backfilldepth").parameters;
  ASSERT_EQ(shown.size(), 1U);
  EXPECT_EQ(shown.front().value, "9");
  EXPECT_EQ(get<ConfigReply>("schedctl -l BACKFILLDEPTH[0]").parameters, shown);
  EXPECT_EQ(get<ConfigReply>("schedctl -l XFACTORWEIGHT").parameters.at(0).name, "XFWEIGHT");
  EXPECT_EQ(why_not("schedctl -l NOSUCH"), "-l: unknown parameter 'NOSUCH', or it is not set");
  EXPECT_EQ(why_not("schedctl -m BACKFILLDEPTH"),
            "schedctl: -m must be followed by PARAMETER VALUE...");
  EXPECT_EQ(why_not("schedctl -k 7"), "schedctl: unexpected '7'");
  EXPECT_FALSE(server.ended);
}

TEST_F(ControlCommands, StatisticsCountWhatRuns) {
  const auto s = get<StatisticsReply>("showstats -v");
  EXPECT_TRUE(s.verbose);
  EXPECT_EQ(s.active_jobs, 1);
  EXPECT_EQ(s.eligible_jobs, 2);
  EXPECT_EQ(s.idle_jobs, 2);
  EXPECT_EQ(s.active_procs, 4);
  EXPECT_EQ(s.completed_jobs, 0);
  EXPECT_EQ(s.wallclock_accuracy, -1);
  const auto users = get<CredentialStatisticsReply>("showstats -u");
  ASSERT_EQ(users.rows.size(), 1U);
  EXPECT_EQ(users.rows[0].name, "amy");
  EXPECT_EQ(users.rows[0].active_proc_hours, 4);
  EXPECT_EQ(why_not("showstats -u nosuch"), "no statistics for user 'nosuch'");
  EXPECT_EQ(why_not("showstats -u -g"),
            "showstats: only one of -a, -c, -g, -n, -q and -u at a time");
}

}  // namespace
}  // namespace maui::test
