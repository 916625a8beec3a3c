#include "config/configuration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>

#include "base/local_zone.h"
#include "base/text.h"
#include "config/configs.h"
#include "config/parameters.h"

namespace maui {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ConfigurationTest, ADefaultConfigurationHasDefaultSettings) {
  EXPECT_EQ(Configuration().settings(), Settings());
  Settings defaults;
  defaults.zone = local_zone();
  EXPECT_EQ(parsed("# nothing\n\n").settings(), defaults);
}

TEST(ConfigurationTest, NamesAreCaseBlind) {
  EXPECT_EQ(parsed("LogLevel 3\n").settings().log.level, 3);
}

TEST(ConfigurationTest, NamesOfThingsAreNot) {
  const auto made = parsed("USERCFG[amy] PRIORITY=1\nUSERCFG[Amy] PRIORITY=2\n");
  EXPECT_EQ(made.settings().users.at("amy").priority, 1);
  EXPECT_EQ(made.settings().users.at("Amy").priority, 2);
}

TEST(ConfigurationTest, ListedWordsAreAcceptedInAnyCaseAndShownInUpperCase) {
  const auto made = parsed("BACKFILLPOLICY bestfit\nSIMAUTOSHUTDOWN no\n");
  EXPECT_EQ(shown(made, "BACKFILLPOLICY"), "BESTFIT");
  EXPECT_EQ(shown(made, "SIMAUTOSHUTDOWN"), "FALSE");
}

TEST(ConfigurationTest, BooleansHaveFourSpellings) {
  for (const auto yes : {"1", "ON", "true", "YES"})
    EXPECT_TRUE(
        parsed(std::string("ENABLENEGJOBPRIORITY ") + yes).settings().priority.allow_negative);
  for (const auto no : {"0", "off", "FALSE", "No"})
    EXPECT_FALSE(parsed(std::string("SIMAUTOSHUTDOWN ") + no).settings().simulation.auto_shutdown);
}

TEST(ConfigurationTest, TheIndexIsZeroWhereNoneIsGiven) {
  const auto made = parsed("RESERVATIONDEPTH 4\nLOGLEVEL[0] 3\n");
  EXPECT_EQ(made.settings().reservation_stacks.at(0).depth, 4);
  EXPECT_EQ(shown(made, "RESERVATIONDEPTH[0]"), "4");
  EXPECT_EQ(shown(made, "LOGLEVEL"), "3");
}

TEST(ConfigurationTest, ACommentMayFollowAValueButNotBeginWithinAWord) {
  const auto made = parsed("BACKFILLDEPTH 3   # few\nLOGDIR a#b # there\n# LOGLEVEL 9\n");
  EXPECT_EQ(made.settings().backfill_depth, 3);
  EXPECT_EQ(made.settings().log.directory, "a#b");
  EXPECT_EQ(made.settings().log.level, 0);
}

TEST(ConfigurationTest, LinesMayEndAsOnOtherSystemsAndFilesBeginWithAMark) {
  const auto made = parsed("\xEF\xBB\xBFLOGLEVEL 3\r\nLOGDIR\t \tthere\r\n");
  EXPECT_EQ(made.settings().log.level, 3);
  EXPECT_EQ(made.settings().log.directory, "there");
}

TEST(ConfigurationTest, QuotesKeepBlanksAndHashes) {
  const auto made =
      parsed("LOGDIR 'a  # b'\nSTATDIR \"it's\"\nNODECFG[n1] PARTITION='left wing'\n");
  EXPECT_EQ(made.settings().log.directory, "a  # b");
  EXPECT_EQ(made.settings().server.stat_dir, "it's");
  EXPECT_EQ(made.settings().nodes.at("n1").partition, "left wing");
  EXPECT_EQ(shown(made, "NODECFG[n1]"), "PARTITION='left wing'");
}

