#include "daemon/start_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pwd.h>
#include <unistd.h>

#include <boost/asio.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/server_places.h"
#include "daemon/files/lock_file.h"
#include "daemon/strangers_lock.h"
#include "daemon/temporary_directory.h"

namespace maui {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class StartCheckTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* entry = ::getpwuid(::geteuid());
    admin_ = std::string("ADMIN1 ") + (entry != nullptr ? entry->pw_name : "?") + "\n";
  }

  void write(const std::string& name, const std::string& text, unsigned mode = 0600) {
    std::ofstream(home_ / name) << text;
    fs::permissions(home_ / name, static_cast<fs::perms>(mode));
  }

  std::string checked(const std::string& text, int status) {
    write("maui.cfg", admin_ + text);
    std::ostringstream out;
    const Home home{home_.string(), (home_ / "maui.cfg").string()};
    EXPECT_EQ(check_start(home, {}, out), status) << out.str();
    return out.str();
  }

  const std::string kSimulation =
      "SERVERMODE SIMULATION\nSIMWORKLOADTRACEFILE jobs.swf\nSIMRESOURCETRACEFILE [NONE]\n";

  void write_workload() {
    write("jobs.swf",
          "; MaxNodes: 2\n; MaxProcs: 2\n1 0 -1 10 1 -1 -1 1 20 -1 1 1 1 -1 -1 -1 -1 -1\n");
  }

  TemporaryDirectory directory_;
  const fs::path home_ = directory_.path();
  std::string admin_;
};

TEST_F(StartCheckTest, TracesAreRead) {
  EXPECT_THAT(checked(kSimulation, 1), AllOf(HasSubstr("jobs.swf"), HasSubstr("would refuse it")));
  write_workload();
  EXPECT_THAT(checked(kSimulation, 0),
              HasSubstr("no errors, no warnings: the scheduler would start"));
  write("jobs.swf", "; MaxNodes: 2\n; MaxProcs: 2\n1 0 -1 10\n");
  checked(kSimulation, 1);
}

TEST_F(StartCheckTest, NothingIsLeftBehind) {
  write_workload();
  checked(kSimulation, 0);
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(home_)) found.push_back(entry.path().filename());
  EXPECT_THAT(found, testing::UnorderedElementsAre("maui.cfg", "jobs.swf"));
}

TEST_F(StartCheckTest, FilesThatAreOneAreErrors) {
  write_workload();
  EXPECT_THAT(checked(kSimulation + "LOGDIR .\nLOGFILE maui.cfg\n", 1),
              HasSubstr("LOGFILE: '" + home_.string() + "/./maui.cfg' is also the configuration"));
  for (const char* other :
       {"maui-private.cfg", "maui.seen", "log/../maui.cfg", "log/maui.log", "log/maui.log.1"})
    EXPECT_THAT(checked(kSimulation + "CHECKPOINTFILE " + other + "\n", 1),
                HasSubstr("CHECKPOINTFILE: '"))
        << other;
  for (const char* other : {"maui.ck", "maui.ck.old", "maui.ck.new", "maui.ck.starts",
                            "maui.ck.starts.new", "maui.seen.new", "./stats/history.2026_11_29"})
    EXPECT_THAT(checked(kSimulation + "HTTPSOCKET " + other + "\n", 1), HasSubstr("HTTPSOCKET: '"))
        << other;
  fs::create_symlink("maui.cfg", home_ / "link.ck");
  EXPECT_THAT(checked(kSimulation + "CHECKPOINTFILE link.ck\n", 1), HasSubstr("CHECKPOINTFILE: '"));
}

TEST_F(StartCheckTest, PlacesThatAChangeNamesMustBeWritable) {
  const Home home{home_.string(), (home_ / "maui.cfg").string()};
  write("file", "");
  Settings now, next;
  next.server.stat_dir = "new/stats";
  next.log.directory = "newlog";
  EXPECT_TRUE(check_new_places(home, now, next));
  next.server.stat_dir = "file";
  auto checked = check_new_places(home, now, next);
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().what, HasSubstr("STATDIR: '" + (home_ / "file").string()));
  now.server.stat_dir = "file";
  EXPECT_TRUE(check_new_places(home, now, next)) << "what it was before is no fault of the change";
  next.log.directory = "file";
  checked = check_new_places(home, now, next);
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().what, HasSubstr("LOGFILE: '" + (home_ / "file/").string()));
}

