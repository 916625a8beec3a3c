#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "config/check.h"
#include "config/configs.h"
#include "config/manual.h"

namespace maui {
namespace {

namespace fs = std::filesystem;
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
    std::ostringstream out;
    EXPECT_EQ(check_config(path, out), status);
    return out.str();
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

TEST_F(FilesTest, ErrorsOfBothFilesAreToldTogether) {
  write("maui-private.cfg", "LOGLEVEL 3\n");
  const auto path = write("maui.cfg", "LOGLEVEL 10\n");
  EXPECT_THAT(checked(path, 1),
              HasSubstr(path + ": 2 errors, no warnings: the scheduler would refuse it\n"));
}

TEST_F(FilesTest, AFileThatIsNotThereIsNamed) {
  const auto path = (home_ / "no.cfg").string();
  EXPECT_EQ(checked(path, 1), path + ": cannot be read: No such file or directory\n" + path +
                                  ": 1 error, no warnings: the scheduler would refuse it\n");
  EXPECT_THAT(checked(home_.string(), 1), HasSubstr("is a directory"));
}

TEST_F(FilesTest, AnAllocationManagerWithoutItsHostIsRefused) {
  const auto path = write("maui.cfg", "SERVERMODE SIMULATION\nBANKTYPE RESD\n");
  EXPECT_THAT(checked(path, 1), HasSubstr("expected its host, too (BANKSERVER)"));
  write("maui.cfg", "SERVERMODE SIMULATION\nBANKTYPE FILE\n");
  EXPECT_THAT(checked(path, 0), HasSubstr("would start with it"));
}

TEST_F(FilesTest, ACheckTellsWhatHasNoEffect) {
  const auto path = write("maui.cfg", "SERVERMODE SIMULATION\nJOBSIZEPOLICY x\n");
  EXPECT_EQ(checked(path, 0),
            "WARNING: " + path + ": JOBSIZEPOLICY is set, and this release does not act on it\n" +
                path + ": no errors, 1 warning: the scheduler would start with it\n");
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
  EXPECT_FALSE(find_home("").directory.empty());
}

TEST_F(FilesTest, WhatRealSitesWriteLoads) {
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

TEST_F(FilesTest, ACheckRefusesResourceManagersThatCannotBeDriven) {
  const auto refused = [&](const std::string& text, const std::string& why) {
    EXPECT_THAT(checked(write("maui.cfg", text), 1), HasSubstr(why)) << text;
  };
  refused("", "SERVERMODE NORMAL needs a resource manager: expected RMCFG[NAME] TYPE=...");
  refused("RMCFG[base] TYPE=PBS\n",
          "RMCFG[base] TYPE=PBS: this release cannot drive it; expected WIKI");
  refused("RMTYPE[0] LL:RMS\n", "TYPE=LL:RMS: this release cannot drive it");
  refused("RMCFG[a] TYPE=WIKI\n", "RMCFG[a]: no PORT");
  refused("RMCFG[a] TYPE=WIKI PORT=1\n", "expected CLIENTCFG[RM:a] KEY=... in maui-private.cfg");
  refused("RMCFG[a] TYPE=WIKI PORT=1 AUTHTYPE=PKI\n", "AUTHTYPE=PKI: expected CHECKSUM or NONE");
  refused("RMCFG[a] TYPE=SLURM\nRMCFG[b] TYPE=SLURM\nRMNAME[a] x\nRMNAME[b] x\n",
          "are both called 'x'");
  const std::string plain = " TYPE=WIKI PORT=1 AUTHTYPE=NONE EPORT=15017\n";
  refused("RMCFG[a]" + plain + "RMCFG[b]" + plain,
          "RMCFG[b] EPORT=15017 is RMCFG[a] EPORT, too: expected a port of its own");
  refused("SERVERPORT 15017\nRMCFG[a]" + plain, "RMCFG[a] EPORT=15017 is SERVERPORT, too");
  for (const char* text : {"RMCFG[a] TYPE=WIKI PORT=1 AUTHTYPE=NONE\n", "RMCFG[a] TYPE=SLURM\n",
                           "RMTYPE[0] WIKI\nRMPORT[0] 1\nRMAUTHTYPE[0] NONE\n",
                           "SERVERMODE SIMULATION\nRMCFG[base] TYPE=PBS\n"})
    checked(write("maui.cfg", text), 0);
  write("maui-private.cfg", "CLIENTKEY[a] 0x12\n");
  checked(write("maui.cfg", "RMCFG[a] TYPE=WIKI PORT=1\n"), 0);
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