TEST(ConfigurationTest, AnIndexInQuotesMayHaveBlanks) {
  const auto made = parsed(
      "GROUPCFG[\"domain users\"] PRIORITY=5\nGROUPCFG['domain users'] FSTARGET=10\n"
      "USERCFG['amy'] PRIORITY=1\nUSERCFG[o'neil] PRIORITY=2\n"
      "CLASSCFG[batch] 'MAXJOB[GROUP:domain users]=3'\n");
  EXPECT_EQ(shown(made, "GROUPCFG[\"domain users\"]"), "PRIORITY=5 FSTARGET=10");
  EXPECT_EQ(made.settings().groups.at("domain users").priority, 5);
  EXPECT_EQ(made.settings().users.at("amy").priority, 1);
  EXPECT_EQ(made.settings().users.at("o'neil").priority, 2);
  std::string saved;
  for (const auto& row : made.rows()) saved += row.name + " " + row.value + "\n";
  EXPECT_EQ(parsed(saved).settings(), made.settings());
  EXPECT_THAT(complaints("GROUPCFG[domain users] PRIORITY=5\n"),
              testing::HasSubstr("expected a name without blanks, or in quotes, as index"));
  EXPECT_THAT(complaints("SRCFG[\"two words\"] TASKCOUNT=1\n"),
              testing::HasSubstr("expected a name without blanks as index"));
}

TEST(ConfigurationTest, AnObjectMayBeSpreadOverManyLines) {
  const auto made = parsed("USERCFG[amy] PRIORITY=5\nUSERCFG[ amy ] QDEF=high\n");
  EXPECT_EQ(shown(made, "USERCFG[amy]"), "PRIORITY=5 QDEF=high");
  EXPECT_EQ(made.settings().users.at("amy").default_qos, "high");
}

TEST(ConfigurationTest, AnEmptyValueOfAnAttributeIsAValue) {
  EXPECT_EQ(shown(parsed("SYSCFG[base] PLIST=\n"), "SYSCFG"), "PLIST=");
}

TEST(ConfigurationTest, TheSystemIsOneObject) {
  const auto made = parsed("SYSCFG MAXJOB=5 QDEF=low\nSYSCFG[base] MAXJOB=7\nSYSCFG[0] PDEF=p\n");
  EXPECT_EQ(shown(made, "SYSCFG"), "MAXJOB=7 QDEF=low PDEF=p");
  EXPECT_THAT(complaints("SYSCFG[amy] MAXJOB=5\n"),
              testing::HasSubstr("SYSCFG[amy]: this parameter takes no index but [base]"));
}

TEST(ConfigurationTest, TheLastOfRepeatedValuesCountsWithAWarning) {
  EXPECT_EQ(parsed("SERVERPORT 1000\nMAUIPORT 2000\n").settings().server.port, 2000);
  EXPECT_EQ(
      complaints("SERVERPORT 1000\nMAUIPORT 2000\nUSERCFG[a] PRIORITY=1\nUSERCFG[a] priority=2\n"),
      "WARNING: maui.cfg:2: MAUIPORT sets the same as SERVERPORT in line 1, whose value is "
      "dropped\n"
      "WARNING: maui.cfg:4: USERCFG[a] PRIORITY is set again; the value of line 3 is dropped\n");
}

TEST(ConfigurationTest, ARepetitionIsNamedAsTheLinesWriteIt) {
  EXPECT_EQ(complaints("CREDWEIGHT 1\nDirectSpecWeight 10\n"),
            "WARNING: maui.cfg:2: DIRECTSPECWEIGHT sets the same as CREDWEIGHT in line 1, whose "
            "value is dropped\n");
  EXPECT_EQ(complaints("XFACTORCAP 1\nXFCAP 2\nXFCAP 3\n"),
            "WARNING: maui.cfg:2: XFCAP sets the same as XFACTORCAP in line 1, whose value is "
            "dropped\n"
            "WARNING: maui.cfg:3: XFCAP is set again; the value of line 2 is dropped\n");
  EXPECT_EQ(complaints("USERCFG[a] MAXJOBPERGROUP=1\nUSERCFG[a] MAXJOB[group]=2\n"),
            "WARNING: maui.cfg:2: USERCFG[a] MAXJOB[GROUP] sets the same as USERCFG[a] "
            "MAXJOBPERGROUP in line 1, whose value is dropped\n");
}

TEST(ConfigurationTest, ALineOfTheFileIsKnownUntilACommandReplacesItsValue) {
  auto made = parsed("LOGLEVEL 2\n\nMAUISERVER a\nSERVERHOST b\n");
  EXPECT_EQ(made.line_of("SERVERHOST"), 4);
  EXPECT_EQ(made.line_of("SERVERPORT"), 0);
  ASSERT_TRUE(made.set("SERVERHOST", {"c"}, false));
  EXPECT_EQ(made.line_of("SERVERHOST"), 0);
}

