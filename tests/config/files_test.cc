#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "config/check.h"
#include "config/configs.h"
#include "config/manual.h"
#include "config/parameters.h"

namespace maui {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class FilesTest : public testing::Test {
 protected:
  void SetUp() override {
    home_ = fs::temp_directory_path() / ("maui-config-" + std::to_string(::getpid()));
    fs::create_directories(home_);
  }
  void TearDown() override { fs::remove_all(home_); }

  std::string write(const std::string& name, const std::string& text, unsigned mode = 0600) {
    const auto path = home_ / name;
    std::ofstream(path) << text;
    fs::permissions(path, static_cast<fs::perms>(mode));
    return path.string();
  }
  std::string checked(const std::string& path, int status) {
    ConfigCheck check(path);
    check.add(Configuration::read(path));
    EXPECT_EQ(check.passed(), status == 0);
    std::string out;
    for (const auto& line : check.lines()) out += line + "\n";
    return out + check.verdict() + "\n";
  }

  fs::path home_;
};

const std::string kSecret = "00112233445566778899AABBCCDDEEFF00112233445566778899aabbccddeeff";

TEST_F(FilesTest, TheSecretComesFromThePrivateFileBesideTheOther) {
  write("maui-private.cfg",
        "SECRET " + kSecret + "\nCLIENTKEY[silver] 0x33\nCLIENTCFG[base] KEY=x AUTH=admin1\n");
  std::vector<Diagnostic> diagnostics;
  const auto made = Configuration::load(write("maui.cfg", "LOGLEVEL 2\n"), diagnostics);
  ASSERT_TRUE(made) << made.error().what;
  EXPECT_EQ(made->secret(), kSecret);
  EXPECT_THAT(saved(*made), testing::Not(HasSubstr("SECRET")));
  EXPECT_EQ(made->key_of("silver"), "0x33");
  EXPECT_EQ(made->key_of("base"), "x");
  EXPECT_EQ(made->key_of("gold"), "");
  EXPECT_THAT(made->without_effect(), testing::ElementsAre("CLIENTCFG AUTH"));
}

TEST_F(FilesTest, WithoutAPrivateFileThereIsNoSecret) {
  std::vector<Diagnostic> diagnostics;
  const auto made = Configuration::load(write("maui.cfg", ""), diagnostics);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->secret(), "");
}

TEST_F(FilesTest, APrivateFileThatOthersCanReachIsRefused) {
  const auto path = write("maui.cfg", "SERVERMODE SIMULATION\n");
  for (const unsigned mode : {0604U, 0602U, 0601U, 0644U}) {
    write("maui-private.cfg", "SECRET " + kSecret + "\n", mode);
    EXPECT_THAT(checked(path, 1),
                HasSubstr("others can reach this file (mode 0" +
                          std::string{char('0' + mode / 64), char('0' + mode / 8 % 8),
                                      char('0' + mode % 8)} +
                          "): expected mode 0600 or 0640"));
  }
  for (const unsigned mode : {0600U, 0640U, 0400U}) {
    write("maui-private.cfg", "SECRET " + kSecret + "\n", mode);
    checked(path, 0);
    fs::permissions(home_ / "maui-private.cfg", fs::perms::owner_all);
  }
}

TEST_F(FilesTest, APrivateFileThatMayNotBeReadIsAWarning) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const auto path = write("maui.cfg", "SERVERMODE SIMULATION\n");
  write("maui-private.cfg", "SECRET " + kSecret + "\n", 0200);
  EXPECT_THAT(checked(path, 0), HasSubstr("WARNING: " + (home_ / "maui-private.cfg").string() +
                                          ": the user who runs this may not read it"));
}

// Release 3.3 installs it so; a site that never wrote into it must not be kept from starting.
TEST_F(FilesTest, AnEmptyPrivateFileThatOthersCanReachIsAWarning) {
  const auto path = write("maui.cfg", "SERVERMODE SIMULATION\n");
  for (const char* text : {"", "# the site's secrets\n\n"}) {
    write("maui-private.cfg", text, 0644);
    EXPECT_THAT(checked(path, 0),
                HasSubstr("WARNING: " + (home_ / "maui-private.cfg").string() +
                          ": others can reach this file (mode 0644): expected mode 0600 or 0640 "
                          "before anything is written into it\n"));
  }
}

TEST_F(FilesTest, ThePrivateFileIsForPrivateParametersAndTheyAreChecked) {
  const auto path = write("maui.cfg", "");
  write("maui-private.cfg", "SECRET abc\nSECRET " + kSecret + "xy\nLOGLEVEL 3\n");
  const auto text = checked(path, 1);
  EXPECT_THAT(
      text,
      HasSubstr(
          "maui-private.cfg:1: SECRET: the secret is too short: expected at least 64 hexadecimal "
          "digits"));
  EXPECT_THAT(text, HasSubstr("maui-private.cfg:2: SECRET: the secret is not hexadecimal"));
  EXPECT_THAT(text, HasSubstr("maui-private.cfg:3: LOGLEVEL belongs in maui.cfg"));
}

TEST_F(FilesTest, ErrorsOfBothFilesAreReportedTogether) {
  write("maui-private.cfg", "LOGLEVEL 3\n");
  const auto path = write("maui.cfg", "SERVERMODE SIMULATION\nLOGLEVEL 10\n");
  EXPECT_THAT(checked(path, 1),
              HasSubstr(path + ": 2 errors, no warnings: the scheduler would refuse it\n"));
}