TEST_F(StartCheckTest, SoMustThoseThatALinkOrALongNameLeadsTo) {
  const Home home{home_.string(), (home_ / "maui.cfg").string()};
  fs::create_symlink("missing/elsewhere", home_ / "link");
  for (const auto& [stat_dir, why] :
       {std::pair<std::string, std::string>{"link", "No such file or directory"},
        {"link/below", "No such file or directory"},
        {std::string(300, 'x'), "File name too long"}}) {
    Settings next;
    next.server.stat_dir = stat_dir;
    const auto checked = check_new_places(home, {}, next);
    ASSERT_FALSE(checked) << stat_dir;
    EXPECT_THAT(checked.error().what, HasSubstr("STATDIR: '" + (home_ / stat_dir).string() +
                                                "' cannot be written: " + why));
  }
}

TEST_F(StartCheckTest, WhereAChangeWantsASocketOneCanBeMade) {
  const Home home{home_.string(), (home_ / "maui.cfg").string()};
  write("file", "");
  Settings next;
  next.http.socket = "http.sock";
  EXPECT_TRUE(check_new_places(home, {}, next));
  for (const auto& [socket, why] :
       {std::pair<std::string, std::string>{"file", "there is a file that is not a socket"},
        {"missing/http.sock", "No such file or directory"},
        {std::string(200, 'x'), "too long for a socket: expected at most 107 bytes"}}) {
    next.http.socket = socket;
    const auto checked = check_new_places(home, {}, next);
    ASSERT_FALSE(checked) << socket;
    EXPECT_THAT(checked.error().what, AllOf(HasSubstr("HTTPSOCKET: "), HasSubstr(why)));
    EXPECT_TRUE(check_new_places(home, next, next)) << "that is no fault of the change";
  }
}

TEST_F(StartCheckTest, HostsThatNobodyKnowsAreWarnings) {
  write_workload();
  const auto text = checked(kSimulation +
                                "CLIENTCFG[nohost.invalid] AUTHTYPE=SECUREPORT\n"
                                "CLIENTCFG[127.0.0.9] AUTHTYPE=SECUREPORT\n"
                                "ADMINHOST noadmin.invalid 127.0.0.8 ALL\n",
                            0);
  EXPECT_THAT(text,
              AllOf(HasSubstr("host 'nohost.invalid' of ADMINHOST or CLIENTCFG is not found"),
                    HasSubstr("host 'noadmin.invalid' of ADMINHOST or CLIENTCFG is not found"),
                    Not(HasSubstr("127.0.0")), HasSubstr("2 warnings")));
}

TEST_F(StartCheckTest, AServerHostThatIsNotThisMachineIsAWarning) {
  const std::string rm = "RMCFG[base] TYPE=WIKI PORT=1 AUTHTYPE=NONE\n";
  EXPECT_THAT(checked("SERVERHOST nohost.invalid\n" + rm, 0),
              HasSubstr("maui.cfg:2: SERVERHOST: 'nohost.invalid' cannot be resolved"));
  EXPECT_THAT(checked("\nSERVERHOST 192.0.2.7\n" + rm, 0),
              HasSubstr("maui.cfg:3: SERVERHOST: '192.0.2.7' has no address of this host"));
  for (const std::string ours : {"localhost", "127.0.1.1", "::1"})
    EXPECT_THAT(checked("SERVERHOST " + ours + "\n" + rm, 0), Not(HasSubstr("SERVERHOST:")));
  EXPECT_THAT(checked("SERVERHOST " + own_host_name() + "\n" + rm, 0),
              Not(HasSubstr("SERVERHOST:")));
}

// The other head of a pair is no fault; two other heads are one.
TEST_F(StartCheckTest, OneOfSeveralServerHostsMustBeThisMachine) {
  write("maui.lease", "");
  const std::string rm = "RMCFG[base] TYPE=WIKI PORT=1 AUTHTYPE=NONE\n";
  EXPECT_THAT(checked("SERVERHOST 192.0.2.7,localhost\n" + rm, 0), Not(HasSubstr("SERVERHOST:")));
  EXPECT_THAT(checked("SERVERHOST 192.0.2.7,nohost.invalid\n" + rm, 0),
              HasSubstr("maui.cfg:2: SERVERHOST: none of these hosts has an address of this host "
                        "(not resolved: 'nohost.invalid'): "));
}