TEST(ConfigurationTest, SizesMayHaveUnits) {
  EXPECT_EQ(parsed("LOGFILEMAXSIZE 3k\n").settings().log.max_size, 3 * 1024);
  EXPECT_EQ(parsed("LOGFILEMAXSIZE 2G\n").settings().log.max_size, std::int64_t{2} << 30);
}

TEST(ConfigurationTest, AStackThatNobodyMentionsHoldsNoReservation) {
  const auto stacks = parsed(
                          "RESERVATIONDEPTH[2] 5\nRESERVATIONQOSLIST[2] high,low\n"
                          "RESERVATIONQOSLIST[3] [ALL]\n")
                          .settings()
                          .reservation_stacks;
  EXPECT_THAT(stacks, ElementsAre(ReservationStack{1, {}}, ReservationStack{0, {}},
                                  ReservationStack{5, {"high", "low"}}, ReservationStack{1, {}}));
}

TEST(ConfigurationTest, EachStackHasARetryTimeOfItsOwn) {
  const auto stacks = parsed(
                          "RESERVATIONRETRYTIME 5:00\nRESERVATIONQOSLIST[1] high\n"
                          "RESERVATIONRETRYTIME[1] 10:00\n")
                          .settings()
                          .reservation_stacks;
  EXPECT_THAT(stacks, ElementsAre(ReservationStack{1, {}, Seconds(300)},
                                  ReservationStack{1, {"high"}, Seconds(600)}));
}

// Guide A.3: "disable priority reservations for the default QOS".
TEST(ConfigurationTest, QosNumber0IsTheDefaultQosUnlessItIsNamed) {
  const auto plain = parsed("QOSFLAGS[0] NORESERVATION\n").settings().qos;
  EXPECT_THAT(plain.at("DEFAULT").flags, ElementsAre("NORESERVATION"));
  const auto named = parsed("QOSFLAGS[0] NORESERVATION\nQOSNAME[0] base\n").settings().qos;
  EXPECT_EQ(named.count("DEFAULT"), 0U);
  EXPECT_THAT(named.at("base").flags, ElementsAre("NORESERVATION"));
}

TEST(ConfigurationTest, TheOlderFormsOfQosSpeakOfTheQosOfThatName) {
  const auto made = parsed(
      "QOSPRIORITY[3] 100\nQOSNAME[3] hi\nQOSQTWEIGHT[low] 7\n"
      "QOSCFG[hi] XFWEIGHT=2\n");
  EXPECT_EQ(made.settings().qos.at("hi").priority, 100);
  EXPECT_EQ(made.settings().qos.at("hi").xfactor_weight, 2);
  EXPECT_EQ(made.settings().qos.at("low").queue_time_weight, 7);
  EXPECT_EQ(made.settings().qos.size(), 2U);
}

// setres reads times of day in it.
TEST(ConfigurationTest, TheTimeZoneIsTheServersWhateverIsConfigured) {
  const char* before = std::getenv("TZ");
  const std::string was = before == nullptr ? "" : before;
  ::setenv("TZ", "Etc/GMT-2", 1);
  ::tzset();
  EXPECT_EQ(parsed("").settings().zone.offset_at(Time(86400)), Seconds(7200));
  before == nullptr ? ::unsetenv("TZ") : ::setenv("TZ", was.c_str(), 1);
  ::tzset();
}

TEST(ConfigurationTest, ALimitPerCredentialHasTwoSpellings) {
  EXPECT_EQ(shown(parsed("CLASSCFG[b] MAXNODEPERUSER=8\n"), "CLASSCFG[b]"), "MAXNODE[USER]=8");
  EXPECT_EQ(shown(parsed("CLASSCFG[b] maxproc[user:steve]=3,4\n"), "CLASSCFG[b]"),
            "MAXPROC[USER:steve]=3,4");
}

TEST(ConfigurationTest, AFlagMayNameAReservation) {
  EXPECT_THAT(parsed("QOSCFG[c] FLAGS=NOBF:USERESERVED:chemistry\n").settings().qos.at("c").flags,
              ElementsAre("NOBF", "USERESERVED:chemistry"));
}