// A site mends its file once, not error by error.
TEST_F(FilesTest, AllErrorsAreReportedInOnePass) {
  const auto path = write("maui.cfg",
                          "AMCFG[bank] TYPE=CASH\nRMCFG[base] TYPE=SSS\nLOGLEVEL 12\n"
                          "ACCOUNTCFG[a] NOSUCH=1\nFSCONFIGFILE none.cfg\n");
  const auto text = checked(path, 1);
  for (const char* said :
       {"maui.cfg:1: AMCFG[bank]: TYPE", "RMCFG[base] TYPE=SSS: this release does not support it",
        "maui.cfg:3: LOGLEVEL", "maui.cfg:4: ACCOUNTCFG[a]", "none.cfg: FSCONFIGFILE", "5 errors"})
    EXPECT_THAT(text, HasSubstr(said));
}

TEST_F(FilesTest, NothingIsConcludedFromAWrongLine) {
  EXPECT_THAT(checked(write("maui.cfg", "RMCFG[base] TYPE=WIKKI PORT=1\n"), 1),
              HasSubstr(": 1 error"));
  EXPECT_THAT(checked(write("maui.cfg", "SERVERMODE SIMULATED\n"), 1), HasSubstr(": 1 error"));
  EXPECT_THAT(checked(write("maui.cfg", "BANKTYPE RESD\nBANKSERVR x\nSERVERMODE SIMULATION\n"), 1),
              HasSubstr(": 1 error"));
}

TEST_F(FilesTest, AFileThatIsNotThereIsNamed) {
  const auto path = (home_ / "no.cfg").string();
  EXPECT_EQ(checked(path, 1), path + ": cannot be read: No such file or directory\n" + path +
                                  ": 1 error, no warnings: the scheduler would refuse it\n");
  EXPECT_THAT(checked(home_.string(), 1), HasSubstr("is a directory"));
  EXPECT_EQ(checked("/bin/ls", 1),
            "/bin/ls: is not a text file: it contains NUL bytes\n/bin/ls: 1 error, no warnings: "
            "the scheduler would refuse it\n");
}

TEST_F(FilesTest, AFileThatNeverEndsIsRefused) {
  const auto pipe = (home_ / "maui.cfg").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(checked(pipe, 1), HasSubstr("maui.cfg: is not a regular file"));
  EXPECT_THAT(checked("/dev/zero", 1), HasSubstr("is not a regular file"));
  const auto large = write("large.cfg", "");
  fs::resize_file(large, std::uintmax_t{3} << 30);
  EXPECT_THAT(checked(large, 1), HasSubstr("large.cfg: is larger than 4 MB"));
}

TEST_F(FilesTest, AFileHasAtMostFourMegabytes) {
  std::string text = "LOGLEVEL 5\n#";
  text.append((std::size_t{4} << 20) - text.size(), 'x');
  EXPECT_EQ(Configuration::read(write("maui.cfg", text)).configuration.settings().log.level, 5);
  const auto longer = write("maui.cfg", text + "\n");
  EXPECT_EQ(checked(longer, 1), longer + ": is larger than 4 MB: too large for a configuration\n" +
                                    longer +
                                    ": 1 error, no warnings: the scheduler would refuse it\n");
  for (const char* beside : {"machine.cfg", "fs.cfg"}) {
    const auto path = write("maui.cfg", "LOGLEVEL 5\n");
    write(beside, text + "\n");
    EXPECT_THAT(checked(path, 1), HasSubstr("is larger than 4 MB"));
    fs::remove(home_ / beside);
  }
}

TEST_F(FilesTest, ALinkToAFileIsFollowed) {
  fs::create_symlink(write("real.cfg", "LOGLEVEL 5\n"), home_ / "maui.cfg");
  EXPECT_EQ(Configuration::read((home_ / "maui.cfg").string()).configuration.settings().log.level,
            5);
}

TEST_F(FilesTest, AnAllocationManagerWithoutItsHostIsRefused) {
  const auto path = write("maui.cfg", "SERVERMODE SIMULATION\nBANKTYPE RESD\n");
  EXPECT_THAT(checked(path, 1), HasSubstr("expected its host, too (BANKSERVER)"));
  write("maui.cfg", "SERVERMODE SIMULATION\nBANKTYPE FILE\n");
  EXPECT_THAT(checked(path, 0), HasSubstr("would start with it"));
}

TEST_F(FilesTest, TheCommandLineStandsBeforeTheFile) {
  std::vector<Diagnostic> diagnostics;
  const auto path = write("maui.cfg", "SERVERPORT 4000\nSERVERHOST there\n");
  const auto made = Configuration::load(
      path, diagnostics, {{"--port", "SERVERPORT", "5000"}, {"--host", "SERVERHOST", "here"}});
  ASSERT_TRUE(made);
  EXPECT_EQ(made->settings().server.port, 5000);
  EXPECT_EQ(made->settings().server.host, "here");
  EXPECT_FALSE(Configuration::load(path, diagnostics, {{"--port", "SERVERPORT", "no"}}));
  EXPECT_THAT(diagnostics.back().text(),
              HasSubstr("--port: SERVERPORT: invalid whole number 'no'"));
}