TEST_F(StartCheckTest, AnotherHomeDirectoryInTheFileIsAWarning) {
  write_workload();
  EXPECT_THAT(checked("MAUIHOMEDIR /srv/elsewhere\n" + kSimulation, 0),
              HasSubstr("maui.cfg:2: MAUIHOMEDIR: '/srv/elsewhere' is ignored: the home directory "
                        "is '" +
                        home_.string() + "'"));
  EXPECT_THAT(checked("MAUIHOMEDIR " + home_.string() + "\n" + kSimulation, 0),
              HasSubstr("no warnings"));
}

TEST_F(StartCheckTest, APairNeedsAPreparedHomeDirectory) {
  const std::string pair =
      "SERVERHOST localhost,127.0.0.9\nRMCFG[base] TYPE=WIKI PORT=1 AUTHTYPE=NONE\n";
  EXPECT_THAT(checked(pair, 1), HasSubstr("maui --create-lease"));
  write("maui.lease", "");
  EXPECT_THAT(checked(pair, 0), HasSubstr("would start with it"));
}

TEST_F(StartCheckTest, ProgramsThatCannotBeRunAreWarnings) {
  write_workload();
  const auto text = checked(kSimulation +
                                "FEEDBACKPROGRAM none.pl\nNODEALLOCATIONPROGRAM choose\n"
                                "SRCFG[a] HOSTLIST=n1 TRIGGER=START;EXEC@missing.sh\n",
                            0);
  EXPECT_THAT(text, HasSubstr("WARNING: " + (home_ / "maui.cfg").string() +
                              ": FEEDBACKPROGRAM has no effect: '" + home_.string() +
                              "/tools/none.pl' is missing or not executable"));
  EXPECT_THAT(text, HasSubstr("NODEALLOCATIONPROGRAM has no effect"));
  EXPECT_THAT(text, HasSubstr("SRCFG[a] TRIGGER has no effect"));
  write("choose", "#!/bin/sh\n", 0700);
  EXPECT_THAT(checked(kSimulation + "NODEALLOCATIONPROGRAM choose\n", 0), HasSubstr("no warnings"));
}

TEST_F(StartCheckTest, ASimulationIsCheckedAgainstItsNodes) {
  write("jobs.swf",
        "; MaxNodes: 2\n; MaxProcs: 8\n1 0 -1 10 1 -1 -1 1 20 -1 1 1 1 -1 -1 -1 -1 -1\n");
  EXPECT_THAT(checked(kSimulation, 0), HasSubstr("WARNING: " + (home_ / "maui.cfg").string() +
                                                 ": NODEACCESSPOLICY is not set"));
  EXPECT_THAT(checked(kSimulation + "NODEACCESSPOLICY DEDICATED\n", 0), HasSubstr("no warnings"));
  EXPECT_THAT(checked(kSimulation + "NODEACCESSPOLICY SHARED\nNODECFG[n77] SPEED=2\n", 0),
              HasSubstr("NODECFG names nodes that no resource manager reports: n77"));
}

TEST_F(StartCheckTest, LiveNodesWithoutAnAccessPolicyAreAWarning) {
  write("empty", "");
  const auto file = "file://" + (home_ / "empty").string();
  const auto live = "SERVERHOST localhost\nRMCFG[n] TYPE=NATIVE CLUSTERQUERYURL=" + file +
                    " WORKLOADQUERYURL=" + file + " JOBSTARTURL=exec:///bin/true\n";
  const auto unset = HasSubstr(
      ": NODEACCESSPOLICY is not set: a node of several processors serves "
      "one job at a time");
  for (const std::string mode : {"SERVERMODE NORMAL\n", "SERVERMODE TEST\n"}) {
    EXPECT_THAT(checked(mode + live, 0), unset);
    EXPECT_THAT(checked(mode + live + "NODEACCESSPOLICY DEDICATED\n", 0), Not(unset));
  }
}

// One warning lists the defaults of release 3.3 on which its file relies, also that of nodes.
TEST_F(StartCheckTest, AFileOfRelease33IsWarnedOfOnce) {
  write_workload();
  const auto text = checked("# maui.cfg 3.3.2\n" + kSimulation, 0);
  EXPECT_THAT(text, HasSubstr("this file is of release 3.3, whose defaults differ"));
  EXPECT_THAT(text, HasSubstr("JOBMAXOVERRUN 00:10:00"));
  EXPECT_THAT(text, Not(HasSubstr("NODEACCESSPOLICY is not set")));
  EXPECT_THAT(text, HasSubstr("no errors, 1 warning:"));
  EXPECT_THAT(checked(kSimulation, 0), Not(HasSubstr("release 3.3, whose")));
}