// Appendix F: "list of zero or more"; guide 8.4 shows QOSCFG[med] alone.
TEST(ConfigurationTest, AnObjectMayHaveNoAttributesAndKeepsWhatWasSaidOfIt) {
  const auto made = parsed(
      "QOSCFG[med]\nUSERCFG[amy] PRIORITY=3\nUSERCFG[amy]\nSRCFG[a]\nNODECFG[n]\nSYSCFG\n"
      "RMCFG[base]\nAMCFG[bank]\nGROUPCFG[g]\nACCOUNTCFG[x]\nCLASSCFG[y]\n");
  EXPECT_TRUE(made.settings().qos.contains("med"));
  EXPECT_EQ(made.settings().users.at("amy").priority, 3);
  EXPECT_TRUE(made.settings().resource_managers.contains("base"));
  EXPECT_TRUE(made.settings().standing_reservations.contains("a"));
  EXPECT_EQ(shown(made, "QOSCFG[med]"), "[NONE]");
  EXPECT_EQ(parsed(saved(made)).settings(), made.settings());
}

// The guide writes IGNJOBPERUSER, files of release 3.3 IGNMAXJOB.
TEST(ConfigurationTest, FlagsThatLiftLimitsHaveOneForm) {
  EXPECT_THAT(
      parsed("QOSCFG[c] FLAGS=IGNMAXJOB:ignmaxprocperuser,IGNSPERGROUP|IGNJOBQUEUEDPERCLASS\n")
          .settings()
          .qos.at("c")
          .flags,
      ElementsAre("IGNMAXJOB", "IGNPROCPERUSER", "IGNPSPERGROUP", "IGNJOBQUEUEDPERCLASS"));
  EXPECT_THAT(complaints("QOSCFG[c] FLAGS=IGNMAXCAKE\n"), HasSubstr("unknown value 'IGNMAXCAKE'"));
}

TEST(ConfigurationTest, ResourcesMayStandBeforeTheirPolicyAndHaveOnePolicyEach) {
  const auto made =
      parsed("RESOURCELIMITPOLICY MEM:ALWAYS:CANCEL EXTENDEDVIOLATION:REQUEUE:PROC\n");
  EXPECT_EQ(shown(made, "RESOURCELIMITPOLICY"), "ALWAYS:CANCEL:MEM EXTENDEDVIOLATION:REQUEUE:PROC");
  EXPECT_THAT(complaints("RESOURCELIMITPOLICY MEM:ALWAYS:CANCEL EXTENDEDVIOLATION:CANCEL:MEM\n"),
              HasSubstr("MEM is named twice"));
}

TEST(ConfigurationTest, NoneMayStandWithoutBrackets) {
  EXPECT_EQ(shown(parsed("NODESETPOLICY NONE\n"), "NODESETPOLICY"), "[NONE]");
  EXPECT_EQ(shown(parsed("AMCFG[bank] TYPE=NONE\n"), "AMCFG[bank]"), "TYPE=NONE");
}

TEST(ConfigurationTest, AccessPolicySingleJobIsDedicated) {
  EXPECT_EQ(parsed("NODEACCESSPOLICY SINGLEJOB\n").settings().node_access, NodeAccess::dedicated);
  EXPECT_EQ(parsed("NODEACCESSPOLICY SINGLETASK\n").settings().node_access,
            NodeAccess::single_task);
}

TEST(ConfigurationTest, TheMachineMayComeFromTheWorkload) {
  EXPECT_EQ(parsed("SIMRESOURCETRACEFILE [NONE]\n").settings().simulation.resource_trace, "[NONE]");
}