TEST_F(FilesTest, ACheckReportsParametersWithoutEffect) {
  const auto path = write("maui.cfg", "SERVERMODE SIMULATION\nJOBSIZEPOLICY x\n");
  EXPECT_EQ(checked(path, 0), "WARNING: " + path +
                                  ":2: JOBSIZEPOLICY is set but has no effect in this release (the "
                                  "guide names it without a description)\n" +
                                  path +
                                  ": no errors, 1 warning: the scheduler would start with it\n");
}

TEST_F(FilesTest, AWarningAboutAnAttributeWithoutEffectNamesTheLastLineThatSetsIt) {
  write("maui-private.cfg", "");
  const auto path = write("maui.cfg",
                          "SERVERMODE SIMULATION\nRMCFG[a] TYPE=PBS\nRMCFG[a] NMPORT=5\n"
                          "RMCFG[b] TYPE=PBS NMPORT=6\n");
  EXPECT_THAT(checked(path, 0),
              HasSubstr(path + ":4: RMCFG NMPORT is set but has no effect in this release ("));
}

// Guide 7.2.2 and case study A.1.
TEST_F(FilesTest, CredentialsMayStandInFsCfgOfOldReleases) {
  write("fs.cfg",
        "# targets\nGroup:Meteorology  FSTARGET=45\nUSER:DEFAULT PLIST=general\n"
        "ACCT:chem FSTARGET=10.5^ PRIORITY=4\n");
  std::vector<Diagnostic> diagnostics;
  const auto made =
      Configuration::load(write("maui.cfg", "ACCOUNTCFG[chem] PRIORITY=7\n"), diagnostics);
  ASSERT_TRUE(made) << made.error().what;
  const auto& settings = made->settings();
  EXPECT_EQ(settings.groups.at("Meteorology").fairshare_target, FairshareTarget{45});
  EXPECT_EQ(settings.accounts.at("chem").fairshare_target,
            (FairshareTarget{10.5, TargetType::cap}));
  EXPECT_EQ(settings.accounts.at("chem").priority, 7) << "what maui.cfg says stands";
  EXPECT_THAT(saved(*made), HasSubstr("GROUPCFG[Meteorology]   FSTARGET=45"));
}

TEST_F(FilesTest, AWrongLineOfFsCfgIsNamed) {
  const auto fs_path = write("old.cfg", "USER:amy FSTARGET=45\nFSPOLICY DEDICATEDPS\n");
  const auto path = write("maui.cfg", "FSCONFIGFILE old.cfg\n");
  EXPECT_THAT(checked(path, 1), HasSubstr(fs_path + ":2: 'FSPOLICY': expected USER:NAME"));
}

// Guide 7.2.1.
TEST_F(FilesTest, NodesMayStandInMachineCfgOfOldReleases) {
  const auto machine = write(
      "machine.cfg", "# nodes\nnode001    PARTITION=astronomy\nnode002 PARTITION=math SPEED=2\n");
  std::vector<Diagnostic> diagnostics;
  const auto path = write("maui.cfg", "NODECFG[node002] PARTITION=physics\nQOSCFG[med]\n");
  const auto made = Configuration::load(path, diagnostics);
  ASSERT_TRUE(made) << made.error().what;
  EXPECT_EQ(made->settings().nodes.at("node001").partition, "astronomy");
  EXPECT_EQ(made->settings().nodes.at("node002").partition, "physics")
      << "what maui.cfg says stands";
  EXPECT_EQ(made->settings().nodes.at("node002").speed, 2.0);
  EXPECT_TRUE(made->settings().qos.contains("med"));
  write("machine.cfg", "node001 COLOUR=red\n");
  EXPECT_THAT(checked(path, 1),
              HasSubstr(machine + ":1: NODECFG[node001]: unknown attribute 'COLOUR'"));
}

TEST_F(FilesTest, AnFsCfgThatWasAskedForMustBeThere) {
  const auto path = write("maui.cfg", "FSCONFIGFILE old.cfg\n");
  EXPECT_THAT(checked(path, 1), HasSubstr("FSCONFIGFILE: cannot be read"));
}

TEST_F(FilesTest, TheFsCfgOfTheDefaultNameMayBeMissingThoughItIsNamed) {
  std::vector<Diagnostic> diagnostics;
  EXPECT_TRUE(Configuration::load(write("maui.cfg", "FSCONFIGFILE fs.cfg\n"), diagnostics));
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.front().text();
}

TEST_F(FilesTest, TheHomeIsThatOfTheFileGivenUnlessItNamesAnother) {
  const auto plain = write("site.cfg", "LOGLEVEL 3\n");
  EXPECT_EQ(find_home(plain).directory, home_.string());
  EXPECT_EQ(find_home(plain).config_file, plain);
  const auto other = write("other.cfg", "MauiHomeDir /srv/maui # moved\n");
  EXPECT_EQ(find_home(other).directory, "/srv/maui");
  EXPECT_EQ(find_home("maui.cfg").directory, ".");
}

TEST_F(FilesTest, OtherwiseTheEnvironmentNamesTheHome) {
  ASSERT_EQ(::setenv("MAUIHOMEDIR", "/srv/site", 1), 0);
  EXPECT_EQ(find_home("").directory, "/srv/site");
  EXPECT_EQ(find_home("").config_file, "/srv/site/maui.cfg");
  ASSERT_EQ(::unsetenv("MAUIHOMEDIR"), 0);
  EXPECT_EQ(find_home("").directory, "/var/spool/maui");  // as it was built
  EXPECT_EQ(find_home("").config_file, "/var/spool/maui/maui.cfg");
}