TEST_F(StartCheckTest, WhatShowconfigOfRelease33PrintedIsSaidToBeThat) {
  write("maui.cfg",
        "# Maui version 3.3.2 (PID: 9611)\n# global policies\n\nBFPRIORITYPOLICY[1] [NONE]\n");
  std::ostringstream out;
  EXPECT_EQ(check_start({home_.string(), (home_ / "maui.cfg").string()}, {}, out), 1);
  EXPECT_THAT(out.str(), HasSubstr("output of showconfig of release 3.3: maui --migrate makes"));
  EXPECT_THAT(out.str(), HasSubstr("1 error, no warnings"));
}

TEST_F(StartCheckTest, ACheckpointOfRelease33IsAWarning) {
  write("empty", "");
  const auto file = "file://" + (home_ / "empty").string();
  const auto live =
      "SERVERHOST localhost\nNODEACCESSPOLICY SHARED\nRMCFG[n] TYPE=NATIVE "
      "CLUSTERQUERYURL=" +
      file + " WORKLOADQUERYURL=" + file + " JOBSTARTURL=exec:///bin/true\n";
  write("maui.ck", "Sched  [NONE] 1796055288 <sched/>\n");
  const auto text = checked(live, 0);
  EXPECT_THAT(text, HasSubstr("maui.ck' is of release 3.3 and is not read: the start renames it"));
  EXPECT_THAT(text, Not(HasSubstr("would start no jobs")));
  EXPECT_TRUE(fs::exists(home_ / "maui.ck"));
}

TEST_F(StartCheckTest, DirectoriesThatOthersMayWriteToAreRefused) {
  write_workload();
  fs::create_directory(home_ / "log");
  fs::permissions(home_ / "log", static_cast<fs::perms>(0777));
  EXPECT_THAT(checked(kSimulation, 1), HasSubstr("may be written to by everybody"));
}

TEST_F(StartCheckTest, PlacesWhereNothingCanBeWrittenAreWarnings) {
  write_workload();
  write("afile", "");
  EXPECT_THAT(
      checked(kSimulation + "LOGDIR afile/log\n", 0),
      HasSubstr("LOGFILE: '" + (home_ / "afile/log/maui.log").string() + "' cannot be written"));
  EXPECT_THAT(checked(kSimulation + "STATDIR afile\n", 0), HasSubstr("STATDIR: '"));
  fs::create_directories(home_ / "log" / "maui.log");
  EXPECT_THAT(checked(kSimulation, 0), HasSubstr("LOGFILE: '"));
}

// There root has every right, and can make nothing all the same.
TEST_F(StartCheckTest, PlacesThatTakeNothingWhateverTheRightsAreWarnings) {
  write_workload();
  for (const auto& [lines, parameter] :
       {std::pair("LOGDIR /proc/foo\n", "LOGFILE"), std::pair("LOGFILE /proc/x.log\n", "LOGFILE"),
        std::pair("STATDIR /proc/stats\n", "STATDIR"),
        std::pair("CHECKPOINTFILE /proc/ck\n", "CHECKPOINTFILE")})
    EXPECT_THAT(checked(kSimulation + lines, 0),
                AllOf(HasSubstr(std::string(parameter) + ": '/proc/"), HasSubstr("be written")))
        << lines;
}

TEST_F(StartCheckTest, ACheckpointThatCannotBeUsedIsAWarning) {
  const std::string live = "RMCFG[base] TYPE=WIKI PORT=1 AUTHTYPE=NONE\n";
  write("maui.ck", "garbage\n");
  EXPECT_THAT(checked(live, 0), AllOf(HasSubstr("maui.ck' is not used: not a checkpoint"),
                                      HasSubstr("CHECKPOINTFILE: none is usable")));
  EXPECT_TRUE(fs::exists(home_ / "maui.ck")) << "it stays where it is";
  fs::remove(home_ / "maui.ck");
  EXPECT_THAT(checked(live, 0), Not(HasSubstr("CHECKPOINTFILE")));
}

TEST_F(StartCheckTest, AnAdministratorWhomNobodyKnowsIsAnError) {
  write_workload();
  admin_ = "ADMIN1 no-such-user-here\n";
  EXPECT_THAT(checked(kSimulation, 1),
              HasSubstr("unknown user 'no-such-user-here' on this machine, the first of ADMIN1"));
}

TEST_F(StartCheckTest, TheFirstAdministratorIsAUserNotAll) {
  write_workload();
  admin_ = "ADMIN1 ALL\n";
  EXPECT_THAT(checked(kSimulation, 1),
              AllOf(HasSubstr("ADMIN1 begins with ALL: expected a user's name before it"),
                    Not(HasSubstr("unknown user"))));
}