TEST(ConfigurationTest, TheListingHasTheNamesAndHeadingsOf33AndWhateverElseIsSet) {
  const auto listing =
      parsed(
          "DEFERTIME 5\nBACKFILLDEPTH 3\nUSERCFG[amy] MAXJOB=3\nSTATDIR here\nCRASHMODE RESTART\n")
          .listing();
  const auto value = [&](std::string_view name) {
    const auto at = std::find_if(listing.rows.begin(), listing.rows.end(),
                                 [&](const auto& row) { return row.name == name; });
    return at == listing.rows.end() ? "(none)" : at->value;
  };
  EXPECT_EQ(value("REJECTNEGPRIOJOBS[0]"), "FALSE") << "defaults, too";
  EXPECT_EQ(value("XFACTORWEIGHT[0]"), "0") << "by its name in 3.3";
  EXPECT_EQ(value("BACKFILLDEPTH[0]"), "3");
  EXPECT_EQ(value("DEFERTIME"), "00:00:05");
  EXPECT_EQ(value("USERCFG[amy]"), "MAXJOB=3");
  EXPECT_EQ(value("CRASHMODE"), "RESTART") << "which 3.3 did not list";
  EXPECT_EQ(value("XFWEIGHT"), "(none)") << "once is enough";
  EXPECT_EQ(value("CLIENTTIMEOUT"), "(none)");
  EXPECT_EQ(listing.headings.front(),
            (std::pair<std::size_t, std::string>(0, "# global policies")));
}

TEST(ConfigurationTest, TheListingSavedAsAConfigurationSaysTheSame) {
  const auto made = parsed(
      "RESERVATIONDEPTH[2] 4\nRESERVATIONQOSLIST[2] high\nSRCFG[a] TASKCOUNT=2\nXFWEIGHT 3\n"
      "SRTASKCOUNT[b] 4\nCLASSCFG[long] MAXJOB=2,4\nFSPOLICY DEDICATEDPS\nADMINHOST here\n");
  for (const bool all : {false, true}) {
    std::string saved;
    for (const auto& row : made.listing(all).rows) saved += row.name + " " + row.value + "\n";
    EXPECT_EQ(parsed(saved).settings(), made.settings());
  }
  EXPECT_EQ(made.listing(true).rows.size(), made.rows().size()) << "each of them once";
}

TEST(ConfigurationTest, ParametersWithoutEffectAreReported) {
  const auto made = parsed(
      "CRASHMODE STOP\nDEFERCOUNT 24\nLOGLEVEL 3\n"
      "RMCFG[a] NMPORT=5\nJOBSIZEPOLICY x\nRMCONFIGFILE[0] LoadL\n");
  EXPECT_THAT(made.without_effect(), ElementsAre("JOBSIZEPOLICY", "RMCFG NMPORT", "RMCONFIGFILE"));
}

TEST(ConfigurationTest, FairshareIsSetAsTheGuideAndThePaperWriteIt) {
  const auto settings = parsed(
                            "FSPOLICY PSDEDICATED\nFSINTERVAL 12:00:00\nFSDEPTH 14\nFSDECAY 0.80\n"
                            "FSWEIGHT 100\nUSERFSWEIGHT 2\nFSCAP 10.0\n"
                            "UserCfg[BigKahuna] FSTARGET=50 QTTARGET=4:00:00\n"
                            "GroupCfg[staff] FSTARGET=10.0-\nQOSCfg[HighPriority] FSTARGET=40.0+\n"
                            "ClassCfg[interactive] FSTARGET=15.0^ XFTARGET=5\n")
                            .settings();
  EXPECT_EQ(settings.fairshare.metric, FairshareMetric::dedicated_proc_seconds);
  EXPECT_EQ(settings.fairshare.interval, Seconds(43200));
  EXPECT_EQ(settings.fairshare.depth, 14);
  EXPECT_EQ(settings.fairshare.decay, 0.8);
  EXPECT_EQ(settings.priority.fairshare, (Weighting{100, 10}));
  EXPECT_EQ(settings.priority.fs_user.weight, 2);
  EXPECT_EQ(settings.users.at("BigKahuna").fairshare_target, FairshareTarget{50});
  EXPECT_EQ(settings.users.at("BigKahuna").queue_time_target, Seconds(14400));
  EXPECT_EQ(settings.groups.at("staff").fairshare_target,
            (FairshareTarget{10, TargetType::ceiling}));
  EXPECT_EQ(settings.qos.at("HighPriority").fairshare_target,
            (FairshareTarget{40, TargetType::floor}));
  EXPECT_EQ(settings.classes.at("interactive").fairshare_target,
            (FairshareTarget{15, TargetType::cap}));
  EXPECT_EQ(settings.classes.at("interactive").xfactor_target, 5.0);
}