TEST_F(FilesTest, ConfigurationsOfRealSitesLoad) {
  std::vector<Diagnostic> diagnostics;
  const auto made = Configuration::load(MAUI_TEST_DATA "/wild.cfg", diagnostics);
  ASSERT_TRUE(made) << (diagnostics.empty() ? "" : diagnostics.back().text());
  ASSERT_EQ(diagnostics.size(), 1U) << diagnostics.back().text();
  EXPECT_THAT(diagnostics[0].text(), HasSubstr("SERVERPORT is set again"));
  const auto& settings = made->settings();
  EXPECT_EQ(settings.server.port, 42560);
  EXPECT_EQ(settings.node_access, NodeAccess::single_task);
  EXPECT_EQ(settings.node_allocation, NodeAllocation::max_balance);
  EXPECT_EQ(settings.classes.at("qfree").priority, -1024);
  EXPECT_EQ(settings.priority.xfactor.weight, 8640000);
  EXPECT_EQ(settings.nodes.at("wn01").partition, "general");
  EXPECT_EQ(shown(*made, "SRCFG[sdj_12]"),
            "HOSTLIST=wn01 PERIOD=INFINITY ACCESS=DEDICATED PRIORITY=10 "
            "TASKCOUNT=1 RESOURCES=PROCS=2 CLASSLIST=dteam,ops");
  EXPECT_EQ(settings.allocations.type, AllocationManagerType::none);
  EXPECT_EQ(settings.jobs.limits,
            (std::vector<ResourceLimits>{{ViolationPolicy::always, ViolationAction::cancel, 2}}));
  const auto& atlas = settings.groups.at("atlas").limits.active;
  EXPECT_EQ(atlas[index_of(LimitKind::node)], (Limit{12, 12}));
  EXPECT_EQ(atlas[index_of(LimitKind::proc)], (Limit{24, 24}));
  EXPECT_EQ(atlas[index_of(LimitKind::job)], (Limit{6, 6}));
  EXPECT_EQ(settings.qos.at("hi").flags, (std::vector<std::string>{"PREEMPTOR", "IGNMAXJOB"}));
  EXPECT_EQ(settings.qos.at("inside").flags, std::vector<std::string>{"USERESERVED"});
  EXPECT_TRUE(settings.qos.contains("med"));
}

// A site that took the comments off must get what each line says.
TEST_F(FilesTest, TheSampleOfRelease33DoesWhatItSays) {
  std::vector<Diagnostic> diagnostics;
  const auto made = Configuration::load(MAUI_TEST_DATA "/sample.cfg", diagnostics);
  ASSERT_TRUE(made);
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.front().text();
  const auto& all = made->settings();
  EXPECT_EQ(all.server.host, "headnode");
  EXPECT_EQ(all.server.port, 42559);
  EXPECT_EQ(all.server.mode, ServerMode::normal);
  EXPECT_THAT(all.server.admins[0], ElementsAre("root"));
  EXPECT_EQ(all.resource_managers.at("HEADNODE").type, "PBS");
  EXPECT_EQ(all.allocations.type, AllocationManagerType::none);
  EXPECT_EQ(all.poll_interval, Seconds(30));
  EXPECT_EQ(all.log.file, "maui.log");
  EXPECT_EQ(all.log.max_size, 10000000);
  EXPECT_EQ(all.log.level, 3);
  EXPECT_EQ(all.priority.queue_time.weight, 1);
  EXPECT_EQ(all.fairshare.metric, FairshareMetric::dedicated_proc_seconds);
  EXPECT_EQ(all.fairshare.depth, 7);
  EXPECT_EQ(all.fairshare.interval, Seconds(86400));
  EXPECT_EQ(all.fairshare.decay, 0.8);
  EXPECT_EQ(all.backfill, BackfillPolicy::first_fit);
  EXPECT_EQ(all.reservation_policy, ReservationPolicy::current_highest);
  EXPECT_EQ(all.node_allocation, NodeAllocation::min_resource);
  EXPECT_THAT(
      made->warnings(),
      ElementsAre(
          "PRIORITY (USERCFG[john]) has no effect: USERWEIGHT is 0",
          "PRIORITY (GROUPCFG[staff]) has no effect: GROUPWEIGHT is 0",
          "PRIORITY (QOSCFG[hi] and 1 other) has no effect: QOSWEIGHT is 0",
          "FSTARGET (USERCFG[DEFAULT] and 1 other) has no effect on priorities: FSUSERWEIGHT is 0",
          "XFTARGET (QOSCFG[hi]) has no effect on priorities: TARGETXFACTORWEIGHT is 0"));
}

