// A configuration of another scheduler becomes one of ours: without an error, and nothing is lost
// in silence.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/text.h"
#include "config/configuration.h"
#include "config/parameters.h"
#include "config/release_3_3.h"
#include "migrate/migrate.h"
#include "migrate/slurm_conf.h"

namespace maui::migrate {
namespace {

std::string content(const std::filesystem::path& file) {
  std::ifstream in(file);
  EXPECT_TRUE(in) << file;
  return {std::istreambuf_iterator<char>(in), {}};
}

Migration migrated(std::string_view text) {
  auto made = migrate(text, "old.conf");
  EXPECT_TRUE(made) << made.error().what;
  return made ? *std::move(made) : Migration{};
}

Migration of_file(const std::string& name) {
  return migrated(content(std::filesystem::path(MAUI_TEST_DATA) / "migrate" / name));
}

/// The new file passes the parameter table, and all of it has an effect.
Configuration read(const Migration& made) {
  std::vector<Diagnostic> diagnostics;
  auto configuration = Configuration::parse(made.configuration, "maui.cfg", diagnostics);
  for (const auto& diagnostic : diagnostics)
    EXPECT_TRUE(diagnostic.warning) << diagnostic.text() << made.configuration;
  if (!configuration) return {};
  EXPECT_TRUE(configuration->without_effect().empty()) << configuration->without_effect().front();
  return *std::move(configuration);
}

std::string value_of(const Configuration& configuration, std::string_view name) {
  for (const auto& row : configuration.rows())
    if (row.name == name) return row.value;
  return "no such row";
}

const Loss* loss_of(const Migration& made, std::string_view what) {
  for (const auto& loss : made.losses)
    if (loss.what.find(what) != std::string::npos) return &loss;
  return nullptr;
}

#define EXPECT_LOST(made, text, number)            \
  do {                                             \
    const Loss* lost = loss_of(made, text);        \
    ASSERT_NE(lost, nullptr) << (text);            \
    EXPECT_EQ(lost->line, number) << lost->what;   \
    EXPECT_FALSE(lost->why.empty()) << lost->what; \
  } while (false)

TEST(Migration, KnowsFilesByWhatStandsInThem) {
  EXPECT_EQ(detect("SERVERHOST x\nBACKFILLPOLICY NONE\n"), Source::maui);
  EXPECT_EQ(detect("# only\n\nUSERCFG[amy] MAXJOB=3\n"), Source::maui);
  EXPECT_EQ(detect("SCHEDCFG[Moab] SERVER=head:42559\nBACKFILLPOLICY NONE\n"), Source::moab);
  EXPECT_EQ(detect("USERCFG[amy] MAXJOB=3\nFSTREE[x] SHARES=3\n"), Source::moab);
  EXPECT_EQ(detect("SCHEDCFG[Moab] MODE=NORMAL\nBACKFILLPOLICY NONE\n"), Source::moab);
  EXPECT_EQ(detect("#include others.cfg\nBACKFILLPOLICY NONE\n"), Source::moab);
  EXPECT_EQ(detect("#INCLUDED are some of these\nBACKFILLPOLICY NONE\n"), Source::maui);
  EXPECT_EQ(detect("ClusterName=x\nNodeName=n1\n"), Source::slurm);
  EXPECT_EQ(detect("ClusterName = x\nPriorityWeightAge = 5\n"), Source::slurm);
  EXPECT_EQ(detect("  clustername=x\n"), Source::slurm);
  EXPECT_FALSE(detect(""));
  EXPECT_FALSE(detect("# SERVERHOST x\nnothing of the kind\n"));
  const auto refused = migrate("root:x:0:0\n", "passwd");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().what.find("'passwd'"), std::string::npos);
}

TEST(Migration, KeepsAMauiCfgLineByLine) {
  const auto made = of_file("maui.cfg");
  EXPECT_EQ(made.source, Source::maui);
  const auto configuration = read(made);
  EXPECT_EQ(value_of(configuration, "FSDECAY"), "0.9");
  EXPECT_NE(made.configuration.find("fspolicy              DEDICATEDPS%      # in per cent\n"),
            std::string::npos);
  EXPECT_NE(made.configuration.find("# maui.cfg 3.3 of a physics cluster\n"), std::string::npos);
  EXPECT_NE(value_of(configuration, "GROUPCFG[atlas]").find("MAXPROC=64"), std::string::npos);
  EXPECT_LOST(made, "COLOUR=blue", 33);
  EXPECT_LOST(made, "TOOLSDIR", 28);
  EXPECT_LOST(made, "SIMCOMRATE", 29);
  EXPECT_LOST(made, "BACKFILPOLICY", 40);
  EXPECT_NE(loss_of(made, "BACKFILPOLICY")->why.find("BACKFILLPOLICY"), std::string::npos);
  EXPECT_EQ(made.losses.size(), 4U);
}

// Release 3.3 and Moab share nodes by default, this scheduler does not.
TEST(Migration, NodesAreSharedUnlessTheOldFileSaysOtherwise) {
  for (const char* text : {"BACKFILLPOLICY NONE\n", "SCHEDCFG[Moab] SERVER=head:42559\n"}) {
    const auto made = migrated(text);
    EXPECT_EQ(value_of(read(made), "NODEACCESSPOLICY"), "SHARED") << made.configuration;
    EXPECT_TRUE(made.losses.empty());
  }
  const auto made = migrated("BACKFILLPOLICY NONE\nnodeaccesspolicy SINGLEUSER\n");
  EXPECT_EQ(value_of(read(made), "NODEACCESSPOLICY"), "SINGLEUSER");
  EXPECT_EQ(made.configuration.find("SHARED"), std::string::npos);
  // A wrong value is a loss, and not replaced by another one.
  const auto wrong = migrated("BACKFILLPOLICY NONE\nNODEACCESSPOLICY PRIVATE\n");
  EXPECT_LOST(wrong, "NODEACCESSPOLICY", 2);
  EXPECT_EQ(wrong.configuration.find("\nNODEACCESSPOLICY"), std::string::npos);
}

TEST(Migration, WritesTheDefaultsOfRelease33ThatTheFileReliesOn) {
  const auto made = migrated("# maui.cfg 3.3.2\nBACKFILLPOLICY NONE\nmaxjobverrun 60\n");
  const auto configuration = read(made);
  for (const auto& row : config::defaults_of_3_3())
    EXPECT_EQ(configuration.says(row.parameter), true) << row.parameter;
  EXPECT_EQ(value_of(configuration, "JOBMAXOVERRUN"), "00:01:00");
  EXPECT_EQ(value_of(configuration, "SYSTEMDEFAULTJOBWALLTIME"), "99:23:59:59");
  EXPECT_EQ(value_of(configuration, "XFMINWCLIMIT"), "00:02:00");
  EXPECT_EQ(value_of(configuration, "FSINTERVAL"), "12:00:00");
  EXPECT_EQ(value_of(configuration, "FSDEPTH"), "8");
  EXPECT_FALSE(config::is_of_3_3(made.configuration));
  const auto moabs = read(migrated("SCHEDCFG[Moab] SERVER=head:42559\n"));
  EXPECT_FALSE(moabs.says("JOBMAXOVERRUN"));
}

TEST(Migration, SaysWhichFlagsOfAQosHadNoEffectInRelease33) {
  const auto made =
      migrated("QOSCFG[hi] PRIORITY=1 FLAGS=PREEMPTOR\nQOSCFG[lo] QFLAGS=PREEMPTEE\n");
  ASSERT_EQ(made.changes.size(), 1U);
  EXPECT_EQ(made.changes[0].line, 1);
  EXPECT_EQ(made.changes[0].what, "QOSCFG[hi] FLAGS=PREEMPTOR");
  EXPECT_NE(made.configuration.find("FLAGS=PREEMPTOR\n# QOSCFG[hi] FLAGS=PREEMPTOR: release 3.3"),
            std::string::npos)
      << made.configuration;
  EXPECT_TRUE(made.losses.empty());
  EXPECT_TRUE(migrated("SCHEDCFG[Moab] SERVER=h:1\nQOSCFG[hi] FLAGS=PREEMPTOR\n").changes.empty());
}

// What release 3.3.2 printed for a site of which the old file is known, too.
TEST(Migration, ReadsWhatShowconfigOfRelease33Printed) {
  const auto made = of_file("showconfig.txt");
  EXPECT_EQ(made.source, Source::maui);
  const auto configuration = read(made);
  EXPECT_EQ(value_of(configuration, "RESERVATIONDEPTH[0]"), "2");
  EXPECT_EQ(value_of(configuration, "RESDEPTH"), "24");
  EXPECT_EQ(value_of(configuration, "JOBMAXOVERRUN"), "00:10:00");
  EXPECT_EQ(value_of(configuration, "NODEALLOCATIONPOLICY"), "MINRESOURCE");
  EXPECT_EQ(value_of(configuration, "SERVERPORT"), "42601");
  EXPECT_EQ(value_of(configuration, "SYSTEMDEFAULTJOBWALLTIME"), "99:23:59:59") << "not printed";
  const auto& standing = configuration.settings().standing_reservations;
  EXPECT_EQ(standing.size(), 2U);
  ASSERT_TRUE(standing.contains("maint") && standing.contains("chemres"));
  EXPECT_EQ(standing.at("maint").tasks, 4);
  EXPECT_NE(value_of(configuration, "SRCFG[maint]").find("STARTTIME=18:00:00"), std::string::npos);
  EXPECT_NE(value_of(configuration, "SRCFG[chemres]").find("HOSTLIST=node003,node004"),
            std::string::npos)
      << value_of(configuration, "SRCFG[chemres]");
  EXPECT_FALSE(configuration.says("RMCFG"));
  EXPECT_LOST(made, "USERCFG", 0);
  EXPECT_LOST(made, "TOOLSDIR", 193);
  EXPECT_LOST(made, "QOSPRIORITY[2]", 170);
  EXPECT_TRUE(configuration.settings().qos.empty()) << "their names are not printed";
  EXPECT_EQ(value_of(configuration, "STATDIR"), "stats/") << "no path of the old home";
  EXPECT_EQ(value_of(configuration, "CHECKPOINTFILE"), "maui.ck");
  std::vector<Diagnostic> repeated;
  ASSERT_TRUE(Configuration::parse(made.configuration, "maui.cfg", repeated));
  EXPECT_TRUE(repeated.empty()) << repeated.front().text();
}

TEST(Migration, RecognisesShowconfigThoughOtherLinesOfTheTerminalComeFirst) {
  const auto printed =
      content(std::filesystem::path(MAUI_TEST_DATA) / "migrate" / "showconfig.txt");
  const auto made = migrated("$ showconfig\n" + printed);
  EXPECT_EQ(made.source, Source::maui);
  EXPECT_EQ(value_of(read(made), "RESERVATIONDEPTH[0]"), "2");
  EXPECT_LOST(made, "$ showconfig", 1);
  EXPECT_EQ(made.losses.size(), of_file("showconfig.txt").losses.size() + 1);
  EXPECT_EQ(migrated(made.configuration).source, Source::maui) << "not taken for showconfig's";
}

// showconfig -v printed all 128 stacks, each as RESDEPTH[0].
TEST(Migration, TakesTheDepthsOfStacksInTheirOrder) {
  const auto made =
      migrated("# Maui version 3.3.2 (PID: 1)\nRESDEPTH[0] 2\nRESDEPTH[0] 5\nRESDEPTH[0] 0\n");
  const auto configuration = read(made);
  EXPECT_EQ(value_of(configuration, "RESERVATIONDEPTH[0]"), "2");
  EXPECT_EQ(value_of(configuration, "RESERVATIONDEPTH[1]"), "5");
  EXPECT_EQ(configuration.settings().reservation_stacks.size(), 2U);
}

TEST(Migration, KeepsTheAttributesOfAStandingReservationWithoutSrcfg) {
  const auto made = migrated(
      "# Maui version 3.2.6p21 (PID: 1)\nSRTASKCOUNT[0] 4\nSRDEPTH[0] 2\nSRRESOURCES[0] "
      "PROCS=2;MEM=0\n\nSRTASKCOUNT[1] 0\nSRDEPTH[1] 2\nSRHOSTLIST[1]\nRESDEPTH[1] 3\n");
  const auto configuration = read(made);
  EXPECT_EQ(value_of(configuration, "SRTASKCOUNT[0]"), "4");
  EXPECT_EQ(configuration.settings().standing_reservations.size(), 1U);
  EXPECT_EQ(value_of(configuration, "RESERVATIONDEPTH[1]"), "3");
  EXPECT_FALSE(configuration.says("RESDEPTH"));
}

TEST(Migration, WritesWhatMoabCallsOtherwise) {
  const auto made = of_file("moab.cfg");
  EXPECT_EQ(made.source, Source::moab);
  const auto configuration = read(made);
  EXPECT_EQ(value_of(configuration, "SERVERHOST"), "head");
  EXPECT_EQ(value_of(configuration, "SERVERPORT"), "42559");
  EXPECT_EQ(value_of(configuration, "SERVERNAME"), "Moab");
  EXPECT_EQ(value_of(configuration, "ADMIN1"), "root ops");
  EXPECT_EQ(value_of(configuration, "ADMIN3"), "helpdesk");
  EXPECT_EQ(value_of(configuration, "RMPOLLINTERVAL"), "00:00:30");
  EXPECT_EQ(value_of(configuration, "PLOTMAXTIME"), "2:16:00:00");
  EXPECT_NE(value_of(configuration, "RMCFG[torque]").find("TYPE=PBS"), std::string::npos);
  EXPECT_NE(value_of(configuration, "QOSCFG[high]").find("PRIORITY=1000"), std::string::npos);
  EXPECT_NE(value_of(configuration, "CLASSCFG[batch]").find("PRIORITY=10"), std::string::npos);
  EXPECT_LOST(made, "GROUPS=staff", 4);
  EXPECT_LOST(made, "JOBCPURGETIME", 7);
  EXPECT_LOST(made, "DEFAULT.WCLIMIT", 16);
  EXPECT_LOST(made, "MAX.PROC", 16);
  EXPECT_LOST(made, "HOSTLIST=g01,g02", 17);
  EXPECT_LOST(made, "FSTREE", 18);
  EXPECT_LOST(made, "VMCFG", 19);
  EXPECT_LOST(made, "ENABLEPROFILING", 21);
  EXPECT_LOST(made, "MAILPROGRAM", 22);
  EXPECT_LOST(made, "POWERPOLICY", 24);
}

TEST(Migration, WritesWhatSlurmWeighsInWeightsOfOurs) {
  const auto made = of_file("slurm.conf");
  EXPECT_EQ(made.source, Source::slurm);
  const auto configuration = read(made);
  const auto weight = [&](std::string_view name) {
    return static_cast<double>(
        parse_integer<std::int64_t>(value_of(configuration, name)).value_or(0));
  };
  EXPECT_EQ(value_of(configuration, "SERVERHOST"), "head");
  EXPECT_EQ(value_of(configuration, "SERVERMODE"), "TEST");
  EXPECT_EQ(value_of(configuration, "QUEUETIMECAP"), "20160");  // a fortnight of minutes
  // A job that has waited for PriorityMaxAge gains a tenth of what a QOS of priority 1000 gives
  // twice over: the proportions are Slurm's.
  const double age = weight("QUEUETIMEWEIGHT") * 20160;
  EXPECT_NEAR(weight("QOSWEIGHT") * 1000 / age, 5.0, 0.5);
  EXPECT_NEAR(weight("FSUSERWEIGHT") * 100 / age, 10.0, 1.0);
  EXPECT_NEAR(weight("CLASSWEIGHT") * 100 / age, 2.0, 0.2);
  EXPECT_NEAR(weight("PROCWEIGHT") * 448 / age, 0.5, 0.05);  // 10 nodes of 32 and 2 of 64
  // Half of it counts after a half-life, and FSDEPTH reaches far enough.
  const double decay = std::stod(value_of(configuration, "FSDECAY"));
  EXPECT_NEAR(std::pow(decay, 7), 0.5, 0.01);
  EXPECT_EQ(value_of(configuration, "FSINTERVAL"), "2:00:00:00");
  EXPECT_EQ(value_of(configuration, "JOBPRIOACCRUALPOLICY"), "ALWAYS");
  EXPECT_EQ(value_of(configuration, "BACKFILLDEPTH"), "1000");
  EXPECT_NE(value_of(configuration, "USERCFG[DEFAULT]").find("MAXIJOB=30"), std::string::npos);
  EXPECT_EQ(value_of(configuration, "PREEMPTIONPOLICY"), "SUSPEND");
  EXPECT_NE(value_of(configuration, "CLASSCFG[short]").find("PREEMPTOR"), std::string::npos);
  EXPECT_NE(value_of(configuration, "CLASSCFG[long]").find("PREEMPTEE"), std::string::npos);
  EXPECT_NE(value_of(configuration, "CLASSCFG[short]").find("PRIORITY=100"), std::string::npos);
  EXPECT_EQ(value_of(configuration, "NODECFG[DEFAULT]"), "PRIORITY=-10") << "that of most nodes";
  EXPECT_EQ(made.configuration.find("NODECFG[n07]"), std::string::npos);
  EXPECT_EQ(value_of(configuration, "NODECFG[fat2]"), "PRIORITY=-50");
  EXPECT_EQ(value_of(configuration, "NODEACCESSPOLICY"), "SHARED");
  EXPECT_LOST(made, "bf_window", 7);
  EXPECT_LOST(made, "bf_unheard_of", 7);
  EXPECT_LOST(made, "MAX_TRES", 18);
  EXPECT_LOST(made, "GANG", 20);
  EXPECT_LOST(made, "priorities of QOS", 17);
  EXPECT_LOST(made, "shares", 14);
  EXPECT_LOST(made, "PartitionName=mid PriorityTier", 28);
  EXPECT_LOST(made, "OverSubscribe=FORCE:2", 28);
  EXPECT_LOST(made, "include", 29);
  const Loss* own = loss_of(made, "defer");
  ASSERT_NE(own, nullptr) << "the line of slurm.conf.maui stands in place of the one with it";
  EXPECT_EQ(own->line, 7);
  EXPECT_NE(own->why.find("slurm.conf.maui"), std::string::npos);
}

TEST(Migration, SlurmsDefaultsMeanOrderOfArrival) {
  const auto made = migrated(
      "ClusterName=x\nSlurmctldHost=h\nPriorityType=priority/basic\nSchedulerType=sched/builtin\n"
      "SelectType=select/linear\n");
  const auto configuration = read(made);
  EXPECT_EQ(value_of(configuration, "QUEUETIMEWEIGHT"), "1");
  EXPECT_EQ(value_of(configuration, "BACKFILLPOLICY"), "NONE");
  EXPECT_EQ(value_of(configuration, "NODEACCESSPOLICY"), "DEDICATED");
  EXPECT_TRUE(made.losses.empty()) << made.losses.front().what;
}

TEST(Migration, SmallJobsAreFavouredByAWeightBelowZero) {
  const auto configuration =
      read(migrated("ClusterName=x\nPriorityType=priority/"
                    "multifactor\nPriorityWeightJobSize=1000\nPriorityFavorSmall=YES\n"
                    "NodeName=n[1-10] CPUs=10\n"));
  EXPECT_TRUE(value_of(configuration, "PROCWEIGHT").starts_with("-"));
  EXPECT_EQ(value_of(configuration, "ENABLENEGJOBPRIORITY"), "TRUE");
  EXPECT_EQ(value_of(configuration, "QUEUETIMEWEIGHT"), "0");
}

TEST(Migration, EveryNodeOfAListCounts) {
  const auto weight = [](std::string_view nodes) {
    const auto made = migrated(
        fmt::format("ClusterName=x\nPriorityType=priority/multifactor\nPriorityWeightAge=1000\n"
                    "PriorityWeightJobSize=1000\n{}\n",
                    nodes));
    return value_of(read(made), "PROCWEIGHT");
  };
  EXPECT_EQ(weight("NodeName=a,b[1-2],c CPUs=4"), weight("NodeName=n[1-4] CPUs=4"));
}

TEST(Migration, PreemptionByQosLosesWhoMayPreemptWhom) {
  const auto made = migrated("ClusterName=x\nPreemptType=preempt/qos\nPreemptMode=REQUEUE\n");
  EXPECT_EQ(value_of(read(made), "PREEMPTIONPOLICY"), "REQUEUE");
  EXPECT_LOST(made, "preempt/qos", 2);
}

TEST(Migration, OptionsThatTheGateSetsItselfAreListedToo) {
  const auto made =
      migrated("ClusterName=x\nSchedulerParameters=batch_sched_delay=3,default_queue_depth=50\n");
  EXPECT_LOST(made, "batch_sched_delay=3", 2);
  EXPECT_LOST(made, "default_queue_depth=50", 2);
}

TEST(Migration, ALimitOfOneJobIsNamedAsSuchInMauiCfgToo) {
  const auto made = migrated("CLASSCFG[b] MAX.WCLIMIT=2:00:00\nCLASSCFG[c] MAX.PROC=4 MAXJOB=2\n");
  ASSERT_NE(loss_of(made, "MAX.WCLIMIT"), nullptr);
  EXPECT_EQ(loss_of(made, "MAX.WCLIMIT")->why,
            "the resource manager's own limits and defaults apply");
  EXPECT_EQ(loss_of(made, "MAX.PROC")->why, "the resource manager's own limits and defaults apply");
}

TEST(Migration, ProgramsOfMoabAreNamedByTheirWholePath) {
  const std::string manager =
      "RMCFG[n] TYPE=NATIVE CLUSTERQUERYURL=exec:///$TOOLSDIR/nodes.pl "
      "WORKLOADQUERYURL=exec://$TOOLSDIR/jobs.pl\n";
  const auto made =
      migrated("SCHEDCFG[Moab] SERVER=head:42559\n" + manager + "TOOLSDIR /opt/moab/tools/\n");
  const auto all = value_of(read(made), "RMCFG[n]");
  EXPECT_NE(all.find("CLUSTERQUERYURL=exec:///opt/moab/tools/nodes.pl"), std::string::npos) << all;
  EXPECT_NE(all.find("WORKLOADQUERYURL=exec:///opt/moab/tools/jobs.pl"), std::string::npos) << all;
  EXPECT_LOST(made, "TOOLSDIR", 3);
  const auto without = migrated("SCHEDCFG[Moab] SERVER=head:42559\n" + manager);
  EXPECT_LOST(without, "nodes.pl", 2);
  EXPECT_LOST(without, "jobs.pl", 2);
}

TEST(Migration, UnknownFlagsAreLostAndTheOthersStay) {
  const auto made = migrated(
      "SCHEDCFG[Moab] SERVER=head:42559\nSCHEDCFG[Moab] FLAGS=FASTRSVSTARTUP\n"
      "QOSCFG[high] QFLAGS=PREEMPTOR,TRIGGER PRIORITY=5\n"
      "QOSCFG[low] QFLAGS=NOSUCH:PREEMPTEE:DEDICATED\n"
      "USERCFG[amy] MAXJOB=5,x\nPARTITIONMODE ON\n");
  const auto ours = read(made);
  EXPECT_NE(made.configuration.find("QOSCFG[high] QFLAGS=PREEMPTOR PRIORITY=5\n"),
            std::string::npos)
      << made.configuration;
  EXPECT_NE(made.configuration.find("QOSCFG[low] QFLAGS=PREEMPTEE,DEDICATED\n"), std::string::npos)
      << made.configuration;
  EXPECT_LOST(made, "QFLAGS=TRIGGER", 3);
  EXPECT_LOST(made, "QFLAGS=NOSUCH", 4);
  EXPECT_LOST(made, "MAXJOB=5,x", 5);
  const auto first = made.configuration.find("SERVERNAME");
  EXPECT_NE(first, std::string::npos);
  EXPECT_EQ(made.configuration.find("SERVERNAME", first + 1), std::string::npos);
  const Loss* mode = loss_of(made, "PARTITIONMODE");
  ASSERT_NE(mode, nullptr);
  EXPECT_EQ(mode->why.substr(0, 34), "accepted, and without effect here ");
}

TEST(Migration, SlurmHasItsOverTimeAndFiveMinutesMore) {
  const std::string site = "ClusterName=x\nOverTimeLimit=10\nPartitionName=a Nodes=n1\n";
  EXPECT_EQ(value_of(read(migrated("ClusterName=x\n")), "JOBMAXOVERRUN"), "00:05:00");
  EXPECT_EQ(value_of(read(migrated(site)), "JOBMAXOVERRUN"), "00:15:00");
  EXPECT_EQ(value_of(read(migrated(site + "PartitionName=b OverTimeLimit=60\n")), "JOBMAXOVERRUN"),
            "1:05:00");
  EXPECT_EQ(value_of(read(migrated("ClusterName=x\nOverTimeLimit=UNLIMITED\n")), "JOBMAXOVERRUN"),
            "INFINITY");
}

TEST(Migration, NamesTheSettingsThatTheGateReplaces) {
  const auto made = migrated(
      "ClusterName=x\nJobSubmitPlugins=lua,all_partitions\nJobCompType=jobcomp/filetxt\n"
      "SelectTypeParameters=CR_Core_Memory,CR_Pack_Nodes\nSuspendProgram=/sbin/off\n"
      "SchedulerParameters=nohold_on_prolog_fail\n");
  EXPECT_LOST(made, "JobSubmitPlugins=lua,all_partitions", 2);
  EXPECT_LOST(made, "JobCompType=jobcomp/filetxt", 3);
  EXPECT_LOST(made, "SelectTypeParameters=CR_Core_Memory,CR_Pack_Nodes", 4);
  EXPECT_LOST(made, "SuspendProgram=/sbin/off", 5);
  EXPECT_LOST(made, "nohold_on_prolog_fail", 6);
  EXPECT_NE(loss_of(made, "nohold_on_prolog_fail")->why.find("leave it out"), std::string::npos);
  const auto none = migrated(
      "ClusterName=x\nJobSubmitPlugins=lua\nJobCompType=jobcomp/none\n"
      "SelectTypeParameters=CR_Core_Memory\n");
  EXPECT_TRUE(none.losses.empty()) << none.losses.front().what;
}

TEST(Migration, TheFirstSlurmctldHostIsTheServer) {
  const auto made = migrated("ClusterName=x\nSlurmctldHost=head(10.0.0.1)\nSlurmctldHost=spare\n");
  EXPECT_EQ(value_of(read(made), "SERVERHOST"), "head");
  EXPECT_LOST(made, "SlurmctldHost=spare", 3);
}

TEST(Migration, PartitionsWithoutAFactorHaveSlurmsOwnBesideOthers) {
  const std::string begin =
      "ClusterName=x\nPriorityType=priority/multifactor\n"
      "PriorityWeightPartition=1000\nNodeName=n1 CPUs=4\n"
      "PartitionName=a Nodes=n1\nPartitionName=b Nodes=n1";
  const auto made = migrated(begin + " PriorityJobFactor=10\n");
  EXPECT_EQ(value_of(read(made), "CLASSCFG[a]"), "PRIORITY=1");
  EXPECT_EQ(value_of(read(made), "CLASSCFG[b]"), "PRIORITY=10");
  EXPECT_EQ(value_of(read(migrated(begin + "\n")), "CLASSCFG[a]"), "no such row");
}

TEST(Migration, PartitionsOfAHigherTierAreNamed) {
  const auto made = migrated(
      "ClusterName=x\nPriorityType=priority/multifactor\nPriorityWeightPartition=100\n"
      "PartitionName=a PriorityTier=5\nPartitionName=b PriorityJobFactor=10\n"
      "PartitionName=c PriorityTier=5\n");
  EXPECT_NE(loss_of(made, "PriorityTier of a, c"), nullptr);
}

TEST(Migration, WrongValuesOfSlurmAreSaidWithTheirLine) {
  const auto made = migrated(
      "ClusterName=x\nPriorityType=priority/multifactor\nPriorityWeightAge=lots\n"
      "PriorityMaxAge=yesterday\nPriorityWeightFairshare=10\nPriorityDecayHalfLife=-3\nhello\n"
      "NodeName=n[1-9999999] Weight=2\nNodeName=m[1-99999999999] Weight=3\n");
  read(made);
  EXPECT_LOST(made, "PriorityWeightAge=lots", 3);
  EXPECT_LOST(made, "PriorityMaxAge", 4);
  EXPECT_LOST(made, "PriorityDecayHalfLife", 6);
  EXPECT_LOST(made, "hello", 7);
  EXPECT_LOST(made, "m[1-99999999999]", 9);
  EXPECT_NE(made.configuration.find("NODECFG[DEFAULT]      PRIORITY=-2\n"), std::string::npos);
}

TEST(Migration, BlanksAroundAnEqualsSignAreNoPartOfIt) {
  const auto made = migrated(
      "ClusterName = x\nPriorityType= priority/multifactor\nPriorityWeightAge =1000 # much\n"
      "NodeName = n1 CPUs = 4 Gres=\"\" Weight = 3\nNodeName=m1 CPUs=4\n");
  EXPECT_TRUE(made.losses.empty()) << made.losses.front().what;
  const auto configuration = read(made);
  EXPECT_NE(value_of(configuration, "QUEUETIMEWEIGHT"), "0");
  EXPECT_EQ(value_of(configuration, "NODECFG[n1]"), "PRIORITY=-3");
}

TEST(Migration, WeightsWithoutATypeOfPriorityAreNotLostInSilence) {
  const auto made =
      migrated("ClusterName=x\nPriorityWeightAge=1000\nPriorityWeightQOS=0\nNodeName=n1\n");
  EXPECT_LOST(made, "PriorityWeightAge=1000", 2);
  EXPECT_EQ(made.losses.size(), 1U);
}

TEST(Migration, AnIncludeOfMoabCfgIsLost) {
  const auto made =
      migrated("SCHEDCFG[Moab] SERVER=head\n# INCLUDE is no word here\n#INCLUDE users.cfg\n");
  EXPECT_LOST(made, "#INCLUDE users.cfg", 3);
  EXPECT_EQ(made.losses.size(), 1U);
}

TEST(Migration, BoundsOfSingleJobsAreNoLimitsOfTheirUser) {
  const auto made = migrated("SCHEDCFG[Moab] SERVER=head\nUSERCFG[amy] MAX.PROC=4 MAXJOB=3\n");
  EXPECT_LOST(made, "MAX.PROC=4", 2);
  EXPECT_EQ(loss_of(made, "MAX.PROC")->why.find("did you mean"), std::string::npos);
  EXPECT_EQ(value_of(read(made), "USERCFG[amy]"), "MAXJOB=3");
}

// --- what sacctmgr prints ------------------------------------------------------------------------

NamedText printed(const std::string& name) {
  return {name, content(std::filesystem::path(MAUI_TEST_DATA) / "migrate" / name)};
}

constexpr std::string_view kSite =
    "ClusterName=linux\nPriorityType=priority/multifactor\nPriorityWeightFairshare=1000\n"
    "PriorityWeightQOS=1000\nPriorityWeightAssoc=1000\nPreemptType=preempt/qos\n"
    "PreemptMode=REQUEUE\nAccountingStorageEnforce=associations,limits\n";

Migration with(const std::vector<NamedText>& files, std::string_view site = kSite) {
  auto made = migrate(site, "slurm.conf", files);
  EXPECT_TRUE(made) << made.error().what;
  return made ? *std::move(made) : Migration{};
}

bool says(const Configuration& configuration, std::string_view name, std::string_view what) {
  const auto all = value_of(configuration, name);
  const auto parts = words(all);
  return std::find(parts.begin(), parts.end(), what) != parts.end();
}

#define EXPECT_SAYS(configuration, name, what) \
  EXPECT_TRUE(says(configuration, name, what)) << (name) << ' ' << value_of(configuration, name)

TEST(SlurmsDatabase, SharesAreMultipliedDownTheTree) {
  const auto configuration = read(with({printed("sacctmgr-dump.cfg")}));
  // chem 70 and physics 30; there theory 2 and exp 1; there amy 1 and bob 3.
  EXPECT_SAYS(configuration, "ACCOUNTCFG[chem]", "FSTARGET=70");
  EXPECT_SAYS(configuration, "ACCOUNTCFG[exp]", "FSTARGET=10");
  EXPECT_SAYS(configuration, "ACCOUNTCFG[theory]", "FSTARGET=20");
  EXPECT_SAYS(configuration, "USERCFG[amy]", "FSTARGET=5") << "in chem she has the account's";
  EXPECT_SAYS(configuration, "USERCFG[bob]", "FSTARGET=15");
  EXPECT_SAYS(configuration, "USERCFG[carl]", "FSTARGET=70");
  EXPECT_EQ(value_of(configuration, "ACCOUNTCFG[physics]").find("FSTARGET"), std::string::npos)
      << "nobody runs jobs there";
}

TEST(SlurmsDatabase, LimitsAreThoseOfAccountsAndTheirUsers) {
  const auto made = with({printed("sacctmgr-dump.cfg"), printed("sacctmgr-qos.txt")});
  const auto configuration = read(made);
  EXPECT_SAYS(configuration, "ACCOUNTCFG[chem]", "MAXPROC=200");
  EXPECT_SAYS(configuration, "ACCOUNTCFG[theory]", "MAXJOB[USER]=10") << "that of physics";
  EXPECT_SAYS(configuration, "ACCOUNTCFG[theory]", "MAXJOB[USER:bob]=2");
  EXPECT_SAYS(configuration, "QOSCFG[high]", "MAXPROC=128");
  EXPECT_SAYS(configuration, "QOSCFG[high]", "MAXJOB[USER]=5");
  EXPECT_SAYS(configuration, "QOSCFG[high]", "MAXPROC[USER]=64");
  EXPECT_SAYS(configuration, "QOSCFG[high]", "MAXNODE[USER]=4");
  EXPECT_SAYS(configuration, "QOSCFG[low]", "MAXJOB=20");
  EXPECT_SAYS(configuration, "QOSCFG[high]", "PRIORITY=1000");
  EXPECT_SAYS(configuration, "QOSCFG[low]", "PRIORITY=100");
  EXPECT_SAYS(configuration, "QOSCFG[high]", "FLAGS=PREEMPTOR");
  EXPECT_SAYS(configuration, "QOSCFG[normal]", "FLAGS=PREEMPTEE");
  EXPECT_SAYS(configuration, "SYSCFG", "QDEF=normal") << "whoever names none has it";
  EXPECT_SAYS(configuration, "USERCFG[amy]", "PRIORITY=1000") << "the highest there is";
  for (const auto* lost :
       {"grpjobs=40 of account 'physics'", "maxsubmitjobs=30 of account 'chem'",
        "grptresmins=cpu=100000 of account 'exp'", "maxtresperjob=cpu=16 of user 'bob'",
        "maxwalldurationperjob=2-00:00:00 of QOS 'high'", "UsageFactor=0.500000 of QOS 'low'",
        "maxtresperjob=cpu=32 of QOS 'low'", "maxsubmitjobsperuser=50", "gracetime=00:01:00",
        "fairshare=parent of user 'amy' in account 'chem'"})
    EXPECT_NE(loss_of(made, lost), nullptr) << lost;
  const Loss* bobs = loss_of(made, "maxtresperjob=cpu=16");
  ASSERT_NE(bobs, nullptr);
  EXPECT_EQ(bobs->file, "sacctmgr-dump.cfg");
  EXPECT_EQ(bobs->line, 26);
  EXPECT_EQ(loss_of(made, "they are in Slurm's database"), nullptr);
}

TEST(SlurmsDatabase, ALimitOfZeroIsLost) {
  const auto made = with({{"flat.txt",
                           "Account|User|MaxJobs|GrpJobs|GrpTRES|\nroot|||||\n"
                           "a||10|0|cpu=0|\na|amy|0|||\nb||0|||\nb|bob|4|||\n"}});
  const auto configuration = read(made);
  EXPECT_SAYS(configuration, "ACCOUNTCFG[a]", "MAXJOB[USER]=10");
  EXPECT_SAYS(configuration, "ACCOUNTCFG[b]", "MAXJOB[USER:bob]=4");
  EXPECT_EQ(made.configuration.find("=0"), std::string::npos) << "0 is no limit here";
  for (const auto* lost :
       {"grpjobs=0 of account 'a'", "grptres=cpu=0 of account 'a'",
        "maxjobs=0 of user 'amy' in account 'a'", "maxjobs=0 of users of account 'b'"})
    EXPECT_NE(loss_of(made, lost), nullptr) << lost;
}

TEST(SlurmsDatabase, LossesOfOneKindAreListedTenOfThem) {
  std::string table = "Account|User|GrpTRESMins|\nroot|||\n";
  for (int i = 1; i <= 12; ++i) table += fmt::format("a{:02}||cpu=5|\n", i);
  const auto made = with({{"flat.txt", table}});
  EXPECT_NE(loss_of(made, "of account 'a09'"), nullptr);
  const Loss* last = loss_of(made, "of account 'a10'");
  ASSERT_NE(last, nullptr);
  EXPECT_NE(last->what.find("and 2 more like these"), std::string::npos) << last->what;
  EXPECT_EQ(loss_of(made, "of account 'a11'"), nullptr);
}

TEST(SlurmsDatabase, ATableSaysWhatADumpSays) {
  const auto table = read(with({printed("sacctmgr-assoc.txt")}));
  const auto dump = read(with({printed("sacctmgr-dump.cfg")}));
  for (const auto& row : dump.rows()) EXPECT_EQ(value_of(table, row.name), row.value) << row.name;
}

TEST(SlurmsDatabase, WithoutTheTreeAccountsStandBesideEachOther) {
  const auto made = with({{"flat.txt", "Account|User|Share|\nroot||1|\na||3|\na|amy|1|\nb||1|\n"}});
  const auto configuration = read(made);
  EXPECT_SAYS(configuration, "ACCOUNTCFG[a]", "FSTARGET=75");
  EXPECT_SAYS(configuration, "USERCFG[amy]", "FSTARGET=75");
  EXPECT_SAYS(configuration, "ACCOUNTCFG[b]", "FSTARGET=25");
  EXPECT_NE(loss_of(made, "the tree of accounts"), nullptr);
}

TEST(SlurmsDatabase, LimitsThatSlurmDoesNotKeepAreNoneHere) {
  const auto made = with({printed("sacctmgr-qos.txt")}, "ClusterName=linux\nSlurmUser=slurm\n");
  EXPECT_EQ(made.configuration.find("MAXPROC"), std::string::npos);
  EXPECT_NE(loss_of(made, "limits of associations and QOS"), nullptr);
}

TEST(SlurmsDatabase, ReportsInvalidDataAndWritesNothingOfIt) {
  const auto made =
      with({{"dump",
             "Cluster - 'linux':Fairshare=1\nParent - 'root'\nAccount - 'a':Fairshare=x:GrpJobs=y\n"
             "rubbish\nAccount - 'b c':Fairshare=1\nParent - 'lost'\nAccount - 'd':Fairshare=1\n"
             "Parent - 'f'\nAccount - 'e':Fairshare=1\nParent - 'e'\nAccount - 'f':Fairshare=1\n"},
            {"qos", "Name|Priority\nhigh|9|7\n"}});
  read(made);
  for (const auto* lost : {"rubbish", "fairshare=x", "grpjobs=y", "the name 'b c'", "below 'lost'",
                           "account 'e'", "high|9|7"})
    EXPECT_NE(loss_of(made, lost), nullptr) << lost;
  EXPECT_NE(loss_of(made, "high|9|7")->why.find("expected 2 columns"), std::string::npos);
  EXPECT_NE(loss_of(made, "high|9|7")->why.find("found 3"), std::string::npos);
  const std::vector<NamedText> letter{{"letter", "Dear all,\n"}};
  const auto none = migrate(kSite, "slurm.conf", letter);
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().what.find("'letter': line 1"), std::string::npos) << none.error().what;
  const std::vector<NamedText> qos{printed("sacctmgr-qos.txt")};
  EXPECT_FALSE(migrate("SERVERPORT 42559\n", "maui.cfg", qos));
}