TEST_F(StartCheckTest, AKeyMustBeANumber) {
  write("maui-private.cfg", "CLIENTCFG[RM:base] KEY=secret\n");
  EXPECT_THAT(checked("RMCFG[base] TYPE=WIKI PORT=1\n", 1), HasSubstr("expected a number"));
  write("maui-private.cfg", "CLIENTCFG[RM:base] KEY=0x17\n");
  EXPECT_THAT(checked("RMCFG[base] TYPE=WIKI PORT=1\n", 0), HasSubstr("would start with it"));
}

class TakenPort {
 public:
  TakenPort() : acceptor_(io_, {boost::asio::ip::tcp::v6(), 0}) {}
  std::string number() { return std::to_string(acceptor_.local_endpoint().port()); }

 private:
  boost::asio::io_context io_;
  boost::asio::ip::tcp::acceptor acceptor_;
};

TEST_F(StartCheckTest, APortThatAnotherProgramHasIsAWarningWithItsUser) {
  write_workload();
  TakenPort taken;
  const auto server = "SERVERPORT " + taken.number() + "\n";
  EXPECT_THAT(checked(kSimulation + server, 0), Not(HasSubstr("listen")))
      << "without a secret it listens at none";
  write("maui-private.cfg", "SECRET " + std::string(64, 'a') + "\n");
  const auto user = admin_.substr(7, admin_.size() - 8);
  const auto warned = AllOf(HasSubstr("WARNING"), HasSubstr("port " + taken.number() + ": "),
                            HasSubstr("user '" + user + "' has it"));
  EXPECT_THAT(checked(kSimulation + server, 0), warned);
  EXPECT_THAT(checked(kSimulation + "HTTPPORT " + taken.number() + "\n", 0), warned);
  EXPECT_THAT(
      checked("RMCFG[base] TYPE=WIKI PORT=1 AUTHTYPE=NONE EPORT=" + taken.number() + "\n", 0),
      warned);
}

TEST_F(StartCheckTest, BesideASchedulerThatRunsItsPortsAreNotTried) {
  write_workload();
  write("maui-private.cfg", "SECRET " + std::string(64, 'a') + "\n");
  TakenPort taken;
  const auto lock = LockFile::take((home_ / "maui.pid").string());
  ASSERT_TRUE(lock);
  EXPECT_THAT(checked(kSimulation + "SERVERPORT " + taken.number() + "\n", 0),
              HasSubstr("a scheduler is already running here"));
  checked("RMCFG[base] TYPE=WIKI PORT=1 AUTHTYPE=NONE EPORT=" + taken.number() + "\n", 0);
}

TEST_F(StartCheckTest, BesideASchedulerThatRunsItsSocketsMustBeSockets) {
  using Local = boost::asio::local::stream_protocol;
  write_workload();
  const auto lock = LockFile::take((home_ / "maui.pid").string());
  ASSERT_TRUE(lock);
  const std::string with_http = kSimulation + "HTTPSOCKET http.sock\n";
  boost::asio::io_context io;
  const Local::acceptor own(io, {(home_ / "maui.sock").string()}),
      http(io, {(home_ / "http.sock").string()});
  EXPECT_THAT(checked(with_http, 0), Not(HasSubstr("listen at"))) << "they are the scheduler's own";
  for (const std::string name : {"maui.sock", "http.sock"}) {
    fs::rename(home_ / name, home_ / "kept");
    write(name, "notes\n");
    EXPECT_THAT(checked(with_http, 1),
                HasSubstr("cannot listen at the socket '" + (home_ / name).string() +
                          "': there is a file that is not a socket"));
    fs::rename(home_ / "kept", home_ / name);
  }
}

TEST_F(StartCheckTest, AStrangerWhoHasLockedTheHomeDirectoryIsNamed) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  write_workload();
  const StrangersLock stranger(home_);
  EXPECT_THAT(checked(kSimulation, 0),
              HasSubstr("process " + std::to_string(stranger.process()) + " ('"));
}

TEST_F(StartCheckTest, AnotherUserIsWarnedThatTheOwnerMayHaveOtherRights) {
  write_workload();
  admin_ = "ADMIN1 4294967\n";  // a number needs no entry in /etc/passwd
  EXPECT_THAT(checked(kSimulation, 0), HasSubstr("must run as user '4294967'"));
}

}  // namespace
}  // namespace maui