TEST_F(FilesTest, TheObjectsOfTheSampleLoad) {
  std::vector<Diagnostic> diagnostics;
  const auto made = Configuration::load(MAUI_TEST_DATA "/sample.cfg", diagnostics);
  ASSERT_TRUE(made);
  const auto& all = made->settings();
  const auto& hi = all.qos.at("hi");
  EXPECT_EQ(hi.priority, 100);
  EXPECT_EQ(hi.xfactor_target, 100.0);
  EXPECT_THAT(hi.flags, ElementsAre("PREEMPTOR", "IGNMAXJOB"));
  EXPECT_EQ(all.qos.at("low").priority, -1000);
  EXPECT_THAT(all.qos.at("low").flags, ElementsAre("PREEMPTEE"));
  const auto& test = all.standing_reservations.at("test");
  EXPECT_EQ(test.start, Seconds(8 * 3600));
  EXPECT_EQ(test.end, Seconds(17 * 3600));
  EXPECT_EQ(test.days, 0x3e);
  EXPECT_EQ(test.tasks, 20);
  ASSERT_EQ(test.access.size(), 1U);
  EXPECT_EQ(test.access[0].value, 1800);
  EXPECT_EQ(all.users.at("DEFAULT").fairshare_target, (FairshareTarget{25, TargetType::target}));
  EXPECT_EQ(all.users.at("john").priority, 100);
  EXPECT_EQ(all.users.at("john").fairshare_target, (FairshareTarget{10, TargetType::ceiling}));
  const auto& staff = all.groups.at("staff");
  EXPECT_EQ(staff.priority, 1000);
  EXPECT_THAT(*staff.qos_list, ElementsAre("hi", "low"));
  EXPECT_EQ(staff.default_qos, "hi");
  EXPECT_THAT(all.classes.at("batch").flags, ElementsAre("PREEMPTEE"));
  EXPECT_THAT(all.classes.at("interactive").flags, ElementsAre("PREEMPTOR"));
}

TEST(GuideTest, EveryExampleLineLoads) {
  std::ifstream in(MAUI_TEST_DATA "/guide_examples.cfg");
  int lines = 0;
  for (std::string line; std::getline(in, line); ++lines) {
    SCOPED_TRACE(line);
    parsed(line + "\n");
  }
  EXPECT_GT(lines, 300);
}

TEST_F(FilesTest, TheSampleIsAConfigurationWithoutWarnings) {
  fs::copy_file(MAUI_SOURCE "/etc/maui.cfg", home_ / "maui.cfg");
  const auto path = (home_ / "maui.cfg").string();
  write("maui-private.cfg", [] {
    std::ifstream in(MAUI_SOURCE "/etc/maui-private.cfg.example");
    return std::string(std::istreambuf_iterator<char>(in), {});
  }());
  EXPECT_EQ(checked(path, 0),
            path + ": no errors, no warnings: the scheduler would start with it\n");
}

// A daily reservation that begins at 26:00:00 would begin at 02:00:00 of the next day.
TEST_F(FilesTest, TimesBeyondTheirPeriodAreRefused) {
  const auto refused = [&](const std::string& line, const std::string& why) {
    EXPECT_THAT(
        checked(write("maui.cfg", "SERVERMODE SIMULATION\nSRCFG[a] TASKCOUNT=1 " + line + "\n"), 1),
        HasSubstr(why))
        << line;
  };
  const auto taken = [&](const std::string& line) {
    checked(write("maui.cfg", "SERVERMODE SIMULATION\nSRCFG[a] TASKCOUNT=1 " + line + "\n"), 0);
  };
  refused("STARTTIME=26:00:00",
          "SRCFG[a] STARTTIME=1:02:00:00: expected a time of the day, up to 24:00:00");
  refused("STARTTIME=1:08:00:00 ENDTIME=5:17:00:00", "a time of the week needs PERIOD=WEEK");
  refused("PERIOD=WEEK STARTTIME=8:00:00:00", "expected a time of the week, up to 7:00:00:00");
  refused("PERIOD=WEEK WENDTIME=8:00:00:00", "WENDTIME=8:00:00:00: expected a time of the week");
  refused("STARTTIME=9:70:00", "invalid time '9:70:00' (minutes and seconds go up to 59)");
  refused("PERIOD=WEEK STARTTIME=1:26:00:00", "hours behind days go up to 23");
  taken("STARTTIME=22:00:00 ENDTIME=24:00:00");
  taken("PERIOD=WEEK STARTTIME=1:08:00:00 ENDTIME=5:17:00:00");
  taken("PERIOD=WEEK STARTTIME=32:00:00 ENDTIME=7:00:00:00");
}

TEST_F(FilesTest, AWrongLineHidesNoFaultOfAnotherReservation) {
  const auto text = checked(write("maui.cfg",
                                  "SERVERMODE SIMULATION\n"
                                  "SRCFG[a] TASKCOUNT=1 STARTTIME=9:70:00\n"
                                  "SRCFG[a] ENDTIME=26:00:00\n"
                                  "SRCFG[b] TASKCOUNT=1 STARTTIME=26:00:00\n"),
                            2);
  EXPECT_THAT(text, HasSubstr("invalid time '9:70:00'"));
  EXPECT_THAT(text, HasSubstr("SRCFG[b] STARTTIME=1:02:00:00: expected a time of the day"));
  EXPECT_THAT(text, testing::Not(HasSubstr("ENDTIME=1:02:00:00")))
      << "its period may be in the wrong line";
}

