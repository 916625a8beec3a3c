// Each kind of wrong input has a message that says where, what, and what was expected.
#include <gtest/gtest.h>

#include "config/configs.h"

namespace maui {
namespace {

struct Wrong {
  std::string_view text, message;
};

constexpr Wrong kWrong[] = {
    {"BACKFILPOLICY FIRSTFIT",
     "unknown parameter 'BACKFILPOLICY' (did you mean 'BACKFILLPOLICY'?)"},
    {"ZZZZZZZZZZZZZ 1", "unknown parameter 'ZZZZZZZZZZZZZ'"},
    {"LOGLEVEL=3", "LOGLEVEL=3: expected a blank between name and value"},
    {"LOGLEVEL", "LOGLEVEL: no value: expected a whole number from 0 to 9"},
    {"LOGLEVEL three",
     "LOGLEVEL: invalid whole number 'three': expected a whole number from 0 to 9"},
    {"LOGLEVEL 12", "LOGLEVEL: 12 is out of range: expected a whole number from 0 to 9"},
    {"LOGLEVEL 1 2", "LOGLEVEL: more than one value ('2'): expected a whole number from 0 to 9"},
    {"LOGLEVEL 99999999999999999999",
     "LOGLEVEL: 99999999999999999999 is out of range: expected a whole number from 0 to 9"},
    {"QUEUETIMEWEIGHT -9223372036854775808",
     "QUEUETIMEWEIGHT: -9223372036854775808 is out of range (-1000000000 to 1000000000): expected "
     "a whole number"},
    {"QUEUETIMEWEIGHT 9223372036854775808",
     "QUEUETIMEWEIGHT: 9223372036854775808 is out of range (-1000000000 to 1000000000): expected a "
     "whole number"},
    {"LOGFILEMAXSIZE -1",
     "LOGFILEMAXSIZE: -1 is out of range (0 to 1048576T): expected a number of bytes, or a number "
     "with K, M, G or T"},
    {"LOGFILEMAXSIZE 9223372036854775808",
     "LOGFILEMAXSIZE: 9223372036854775808 is out of range (0 to 1048576T): expected a number of "
     "bytes, or a number with K, M, G or T"},
    {"LOGFILEMAXSIZE 1048577T",
     "LOGFILEMAXSIZE: 1048577T is out of range (0 to 1048576T): expected a number of bytes, or a "
     "number with K, M, G or T"},
    {"RMPOLLINTERVAL 9223372036854775807",
     "RMPOLLINTERVAL: 9223372036854775807 is out of range (0 to 1099511627776 seconds): expected "
     "[[[DD:]HH:]MM:]SS or INFINITY"},
    {"CLOCKSTEP 106751991167300:00:00:00",
     "CLOCKSTEP: 106751991167300:00:00:00 is out of range (0 to 1099511627776 seconds): expected "
     "[[[DD:]HH:]MM:]SS or INFINITY"},
    {"MAXJOBPERUSER -1",
     "MAXJOBPERUSER: -1 is out of range (0 to 9007199254740992): expected [SOFT,]HARD, whole "
     "numbers from 0 up"},
    {"SERVERPORT 64001",
     "SERVERPORT: 64001 is out of range: expected a whole number from 1 to 64000"},
    {"RESERVATIONDEPTH 9999999999999",
     "RESERVATIONDEPTH[0]: 9999999999999 is out of range (0 to 1000000000): expected a whole "
     "number from 0 up"},
    {"RESDEPTH 0",
     "RESDEPTH: 0 is out of range (1 to 1000000000): expected a whole number from 1 up"},
    {"USERCAP -1",
     "USERCAP: -1 is out of range (0 to 1000000000000000): expected a number from 0 up"},
    {"USERCAP lots", "USERCAP: invalid number 'lots': expected a number from 0 up"},
    {"RMPOLLINTERVAL soon",
     "RMPOLLINTERVAL: invalid duration 'soon': expected [[[DD:]HH:]MM:]SS or INFINITY"},
    {"RMPOLLINTERVAL -5", "RMPOLLINTERVAL: -5 is negative: expected [[[DD:]HH:]MM:]SS or INFINITY"},
    {"SIMAUTOSHUTDOWN maybe",
     "SIMAUTOSHUTDOWN: invalid boolean 'maybe': expected TRUE or FALSE (also "
     "ON, OFF, YES, NO, 1, 0)"},
    {"LOGFILEMAXSIZE 10X",
     "LOGFILEMAXSIZE: invalid size '10X': expected a number of bytes, or a number with K, M, G or "
     "T"},
    {"BACKFILLPOLICY BESTFITT",
     "BACKFILLPOLICY: unknown value 'BESTFITT' (did you mean 'BESTFIT'?): expected FIRSTFIT, "
     "BESTFIT, "
     "GREEDY, SHORTESTFIRST, PREEMPT, LOCAL or NONE"},
    {"NODEACCESSPOLICY PRIVATE",
     "NODEACCESSPOLICY: unknown value 'PRIVATE': expected SHARED, DEDICATED (also SINGLEJOB), "
     "SINGLEUSER or SINGLETASK"},
    {"NODEACCESSPOLICY SINGLEJOBS",
     "NODEACCESSPOLICY: unknown value 'SINGLEJOBS' (did you mean 'SINGLEJOB'?): expected SHARED, "
     "DEDICATED (also SINGLEJOB), SINGLEUSER or SINGLETASK"},
    {"SIMFLAGS IGNHOSTLIST:IGNOTHER",
     "SIMFLAGS: unknown value 'IGNOTHER': expected any of IGNHOSTLIST, "
     "IGNCLASS, IGNQOS, IGNMODE or IGNFEATURES"},
    {"ADMIN1 [NONE]", "ADMIN1: no value: expected user names, or ALL"},
    {"MAXJOBPERUSER 1,2,3",
     "MAXJOBPERUSER: '1,2,3' has more than a soft and a hard limit: expected "
     "[SOFT,]HARD, whole numbers from 0 up"},
    {"LOGLEVEL[1] 3", "LOGLEVEL[1]: this parameter takes no index but 0"},
    {"RESERVATIONDEPTH[high] 3",
     "RESERVATIONDEPTH[high]: expected a number from 0 to 999 as index"},
    {"USERCFG[] PRIORITY=1", "USERCFG[]: the index is empty"},
    {"USERCFG[amy PRIORITY=1", "USERCFG[amy PRIORITY=1: expected a ']'"},
    {"USERCFG[\"amy] PRIORITY=1", "a quotation begins with \" and does not end"},
    {"USERCFG[amy]x PRIORITY=1", "USERCFG[amy]x: expected a ']' at the end"},
    {"USERCFG[amy] PRIORITY = 3",
     "USERCFG[amy]: 'PRIORITY': expected ATTRIBUTE=VALUE without blanks around the '='"},
    {"USERCFG amy PRIORITY=3",
     "USERCFG[0]: 'amy': expected ATTRIBUTE=VALUE without blanks around the '=' (did you mean "
     "'USERCFG[amy]'?)"},
    {"MAXJOBPERUSERCOUNT 3",
     "unknown parameter 'MAXJOBPERUSERCOUNT' (did you mean 'MAXJOBPERUSER'?)"},
    {"GEVENTCFG[power] ACTION=FAIL", "unknown parameter 'GEVENTCFG'"},
    {"USRCFG[amy] PRIORITY=3", "unknown parameter 'USRCFG' (did you mean 'USERCFG'?)"},
    {"PARCFG[fast] FLAGS=SHARED",
     "PARCFG[fast]: unknown attribute 'FLAGS': expected one of MAXJOB, MAXPROC, MAXPS, MAXPE, "
     "MAXWC, "
     "MAXNODE, MAXMEM, MAXIJOB, MAXIPROC, MAXIPS, MAXIPE, MAXIWC, MAXINODE, MAXIMEM"},
    {"USERCFG[amy] PRIORTY=3",
     "USERCFG[amy]: unknown attribute 'PRIORTY' (did you mean 'PRIORITY'?)"},
    {"NODECFG[n1] COLOURFUL=3",
     "NODECFG[n1]: unknown attribute 'COLOURFUL': expected one of ACCESS, MAXJOB, MAXJOBPERUSER, "
     "MAXLOAD, SPEED, PROCSPEED, FRAME, SLOT, PARTITION, CLASSES, NODETYPE, FEATURES, GRES, "
     "PRIORITY, "
     "PRIORITYF"},
    {"CLASSCFG[b] WCLIMIT=2:00:00",
     "CLASSCFG[b]: unknown attribute 'WCLIMIT': expected one of PRIORITY, FLAGS, FSTARGET, "
     "QTTARGET, XFTARGET, PLIST, PDEF, LEARN, QDEF, QLIST, or a limit such as MAXJOB or "
     "MAXPROC[USER]"},
    {"NODECFG[n1] FRAME=65",
     "NODECFG[n1]: FRAME: 65 is out of range: expected a whole number from 1 to 64"},
    {"NODECFG[n1] FRAME=1 SLOT=33",
     "NODECFG[n1]: SLOT: 33 is out of range: expected a whole number from 1 to 32"},
    {"USERCFG[amy] PRIORITY=", "USERCFG[amy]: PRIORITY: no value: expected a whole number"},
    {"USERCFG[amy] PRIORITY=high",
     "USERCFG[amy]: PRIORITY: invalid whole number 'high': expected a whole number"},
    {"CLASSCFG[b] MAXJOB[NODE]=3",
     "CLASSCFG[b]: [NODE]: expected USER, GROUP, ACCOUNT, QOS or "
     "CLASS, alone or with :NAME"},
    {"CLASSCFG[b] QDEF[USER]=3", "CLASSCFG[b]: QDEF takes no [USER]"},
    {"LOGDIR 'here", "a quotation begins with ' and does not end"},
    {"SECRET 00112233", "SECRET is allowed only in maui-private.cfg"},
    {"CLIENTKEY[silver] 0x3325584", "CLIENTKEY is allowed only in maui-private.cfg"},
};

// A suggestion compares the name with every parameter, which takes a millisecond.
TEST(MessagesTest, TheFirstHundredUnknownParametersHaveASuggestionAndAllHaveAnError) {
  std::string text;
  for (int i = 0; i < 120; ++i) text += "BACKFILPOLICY FIRSTFIT\n";
  text += "BACKFILLPOLICY BESTFITT\n";
  const std::string all = complaints(text);
  const std::string suggested = "unknown parameter 'BACKFILPOLICY' (did you mean";
  EXPECT_NE(all.find("maui.cfg:100: " + suggested), std::string::npos);
  EXPECT_EQ(all.find("maui.cfg:101: " + suggested), std::string::npos);
  for (const char* line : {"101", "120"})
    EXPECT_NE(all.find(std::string("maui.cfg:") + line +
                       ": unknown parameter 'BACKFILPOLICY' (suggestions are made for the first "
                       "100 only)\n"),
              std::string::npos);
  EXPECT_NE(all.find("maui.cfg:121: BACKFILLPOLICY: unknown value"), std::string::npos);
}

TEST(MessagesTest, EachKindOfWrongInputSaysWhatWasExpected) {
  for (const auto& [text, message] : kWrong)
    EXPECT_EQ(complaints(std::string("\n") + std::string(text) + "\n"),
              "maui.cfg:2: " + std::string(message) + "\n");
}

TEST(MessagesTest, AllErrorsAreReportedAtOnceInTheOrderOfTheLines) {
  EXPECT_EQ(complaints("LOGLEVEL 12\nNOSUCHTHING 1\nLOGDIR 'x\nSERVERPORT 0\n"),
            "maui.cfg:1: LOGLEVEL: 12 is out of range: expected a whole number from 0 to 9\n"
            "maui.cfg:2: unknown parameter 'NOSUCHTHING'\n"
            "maui.cfg:3: a quotation begins with ' and does not end\n"
            "maui.cfg:4: SERVERPORT: 0 is out of range: expected a whole number from 1 to 64000\n");
}

TEST(MessagesTest, TheRefusalCountsTheErrors) {
  std::vector<Diagnostic> diagnostics;
  const auto made = Configuration::parse("LOGLEVEL 12\nSERVERPORT 0\n", "some.cfg", diagnostics);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().what, "some.cfg: 2 errors");
}

}  // namespace
}  // namespace maui