TEST(ConfigurationTest, AWeightMayBeThatOfOnePartition) {
  const auto settings =
      parsed("RESWEIGHT[0] 5\nRESWEIGHT[fat] 7\nRESOURCECAP[fat] 2000\n").settings();
  EXPECT_EQ(settings.priority.resource.weight, 5);
  const auto& fat = settings.partition_weights.at("fat");
  ASSERT_EQ(fat.size(), 2U);
  EXPECT_EQ(fat[0], (PartitionWeight{&PrioritySettings::resource, &Weighting::weight, 7}));
  EXPECT_EQ(fat[1], (PartitionWeight{&PrioritySettings::resource, &Weighting::cap, 2000}));
}

TEST(ConfigurationTest, APartitionMayHavePoliciesOfItsOwn) {
  const auto made = parsed(
      "BACKFILLPOLICY[0] BESTFIT\nBACKFILLPOLICY[math] none\nNODEALLOCATIONPOLICY[math] FASTEST\n");
  const auto& settings = made.settings();
  EXPECT_EQ(settings.backfill, BackfillPolicy::best_fit);
  EXPECT_EQ(settings.node_allocation, NodeAllocation::last_available);
  EXPECT_EQ(settings.partition_policies.size(), 1U);
  EXPECT_EQ(settings.partition_policies.at("math"),
            (PartitionPolicies{BackfillPolicy::none, NodeAllocation::fastest}));
  EXPECT_THAT(complaints("BACKFILLPOLICY[math] SOMETIMES\n"), HasSubstr("SOMETIMES"));
}

TEST(ConfigurationTest, APartitionMayHaveLimits) {
  const auto settings = parsed(
                            "PARCFG[math] MAXJOB=2,4 MAXIPROC=9\nPARCFG[math] "
                            "MAXPROC[USER:amy]=8\nPARCFG[DEFAULT] MAXJOB=1\n")
                            .settings();
  const auto& math = settings.partitions.at("math");
  EXPECT_EQ(math.active[index_of(LimitKind::job)], (Limit{2, 4}));
  EXPECT_EQ(math.idle[index_of(LimitKind::proc)], (Limit{9, 9}));
  ASSERT_EQ(math.cross.size(), 1U);
  EXPECT_EQ(math.cross[0].name, "amy");
  EXPECT_TRUE(settings.partitions.contains("DEFAULT"));
  EXPECT_THAT(complaints("PARCFG[math] PRIORITY=4\n"), HasSubstr("PRIORITY"));
}

TEST(ChangeparamTest, ChangesTheSettings) {
  Configuration made;
  EXPECT_TRUE(made.set("LOGLEVEL", {"6"}, true));
  EXPECT_TRUE(made.set("admin1", {"sys", "mike", "peter"}, true));
  EXPECT_EQ(made.settings().log.level, 6);
  EXPECT_THAT(made.settings().server.admins[0], ElementsAre("sys", "mike", "peter"));
}

TEST(ChangeparamTest, AddsAttributesToAnObject) {
  auto made = parsed("USERCFG[amy] PRIORITY=5 QDEF=high\n");
  EXPECT_TRUE(made.set("USERCFG[amy]", {"PRIORITY=7"}, true));
  EXPECT_EQ(shown(made, "USERCFG[amy]"), "PRIORITY=7 QDEF=high");
  EXPECT_EQ(made.settings().users.at("amy").priority, 7);
}

TEST(ChangeparamTest, ReadsTheValueAsALineOfTheFile) {
  const std::string object = "SRCFG[w]", value = "PERIOD=DAY HOSTLIST=\"n02 n03\" # why";
  const auto from_file = saved(parsed(object + ' ' + value + '\n'));
  using Parts = std::vector<std::string>;
  for (const Parts& parts : {Parts{value}, Parts{"PERIOD=DAY", "HOSTLIST=\"n02 n03\"", "# why"},
                             Parts{" PERIOD=DAY\t", "HOSTLIST=\"n02", "n03\"  # why"}}) {
    Configuration made;
    EXPECT_TRUE(made.set(object, parts, true));
    EXPECT_EQ(saved(made), from_file);
  }
  Configuration made;
  EXPECT_EQ(made.set(object, {"HOSTLIST=\"n02"}, true).error().what,
            "SRCFG[w]: a quotation begins with \" and does not end");
  EXPECT_TRUE(made.set("LOGDIR", {""}, true)) << "an empty word";
  EXPECT_EQ(made.settings().log.directory, "");
}