TEST_F(FilesTest, LinesThatDoNothingOrSurpriseAreWarnings) {
  const auto warned = [&](const std::string& lines, const std::string& what) {
    EXPECT_THAT(checked(write("maui.cfg", "SERVERMODE SIMULATION\n" + lines), 0), HasSubstr(what))
        << lines;
  };
  const auto silent = [&](const std::string& lines) {
    EXPECT_THAT(checked(write("maui.cfg", "SERVERMODE SIMULATION\n" + lines), 0),
                HasSubstr("no warnings"))
        << lines;
  };
  warned("USERCFG[amy] FSTARGET=10\nGROUPCFG[g] FSTARGET=5\n",
         "FSTARGET (USERCFG[amy] and 1 other) has no effect without FSPOLICY");
  warned("FSUSERWEIGHT 10\n", "FSUSERWEIGHT has no effect without FSPOLICY");
  silent("FSUSERWEIGHT 10\nUSERCFG[amy] FSTARGET=10\nFSPOLICY DEDICATEDPS\n");
  warned("USERCFG[amy] FSTARGET=10\nFSPOLICY DEDICATEDPS\n",
         "FSTARGET (USERCFG[amy]) has no effect on priorities: FSUSERWEIGHT is 0");
  silent("USERCFG[amy] FSTARGET=10^\nFSPOLICY DEDICATEDPS\n");
  warned("QOSCFG[high] PRIORITY=10\n", "PRIORITY (QOSCFG[high]) has no effect: QOSWEIGHT is 0");
  silent("QOSCFG[high] PRIORITY=10\nQOSWEIGHT 1\n");
  warned("USERCFG MAXJOB=2\n", "USERCFG without an index is USERCFG[0]: expected USERCFG[NAME]");
  silent("USERCFG[0] MAXJOB=2\n");
  warned("USERCFG[amy] QDEF=hgih\n", "USERCFG[amy] QDEF: no QOSCFG line declares QOS 'hgih'");
  warned("CLASSCFG[b] QLIST=high:low\nQOSCFG[high]\n",
         "CLASSCFG[b] QLIST: no QOSCFG line declares QOS 'low'");
  warned("RESERVATIONQOSLIST[0] high\n", "RESERVATIONQOSLIST[0]: no QOSCFG line declares");
  silent("USERCFG[amy] QDEF=high\nQOSCFG[high]\nRESERVATIONQOSLIST[0] high\n");
  warned("SRCFG[a] QOSLIST=hgih\n", "SRCFG[a] QOSLIST: no QOSCFG line declares QOS 'hgih'");
  silent("SRCFG[a] HOSTLIST=ALL QOSLIST=high+,!low\nQOSCFG[high]\nQOSCFG[low]\n");
  warned("SRCFG[a] PERIOD=WEEK DAYS=Mon\n", "SRCFG[a] DAYS has no effect: PERIOD is not DAY");
  silent("SRCFG[a] HOSTLIST=ALL PERIOD=DAY DAYS=Mon\n");
  silent("QOSCFG[high] PRIORITY=10\nQOSWEIGHT[p1] 1\n");
  warned("QOSCFG[high] QTTARGET=1:00:00\n",
         "QTTARGET (QOSCFG[high]) has no effect on priorities: TARGETQUEUETIMEWEIGHT is 0");
  warned("USERCFG[amy] XFTARGET=3\nTARGETQUEUETIMEWEIGHT 1\n",
         "XFTARGET (USERCFG[amy]) has no effect on priorities: TARGETXFACTORWEIGHT is 0");
  silent(
      "QOSCFG[high] QTTARGET=1:00:00 XFTARGET=3\nTARGETQUEUETIMEWEIGHT 1\n"
      "TARGETXFACTORWEIGHT[p1] 1\n");
  warned("PLOTMINPROC 100\nPLOTMAXPROC 10\n", "PLOTMINPROC is above PLOTMAXPROC");
  warned("PLOTMINTIME 2:00:00\nPLOTMAXTIME 1:00:00\n", "PLOTMINTIME is above PLOTMAXTIME");
  silent("PLOTMINPROC 10\nPLOTMAXPROC 10\n");
  warned("RMCFG[base] TYPE=WIKI PORT=42731\nRMPORT[0] 42732\n",
         "RMPORT[0] has no effect: RMCFG[base] sets PORT");
  warned("RMTIMEOUT[other] 5\nRMCFG[other] TYPE=WIKI TIMEOUT=9\n",
         "RMTIMEOUT[other] has no effect: RMCFG[other] sets TIMEOUT");
  silent("RMCFG[base] TYPE=WIKI\nRMPORT[0] 42732\n");
  warned("BANKTYPE FILE\nAMCFG[bank] TYPE=NONE\n", "BANKTYPE has no effect: AMCFG[bank] sets TYPE");
  warned("NODEALLOCATIONPOLICY LOCAL\n", "has no effect without NODEALLOCATIONPROGRAM");
  warned("NODECFG[n1] PRIORITY=5\n",
         "PRIORITY (NODECFG[n1]) has no effect without NODEALLOCATIONPOLICY MACHINEPRIO");
  warned("NODECFG[DEFAULT] PRIORITYF=SPEED\nNODEALLOCATIONPOLICY FASTEST\n",
         "PRIORITYF (NODECFG[DEFAULT]) has no effect without NODEALLOCATIONPOLICY MACHINEPRIO");
  silent("NODECFG[n1] PRIORITY=5\nNODEALLOCATIONPOLICY[fast] PRIORITY\n");
  warned("SRCFG[g] TASKCOUNT=1 GROUPLIST=games TIMELIMIT=1:00:00\n",
         "SRCFG[g] TIMELIMIT admits every job of up to 1:00:00, also those that no list admits");
  silent("SRCFG[g] TASKCOUNT=1 TIMELIMIT=1:00:00\n");
  silent("SRCFG[g] TASKCOUNT=1 GROUPLIST=games TIMELIMIT=1:00:00*\n");
  silent("SRCFG[g] TASKCOUNT=1 GROUPLIST=games* TIMELIMIT=1:00:00\n");
  silent("SRCFG[g] TASKCOUNT=1 GROUPLIST=games TIMELIMIT=1:00:00 TIMELOGIC=AND\n");
  warned("TASKDISTRIBUTIONPOLICY LOCAL\n", "has no effect without NODEALLOCATIONPROGRAM");
  silent("TASKDISTRIBUTIONPOLICY LOCAL\nNODEALLOCATIONPROGRAM x\n");
  warned("BACKFILLPOLICY LOCAL\n", "BACKFILLPOLICY LOCAL acts as FIRSTFIT without BACKFILLPROGRAM");
  silent("BACKFILLPOLICY LOCAL\nBACKFILLPROGRAM x\n");
  warned("NODESETPOLICY ONEOF\n", "NODESETPOLICY has no effect without NODESETATTRIBUTE");
  warned("NODESETATTRIBUTE FEATURE\n", "NODESETATTRIBUTE has no effect without NODESETPOLICY");
  warned("USERCFG[amy] MAXJOB=4,2\n",
         "maui.cfg:2: USERCFG[amy] MAXJOB 4,2: the soft limit is above the hard limit");
  warned("MAXWCPERUSER 2:00:00,1:00:00\n", "MAXWCPERUSER 2:00:00,1:00:00: the soft limit");
  silent("USERCFG[amy] MAXJOB=2,4\nGROUPCFG[b] MAXJOB=3,0\n");
  warned("USERCFG[amy] MAXJOB=3 MAXNODE=2 MAXJOB=5\n",
         "maui.cfg:2: USERCFG[amy] MAXJOB is given twice on this line; the last value counts");
  warned("SRNAME[0] interactive\n", "standing reservation interactive reserves nothing");
  warned("SRCFG[test] PERIOD=DAY\n", "standing reservation test reserves nothing");
  warned("SRCFG[test]\n", "standing reservation test reserves nothing");
  silent("SRNAME[0] interactive\nSRTASKCOUNT[0] 4\n");
  silent("SRCFG[test]\nSRCFG[test] TASKCOUNT=4\n");
  warned("TRAPFUNCTION UpdateNodeUtilization\n",
         "TRAPFUNCTION UpdateNodeUtilization has no effect");
  silent("TRAPFUNCTION fsched\n");
  warned("LOGFACILITY fSCHED:fLL\n",
         "LOGFACILITY fLL has no effect: this scheduler does not support that resource manager");
  silent("LOGFACILITY fALL\n");
}

