#include <gtest/gtest.h>

#include <algorithm>

#include "base/reservation_flag_names.h"
#include "base/text.h"
#include "config/standing_rows.h"
#include "configs.h"
#include "maui/reservation.h"

namespace maui {
namespace {

const StandingReservationSettings& only(const Configuration& configuration) {
  EXPECT_EQ(configuration.settings().standing_reservations.size(), 1U);
  return configuration.settings().standing_reservations.begin()->second;
}

AccessWord word(AccessKind kind, const std::string& name) {
  AccessWord word;
  word.kind = kind;
  word.name = name;
  return word;
}

TEST(StandingReservationConfigTest, TheBusinessHourExampleOfTheGuide) {
  const auto configuration = parsed(
      "SRCFG[interactive] TASKCOUNT=6 RESOURCES=PROCS:1,MEM:512\n"
      "SRCFG[interactive] PERIOD=DAY DAYS=MON,TUE,WED,THU,FRI\n"
      "SRCFG[interactive] STARTTIME=9:00:00 ENDTIME=17:00:00\n"
      "SRCFG[interactive] CLASSLIST=interactive\n");
  const auto& standing = only(configuration);
  EXPECT_EQ(standing.tasks, 6);
  EXPECT_EQ(standing.per_task, Resources(1, 512));
  EXPECT_EQ(standing.period, StandingPeriod::day);
  EXPECT_EQ(standing.days, 0x3e);
  EXPECT_EQ(standing.start, Seconds(9 * 3600));
  EXPECT_EQ(standing.end, Seconds(17 * 3600));
  EXPECT_EQ(standing.access, (std::vector<AccessWord>{word(AccessKind::job_class, "interactive")}));
  EXPECT_EQ(standing.depth, 2);
  EXPECT_TRUE(configuration.without_effect().empty());
}

TEST(StandingReservationConfigTest, AllMeansEverybodyAndEveryPartition) {
  for (const char* all : {"ALL", "[ALL]"}) {
    const auto configuration =
        parsed(std::string("SRUSERLIST[0] ") + all + "\nSRPARTITION[0] " + lower(all) + "\n");
    const auto& standing = only(configuration);
    EXPECT_EQ(standing.access, (std::vector<AccessWord>{word(AccessKind::user, "ALL")})) << all;
    EXPECT_EQ(standing.partition, "") << all;
  }
  EXPECT_EQ(only(parsed("SRCFG[0] GROUPLIST=[ALL]\n")).access,
            (std::vector<AccessWord>{word(AccessKind::group, "ALL")}));
  EXPECT_TRUE(only(parsed("SRTASKCOUNT[0] 1\nSRGROUPLIST[0] [ALL]\n")).access.empty())
      << "the guide's default, which admits nobody";
}

TEST(StandingReservationConfigTest, AllMeansEveryHostInAnyCaseAndInBothForms) {
  for (const char* all : {"ALL", "all", "[ALL]", "[all]"})
    for (const char* form : {"SRCFG[0] HOSTLIST=", "SRTASKCOUNT[0] 1\nSRHOSTLIST[0] "})
      EXPECT_EQ(only(parsed(std::string(form) + all)).hosts, "ALL") << form << all;
  EXPECT_EQ(only(parsed("SRTASKCOUNT[0] 1\n")).hosts, "");
}

TEST(StandingReservationConfigTest, MarksOfAccessLists) {
  const auto configuration = parsed(
      "SRCFG[special] TIMELIMIT=1:00:00* QOSLIST=high=,low|special-:must*\n"
      "SRCFG[special] ACCCOUNTLIST=!projectX,!projectY\n");
  const auto& access = only(configuration).access;
  ASSERT_EQ(access.size(), 7U);
  EXPECT_TRUE(access[0].required);
  EXPECT_EQ(access[0].kind, AccessKind::time);
  EXPECT_EQ(access[0].value, 3600);
  EXPECT_EQ(access[1].affinity, Affinity::neutral);
  EXPECT_EQ(access[2], word(AccessKind::qos, "low"));
  EXPECT_EQ(access[3].name, "special");
  EXPECT_EQ(access[3].affinity, Affinity::negative);
  EXPECT_TRUE(access[4].required);
  EXPECT_TRUE(access[5].negated);
  EXPECT_EQ(access[5].name, "projectX");
  EXPECT_EQ(access[6].kind, AccessKind::account);
}

TEST(StandingReservationConfigTest, TheOlderFormSaysTheSame) {
  const auto older = parsed(
      "SRNAME[0] shortpool\nSRTASKCOUNT[0] 32\nSRPERIOD[0] WEEK\nSRWSTARTTIME[0] 1:08:00:00\n"
      "SRWENDTIME[0] 5:17:00:00\nSRFEATURES[0] largememory\nSRMAXTIME[0] 1:00:00\n"
      "SRTIMELOGIC[0] AND\nSRQOSLIST[0] high low special-\n"
      "SRACCOUNTLIST[0] !projectX !projectY\n");
  const auto newer = parsed(
      "SRCFG[0] TASKCOUNT=32 PERIOD=WEEK WSTARTTIME=1:08:00:00 WENDTIME=5:17:00:00\n"
      "SRCFG[0] NODEFEATURES=largememory TIMELIMIT=1:00:00 TIMELOGIC=AND\n"
      "SRCFG[0] QOSLIST=high,low,special- ACCOUNTLIST=!projectX,!projectY\n"
      "SRNAME[0] shortpool\n");
  const auto by_kind = [](StandingReservationSettings standing) {
    std::stable_sort(standing.access.begin(), standing.access.end(),
                     [](const AccessWord& a, const AccessWord& b) { return a.kind < b.kind; });
    return standing;
  };
  EXPECT_EQ(by_kind(only(older)), by_kind(only(newer)));
  EXPECT_EQ(only(older).name, "shortpool");
}

constexpr std::pair<const char*, const char*> kOlderValues[] = {
    {"SRACCESS", "SHARED"},
    {"SRACCOUNTLIST", "ops,staff-"},
    {"SRCHARGEACCOUNT", "steve"},
    {"SRCLASSLIST", "interactive"},
    {"SRDAYS", "Mon,Tue"},
    {"SRDEPTH", "7"},
    {"SRSTARTTIME", "8:00:00"},
    {"SRENDTIME", "17:00:00"},
    {"SRWSTARTTIME", "1:08:00:00"},
    {"SRWENDTIME", "5:17:00:00"},
    {"SRFLAGS", "BYNAME,SINGLEUSE"},
    {"SRGROUPLIST", "staff,!ops"},
    {"SRHOSTLIST", "node001,node002"},
    {"SRFEATURES", "wide,fddi"},
    {"SRPARTITION", "OLD"},
    {"SRPERIOD", "INFINITY"},
    {"SRQOSLIST", "hi,low="},
    {"SRRESOURCES", "PROCS=1;MEM=512"},
    {"SRTASKCOUNT", "16"},
    {"SRMAXTIME", "1:00:00*"},
    {"SRTIMELOGIC", "AND"},
    {"SRTPN", "4"},
    {"SRUSERLIST", "bob,joe"},
};

TEST(StandingReservationConfigTest, EveryOlderParameterSaysWhatItsAttributeSays) {
  const StandingReservationSettings nothing;
  for (const auto& row : config::standing_rows()) {
    if (row.parameter.empty() || row.attribute.empty()) continue;
    SCOPED_TRACE(row.parameter);
    const auto* const value =
        std::find_if(std::begin(kOlderValues), std::end(kOlderValues),
                     [&](const auto& known) { return row.parameter == known.first; });
    ASSERT_NE(value, std::end(kOlderValues));
    const auto older = only(parsed(row.parameter + "[1] " + value->second + "\n"));
    EXPECT_EQ(older, only(parsed("SRCFG[1] " + row.attribute + "=" + value->second + "\n")));
    EXPECT_NE(older, nothing);
  }
}

TEST(StandingReservationConfigTest, ANameInQuotesIsOneName) {
  const auto names = [](const std::string& line) {
    std::vector<std::string> all;
    const auto configuration = parsed(line + "\n");
    for (const auto& word : only(configuration).access) all.push_back(word.name);
    return all;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names("SRCFG[a] GROUPLIST=\"domain users\""), (Names{"domain users"}));
  EXPECT_EQ(names("SRCFG[a] GROUPLIST=staff,'domain users', amy"),
            (Names{"staff", "domain users", "amy"}));
  EXPECT_EQ(names("SRCFG[a] GROUPLIST=\"staff, domain users-\""), (Names{"staff", "domain users"}));
  EXPECT_EQ(names("SRGROUPLIST[1] 'domain users' staff"), (Names{"domain users", "staff"}));
  EXPECT_EQ(names("SRCFG[a] GROUPLIST=staff amy"), (Names{"staff", "amy"}));
  EXPECT_EQ(names("SRCFG[a] GROUPLIST=\"domain users\" USERLIST=amy"),
            (Names{"domain users", "amy"}));
}

TEST(StandingReservationConfigTest, BarsSeparateHostsOutsideOfBrackets) {
  const auto hosts = [](const std::string& list) {
    const auto configuration = parsed("SRCFG[a] HOSTLIST=" + list + "\n");
    return only(configuration).hosts;
  };
  EXPECT_EQ(hosts("node1|node2"), "node1,node2");
  EXPECT_EQ(hosts("node[1-3]|r(1|2)n[4|5]$"), "node[1-3],r(1|2)n[4|5]$");
  EXPECT_EQ(hosts("^node1$|n\\|1"), "^node1$,n\\|1");
}

TEST(StandingReservationConfigTest, ErrorsSayWhatIsExpected) {
  EXPECT_EQ(complaints("SRCFG[a] HOSTLIST=node[\n").empty(), false);
  EXPECT_NE(complaints("SRCFG[a] USERLIST=!\n").find("'!' has no name"), std::string::npos);
  EXPECT_NE(complaints("SRCFG[a] OWNER=amy\n").find("expected"), std::string::npos);
  EXPECT_NE(complaints("SRCFG[a] OWNER=USER:\n").find("names no USER"), std::string::npos);
  EXPECT_NE(complaints("SRCFG[a] JOBATTRLIST=BIG\n").find("unknown job attribute 'BIG'"),
            std::string::npos);
  EXPECT_NE(complaints("SRCFG[a] PROCLIMIT=<many\n").find("invalid limit '<many'"),
            std::string::npos);
  EXPECT_NE(complaints("SRCFG[a] DAYS=Someday\n").find("unknown value 'Someday'"),
            std::string::npos);
}

TEST(StandingReservationConfigTest, LimitsOnJobs) {
  const auto configuration = parsed("SRCFG[a] PROCLIMIT=<=8 TASKLIMIT=>4* JOBATTRLIST=PREEMPTEE\n");
  const auto& access = only(configuration).access;
  ASSERT_EQ(access.size(), 3U);
  EXPECT_EQ(access[0].compare, Comparison::at_most);
  EXPECT_EQ(access[0].value, 8);
  EXPECT_EQ(access[1].compare, Comparison::more);
  EXPECT_TRUE(access[1].required);
  EXPECT_EQ(access[2].value, static_cast<std::int64_t>(JobFlag::preemptee));
}

TEST(StandingReservationConfigTest, FlagsAreBits) {
  for (const auto& row : kReservationFlagNames) {
    const auto made = parsed("SRCFG[a] FLAGS=" + std::string(row.name) + "\n");
    EXPECT_EQ(only(made).flags, static_cast<std::uint16_t>(row.value)) << row.name;
  }
  const auto configuration = parsed("SRCFG[a] FLAGS=SPACEFLEX,SINGLEUSE\n");
  EXPECT_TRUE(has(only(configuration).flags, ReservationFlag::space_flex));
  EXPECT_TRUE(has(only(configuration).flags, ReservationFlag::single_use));
  EXPECT_FALSE(has(only(configuration).flags, ReservationFlag::by_name));
}

TEST(StandingReservationConfigTest, AListMayGoOnBehindBlanks) {
  const auto configuration = parsed("SRCFG[special] QOSLIST=high low special- TASKCOUNT=2\n");
  const auto& access = only(configuration).access;
  ASSERT_EQ(access.size(), 3U);
  EXPECT_EQ(access[1], word(AccessKind::qos, "low"));
  EXPECT_EQ(access[2].affinity, Affinity::negative);
  EXPECT_NE(complaints("SRCFG[special] TASKCOUNT=2 low\n").find("'low': expected ATTRIBUTE=VALUE"),
            std::string::npos);
  EXPECT_NE(complaints("SRCFG[special] QOSLIST=high DEPTH\n").find("'DEPTH': expected"),
            std::string::npos);
}

// Seed 7.1.5.2.4: 'QOSLIST[0] normal= high debug= low-'.
TEST(StandingReservationConfigTest, TheAffinityExampleOfTheSeedInBothForms) {
  for (const char* text : {"SRQOSLIST[0] normal= high debug= low-*\n",
                           "SRCFG[0] QOSLIST=normal= high debug= low-* DEPTH=2\n"}) {
    SCOPED_TRACE(text);
    const auto configuration = parsed(text);
    const auto& access = only(configuration).access;
    ASSERT_EQ(access.size(), 4U);
    EXPECT_EQ(access[0].affinity, Affinity::neutral);
    EXPECT_EQ(access[1], word(AccessKind::qos, "high"));
    EXPECT_EQ(access[2].name, "debug");
    EXPECT_EQ(access[2].affinity, Affinity::neutral);
    EXPECT_EQ(access[3].affinity, Affinity::negative);
    EXPECT_TRUE(access[3].required);
  }
  EXPECT_NE(complaints("SRCFG[0] QOSLIST=high DEPHT=\n").find("did you mean 'DEPTH'"),
            std::string::npos);
}

TEST(StandingReservationConfigTest, TriggersHaveAnEventAndAnAction) {
  const auto configuration = parsed(
      "SRCFG[fast] TRIGGER=start+5:00:00:exec@/usr/local/domail.pl,minload+30:00@0.25;cancel\n"
      "SRCFG[fast] FLAGS=PREEMPTEE,SLIDEFORWARD,OWNERPREEMPT,BESTEFFORT\n");
  const Trigger mail{TriggerEvent::start, Seconds(18000), 0, TriggerAction::execute,
                     "/usr/local/domail.pl"};
  const Trigger idle{TriggerEvent::min_load, Seconds(1800), 0.25, TriggerAction::cancel, ""};
  EXPECT_EQ(only(configuration).triggers, (std::vector<Trigger>{mail, idle}));
  EXPECT_TRUE(configuration.without_effect().empty());
}

TEST(StandingReservationConfigTest, TriggersThatMakeNoSenseAreRefused) {
  for (const auto& [value, why] : std::vector<std::pair<std::string, std::string>>{
           {"start", "'start' has no action"},
           {"begin;cancel", "unknown event 'begin'"},
           {"start+soon;cancel", "soon"},
           {"minload;cancel", "minload needs a threshold"},
           {"minload@2;cancel", "invalid threshold '2' (a share from 0 to 1)"},
           {"start@0.5;cancel", "only minload takes a threshold"},
           {"end;cancel", "nothing to cancel"},
           {"start;exec", "need the name of a file"},
           {"start;cancel@x", "cancel takes no data"}}) {
    const auto text = complaints("SRCFG[fast] TRIGGER=" + value + "\n");
    EXPECT_NE(text.find(why), std::string::npos) << value << ": " << text;
  }
}

TEST(StandingReservationConfigTest, TheOrderOfTheLinesIsThatOfTheLists) {
  const auto configuration =
      parsed("SRCFG[night] PERIOD=DAY\nSRCFG[chem] PERIOD=INFINITY\nSRCFG[night] TASKCOUNT=2\n");
  EXPECT_EQ(configuration.settings().standing_order, (std::vector<std::string>{"night", "chem"}));
}

}  // namespace
}  // namespace maui