TEST(ChangeparamTest, AFailureLeavesEverythingAsItWas) {
  auto made = parsed("LOGLEVEL 3\n");
  const auto before = saved(made);
  EXPECT_FALSE(made.set("LOGLEVEL", {"12"}, true));
  EXPECT_FALSE(made.set("NOSUCH", {"4"}, true));
  EXPECT_FALSE(made.set("USERCFG[amy]", {"PRIORITY=1", "NOSUCH=2"}, true));
  EXPECT_EQ(saved(made), before);
}

TEST(ChangeparamTest, RefusesWhatOnlyARestartCanChange) {
  Configuration made;
  const auto status = made.set("SERVERPORT", {"4000"}, true);
  ASSERT_FALSE(status);
  EXPECT_EQ(
      status.error().what,
      "SERVERPORT takes effect only when the scheduler starts, since the scheduler listens there "
      "until it ends: set it in maui.cfg and restart");
  EXPECT_TRUE(made.set("SERVERPORT", {"4000"}, false));
  EXPECT_EQ(made.settings().server.port, 4000);
}

TEST(ChangeparamTest, ValuesCannotSmuggleInLines) {
  Configuration made;
  EXPECT_THAT(made.set("LOGDIR", {"a\nADMIN1 eve"}, false).error().what,
              HasSubstr("control character"));
  EXPECT_FALSE(made.set("USERCFG[a b]", {"PRIORITY=1"}, false));
}

// A value that is not the default: one of those that its type says it expects, or of a few others.
std::vector<std::string> another_value(const config::Parameter& parameter) {
  std::vector<std::string> candidates{"7", "there", "00:00:07", "fUI", "ALWAYS:CANCEL:MEM"};
  if (parameter.attributes != nullptr)
    for (const auto& attribute : *parameter.attributes)
      for (const char* value : {"7", "there", "PBS", "DAY", "TRUE", "RESTARTABLE"})
        candidates.push_back(attribute.name + "=" + value);
  std::string expected = parameter.type.expected;
  std::replace(expected.begin(), expected.end(), ',', ' ');
  for (const auto word : words(expected)) candidates.emplace_back(word);
  for (const auto& word : candidates) {
    const auto value = parameter.type.canonical({word});
    if (value && *value != config::fallback_of(parameter)) return {word};
  }
  ADD_FAILURE() << "no value known for " << parameter.name;
  return {};
}

// Few, and each for a reason.
TEST(ReloadTest, MostParametersCountAtOnce) {
  int late = 0;
  for (const auto& parameter : config::parameters())
    late +=
        parameter.file == config::File::open && !config::restart_reason(parameter.change).empty();
  EXPECT_LE(late, 26);
  Configuration made;
  for (const char* name : {"LOGFILE", "LOGDIR", "STATDIR", "CHECKPOINTFILE", "BANKSERVER",
                           "RMTIMEOUT", "FEATUREPARTITIONHEADER", "NODEALLOCATIONPROGRAM"})
    EXPECT_TRUE(made.set(name, {"9"}, true)) << name;
  EXPECT_THAT(made.set("FSCONFIGFILE", {"x"}, true).error().what, HasSubstr("schedctl -R"));
}

TEST(ReloadTest, ResourceManagerParametersTakeEffectAtOnce) {
  auto running = parsed("RMCFG[base] TYPE=WIKI PORT=1 TIMEOUT=9\n");
  EXPECT_TRUE(running.set("RMCFG[base]", {"TIMEOUT=20"}, true));
  EXPECT_EQ(running.settings().resource_managers.at("base").timeout, Seconds(20));
  EXPECT_TRUE(running.set("RMCFG[base]", {"TIMEOUT=30", "PORT=2"}, true));
  EXPECT_EQ(running.settings().resource_managers.at("base").port, 2);
  auto next = parsed("RMCFG[base] TYPE=WIKI PORT=1 TIMEOUT=40\n");
  EXPECT_THAT(next.keep_until_restart(running), ElementsAre());
  EXPECT_EQ(next.settings().resource_managers.at("base").timeout, Seconds(40));
  next = parsed("RMCFG[base] TYPE=WIKI PORT=2 TIMEOUT=50\n");
  EXPECT_THAT(next.keep_until_restart(running), ElementsAre());
  EXPECT_EQ(next.settings().resource_managers.at("base").timeout, Seconds(50));
}