TEST_F(FilesTest, ACheckWarnsOfAResourceManagerThatCannotStartJobs) {
  const std::string tiny = "RMCFG[tiny] TYPE=NATIVE WORKLOADQUERYURL=exec:///bin/true\n";
  const std::string warning = "RMCFG[tiny] has no JOBSTARTURL: its jobs cannot be started";
  EXPECT_THAT(checked(write("maui.cfg", tiny), 0), HasSubstr(warning));
  for (const char* more : {"SERVERMODE TEST\n", "RMCFG[tiny] JOBSTARTURL=exec:///bin/true\n"})
    EXPECT_THAT(checked(write("maui.cfg", tiny + more), 0), testing::Not(HasSubstr(warning)))
        << more;
}

TEST_F(FilesTest, ACheckRefusesResourceManagersThatCannotBeDriven) {
  const auto refused = [&](const std::string& text, const std::string& why) {
    EXPECT_THAT(checked(write("maui.cfg", text), 1), HasSubstr(why)) << text;
  };
  refused("", "SERVERMODE NORMAL needs a resource manager: expected RMCFG[NAME] TYPE=...");
  refused("RMCFG[base] TYPE=SSS\n",
          "RMCFG[base] TYPE=SSS: this release does not support it; expected WIKI");
  refused("RMCFG[base] TYPE=PBS AUTHTYPE=PKI\n", "expected SECUREPORT, TRQAUTHD, MUNGE or NONE");
  refused("RMCFG[a] TYPE=NATIVE JOBSTARTURL=exec:///bin/true\n",
          "RMCFG[a] TYPE=NATIVE: expected CLUSTERQUERYURL= or WORKLOADQUERYURL=");
  refused("RMCFG[a] TYPE=NATIVE CLUSTERQUERYURL=http://a/b\n",
          "invalid URL 'http://a/b': expected exec://PROGRAM or file://PATH");
  refused("RMCFG[a] TYPE=NATIVE CLUSTERQUERYURL=file:///a JOBSTARTURL=file:///b\n",
          "'file:///b' is a file, but this attribute needs a program");
  refused("RMTYPE[0] LL\n", "RMTYPE[0] LL: this release does not support it");
  refused("RMTYPE[0] LL:RMS\n", "RMTYPE[0] LL:RMS: this release does not support it");
  refused("RMCFG[a] TYPE=WIKI\n", "RMCFG[a]: no PORT");
  refused("RMCFG[a] TYPE=WIKI PORT=1\n", "expected CLIENTCFG[RM:a] KEY=... in maui-private.cfg");
  refused("RMCFG[a] TYPE=WIKI PORT=1 AUTHTYPE=PKI\n", "AUTHTYPE=PKI: expected CHECKSUM or NONE");
  refused("RMCFG[a] TYPE=SLURM\nRMCFG[b] TYPE=SLURM\nRMNAME[a] x\nRMNAME[b] x\n",
          "are both called 'x'");
  refused("RMCFG[a] TYPE=SLURM\nRMCFG[b] TYPE=SLURM\nRMPORT 7321\n",
          "RMPORT or similar without an index, with several resource managers: expected");
  refused("RMCFG[base] TYPE=SLURM\nRMCFG[bas] TIMEOUT=5\n",
          "RMCFG[bas] has no TYPE (did you mean RMCFG[base]?)");
  refused("RMTYPE[0] SLURM\nRMPORT[1] 5\n",
          "RMPORT[1] stands without RMTYPE[1] (did you mean RMTYPE[0]?)");
  refused("RMCFG[a] PORT=5\n", "RMCFG[a] has no TYPE: expected WIKI (docs/resource-managers.md)");
  const std::string plain = " TYPE=WIKI PORT=1 AUTHTYPE=NONE EPORT=15017\n";
  refused("RMCFG[a]" + plain + "RMCFG[b]" + plain,
          "RMCFG[b] EPORT=15017 is also RMCFG[a] EPORT: expected another port");
  refused("SERVERPORT 15017\nRMCFG[a]" + plain, "RMCFG[a] EPORT=15017 is also SERVERPORT");
  refused("HTTPPORT 15017\nRMCFG[a]" + plain, "RMCFG[a] EPORT=15017 is also HTTPPORT");
  refused("SERVERPORT 15017\nHTTPPORT 15017\nRMCFG[a] TYPE=SLURM\n",
          "HTTPPORT=15017 is also SERVERPORT: expected another port");
  for (const char* text :
       {"RMCFG[a] TYPE=WIKI PORT=1 AUTHTYPE=NONE\n", "RMCFG[a] TYPE=SLURM\n",
        "RMTYPE[0] WIKI\nRMPORT[0] 1\nRMAUTHTYPE[0] NONE\n", "RMCFG[base] TYPE=PBS\n",
        "RMTYPE[0] PBS\nRMHOST[0] head\n", "RMCFG[base] TYPE=PBS:RMS AUTHTYPE=TRQAUTHD\n",
        "SERVERMODE SIMULATION\nRMCFG[base] TYPE=SSS\n"})
    checked(write("maui.cfg", text), 0);
  write("maui-private.cfg", "CLIENTKEY[a] 0x12\n");
  checked(write("maui.cfg", "RMCFG[a] TYPE=WIKI PORT=1\n"), 0);
}