TEST(SlurmsDatabase, OtherClustersAreLeftOut) {
  const auto made = with({printed("sacctmgr-dump.cfg")}, "ClusterName=other\nSlurmUser=slurm\n");
  EXPECT_EQ(made.configuration.find("chem"), std::string::npos);
  EXPECT_NE(loss_of(made, "Cluster - 'linux'"), nullptr);
}

TEST(SlurmTime, IsReadAsSlurmWritesIt) {
  const auto seconds = [](std::string_view text) { return parse_slurm_time(text)->raw(); };
  EXPECT_EQ(seconds("7-0"), 604800);
  EXPECT_EQ(seconds("1-12:30"), 86400 + 45000);
  EXPECT_EQ(seconds("90"), 5400);
  EXPECT_EQ(seconds("5:30"), 330);
  EXPECT_EQ(seconds("1:00:00"), 3600);
  for (const auto* wrong : {"", "x", "1-", "-1", "1:2:3:4", "1--2"})
    EXPECT_FALSE(parse_slurm_time(wrong)) << wrong;
}

/// Returns a row of a table in docs/manual/coming-from.md.
std::string manual_row(const Translation& row) {
  std::string here;
  for (const auto name : split(row.here, ','))
    here += fmt::format("{}`{}`", here.empty() ? "" : ", ", trimmed(name));
  return fmt::format("| `{}` | {} | {} |", row.name, row.here.empty() ? "-" : here, row.why);
}
std::string manual_row(const config::OldDefault& row) {
  const auto* parameter = config::find_parameter(row.parameter);
  return fmt::format("| `{}` | {} | {} | {} |", row.parameter, row.value,
                     parameter == nullptr ? "" : parameter->fallback, row.effect);
}

TEST(Migration, TheManualHasItsTables) {
  const auto page =
      content(std::filesystem::path(MAUI_SOURCE) / "docs" / "manual" / "coming-from.md");
  for (const auto table : {moab_translations(), slurm_translations()})
    for (const auto& row : table)
      EXPECT_NE(page.find(manual_row(row) + "\n"), std::string::npos) << manual_row(row);
  for (const auto& row : config::defaults_of_3_3())
    EXPECT_NE(page.find(manual_row(row) + "\n"), std::string::npos) << manual_row(row);
}

}  // namespace
}  // namespace maui::migrate