TEST(ReloadTest, TheTypeOfAResourceManagerStaysAsItWasAtTheStart) {
  auto running = parsed("RMCFG[annex] TYPE=WIKI PORT=1\n");
  EXPECT_THAT(running.set("RMCFG[annex]", {"TYPE=PBS"}, true).error().what,
              HasSubstr("RMCFG[annex] TYPE takes effect only when the scheduler starts"));
  EXPECT_TRUE(running.set("RMCFG[annex]", {"TYPE=WIKI", "TIMEOUT=5"}, true)) << "as before";
  auto next = parsed("RMCFG[annex] TYPE=PBS PORT=2\n");
  EXPECT_THAT(next.keep_until_restart(running), ElementsAre("RMCFG"));
  EXPECT_EQ(next.settings().resource_managers.at("annex").type, "WIKI");
  EXPECT_EQ(next.settings().resource_managers.at("annex").port, 1) << "2 is the port of PBS";
}

TEST(ReloadTest, AResourceManagerMayBeWrittenInAnotherForm) {
  const auto running = parsed("RMTYPE[0] WIKI\nRMSERVER[0] head\nRMPORT[0] 7321\n");
  auto next = parsed("RMCFG[base] TYPE=WIKI HOST=other PORT=7321\n");
  EXPECT_THAT(next.keep_until_restart(running), ElementsAre());
  EXPECT_EQ(next.settings().resource_managers.at("base").type, "WIKI");
  EXPECT_EQ(next.settings().resource_managers.at("base").host, "other");
}

TEST(ReloadTest, ResourceManagersAreKeptWhole) {
  const auto running = parsed("RMTYPE[0] WIKI\nRMSERVER[0] head\nRMPORT[0] 7321\n");
  auto next = parsed(
      "RMTYPE[0] WIKI\nRMSERVER[0] head\nRMPORT[0] 7321\n"
      "RMTYPE[1] PBS\nRMSERVER[1] second\nRMTIMEOUT[0] 40\n");
  EXPECT_THAT(next.keep_until_restart(running), ElementsAre("RMTYPE", "RMSERVER", "RMTIMEOUT"));
  EXPECT_EQ(next.settings().resource_managers, running.settings().resource_managers);
}

TEST(ReloadTest, EveryParameterThatNeedsARestartKeepsItsValueAndIsNamed) {
  for (const auto& parameter : config::parameters()) {
    if (parameter.file != config::File::open) continue;
    const auto name = config::full_name(parameter, config::default_index(parameter));
    Configuration changed;
    EXPECT_TRUE(changed.set(name, another_value(parameter), false)) << name;
    const Configuration running;
    auto next = changed;
    const bool later = !config::restart_reason(parameter.change).empty();
    EXPECT_EQ(next.keep_until_restart(running),
              later ? std::vector{parameter.name} : std::vector<std::string>{});
    EXPECT_EQ(saved(next), saved(later ? running : changed)) << name;
    EXPECT_EQ(next.settings(), (later ? running : changed).settings()) << name;
    auto back = running;  // and the other way: the file no longer says it
    EXPECT_EQ(back.keep_until_restart(changed).size(), later ? 1U : 0U) << name;
    EXPECT_EQ(saved(back), saved(later ? changed : running)) << name;
  }
}

TEST(ReloadTest, SayingTheDefaultOrTheSameAgainIsNoChange) {
  const auto running = parsed("SERVERPORT 4000\nLOGDIR log\n");
  EXPECT_THAT(parsed("MAUIPORT 4000\n").keep_until_restart(running), ElementsAre());
}

TEST(ConfigurationTest, CopiesAreIndependent) {
  auto first = parsed("LOGLEVEL 3\n");
  auto copy = first;
  EXPECT_TRUE(copy.set("LOGLEVEL", {"5"}, true));
  first = std::move(copy);
  EXPECT_EQ(first.settings().log.level, 5);
}

}  // namespace
}  // namespace maui