TEST_F(FilesTest, ACheckNamesAResourceManagerAsItsLinesDo) {
  const auto refused = [&](const std::string& text, const std::string& why) {
    EXPECT_THAT(checked(write("maui.cfg", text), 1), HasSubstr("maui.cfg: " + why)) << text;
  };
  const std::string key = ": no key: expected CLIENTCFG[RM:base] KEY=... in maui-private.cfg, or ";
  refused("RMTYPE[0] WIKI\nRMPORT[0] 1\n",
          "RMTYPE[0] (RMAUTHTYPE[0] CHECKSUM)" + key + "RMAUTHTYPE[0] NONE");
  refused("RMCFG[base] TYPE=WIKI PORT=1\n",
          "RMCFG[base] AUTHTYPE=CHECKSUM" + key + "AUTHTYPE=NONE");
  refused("RMTYPE[0] WIKI\n", "RMTYPE[0]: no RMPORT[0]; WIKI has no default port");
  refused("RMTYPE[0] PBS\nRMAUTHTYPE[0] PKI\n", "RMAUTHTYPE[0] PKI: expected SECUREPORT");
  refused("RMTYPE[0] NATIVE\n", "RMTYPE[0] NATIVE: expected RMCFG[base] CLUSTERQUERYURL= or");
  refused("RMPORT[0] 7\n", "RMPORT[0] stands without RMTYPE[0]: expected WIKI");
  refused("RMTYPE[0] PBS\nRMTYPE[1] PBS\nRMNAME[0] x\nRMNAME[1] x\n",
          "RMTYPE[1] and RMTYPE[0] are both called 'x'");
}

TEST(HttpParametersTest, NoAddressOfThisHostIsAProxy) {
  const auto* parameter = config::find_parameter("HTTPPROXY");
  ASSERT_NE(parameter, nullptr);
  for (const char* word : {"127.0.0.1", "::1", "localhost", "127.1.2.3"})
    EXPECT_FALSE(parameter->type.canonical({"www-data", word})) << word;
  EXPECT_TRUE(parameter->type.canonical({"www-data", "10.0.0.2", "fe80::1"}));
}

TEST(HttpParametersTest, AnAddressIsNumericOrAKeyword) {
  const auto* parameter = config::find_parameter("HTTPADDRESS");
  ASSERT_NE(parameter, nullptr);
  for (const char* word : {"localhost", "ALL", "10.0.0.1", "::1"})
    EXPECT_TRUE(parameter->type.canonical({word})) << word;
  for (const char* word : {"head", "10.0.0", "10.0.0.1:80", "*"})
    EXPECT_FALSE(parameter->type.canonical({word})) << word;
}

TEST(ManualTest, TheManualIsThatOfTheTable) {
  std::ifstream in(MAUI_SOURCE "/docs/parameters.md");
  const std::string text(std::istreambuf_iterator<char>(in), {});
  if (const char* path = std::getenv("MAUI_WRITE_MANUAL"))
    std::ofstream(path) << parameters_manual();
  EXPECT_TRUE(text == parameters_manual())
      << "docs/parameters.md is old: run this test with MAUI_WRITE_MANUAL=docs/parameters.md";
}

}  // namespace
}  // namespace maui
