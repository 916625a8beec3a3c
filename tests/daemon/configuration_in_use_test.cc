// The configuration changes as a whole or not at all.
#include "daemon/control/configuration_in_use.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <optional>

#include "daemon/start_check.h"
#include "daemon/temporary_directory.h"

namespace maui {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using Change = ConfigurationInUse::Change;

class ConfigurationInUseTest : public testing::Test {
 protected:
  void SetUp() override {
    write("BACKFILLDEPTH 5\n");
    std::vector<Diagnostic> diagnostics;
    auto first = Configuration::load(file_, diagnostics);
    ASSERT_TRUE(first) << first.error().what;
    ASSERT_TRUE(log_.open(first->settings().log, home_.path()));
    in_use_.emplace(*std::move(first), ConfigurationInUse::Surroundings{
                                           {home_.path(), file_},
                                           {},
                                           /*shared_home=*/false,
                                           log_,
                                           lines_,
                                           [this](const Configuration&) { return can_adopt_; },
                                           [this](const Settings&) { return can_keep_; },
                                           [this](const Settings& old, Change change) {
                                             before_.push_back(old.backfill_depth);
                                             changes_.push_back(change);
                                           }});
  }
  void write(const std::string& lines) {
    std::ofstream(file_) << "SERVERMODE SIMULATION\nADMIN1 " << effective_user() << "\n" << lines;
  }
  std::string log() {
    log_.flush();
    std::ifstream in(log_.path());
    return {std::istreambuf_iterator<char>(in), {}};
  }
  auto depth() const { return in_use_->settings().backfill_depth; }

  TemporaryDirectory home_;
  const std::string file_ = home_ / "maui.cfg";
  Log log_{[] { return Time(1000000000); }};
  Lines lines_{log_, /*complete=*/false};
  Status can_adopt_ = Done{}, can_keep_ = Done{};
  std::optional<ConfigurationInUse> in_use_;
  std::vector<decltype(Settings::backfill_depth)> before_;
  std::vector<Change> changes_;
};

TEST_F(ConfigurationInUseTest, AReloadHandsOnWhatTheFileSays) {
  write("BACKFILLDEPTH 7\n");
  ASSERT_TRUE(in_use_->reload());
  EXPECT_EQ(depth(), 7);
  EXPECT_THAT(before_, ElementsAre(5));
  EXPECT_THAT(changes_, ElementsAre(Change::file));
  EXPECT_THAT(log(), HasSubstr("the configuration was reloaded"));
}

TEST_F(ConfigurationInUseTest, AWrongFileChangesNothing) {
  write("BACKFILLDEPTH deep\n");
  EXPECT_FALSE(in_use_->reload());
  EXPECT_EQ(depth(), 5);
  EXPECT_TRUE(changes_.empty());
  EXPECT_THAT(log(), HasSubstr("all values are unchanged"));
}

TEST_F(ConfigurationInUseTest, WhatOnePartCannotAdoptNoPartGets) {
  can_adopt_ = Error{"no such server"};
  EXPECT_FALSE(in_use_->with_parameter("BACKFILLDEPTH", {"7"}));
  EXPECT_FALSE(in_use_->change_parameter("BACKFILLDEPTH", {"7"}));
  can_adopt_ = Done{};
  can_keep_ = Error{"no room there"};
  EXPECT_FALSE(in_use_->change_parameter("BACKFILLDEPTH", {"7"}));
  write("BACKFILLDEPTH 7\n");
  EXPECT_FALSE(in_use_->reload());
  EXPECT_EQ(depth(), 5);
  EXPECT_TRUE(changes_.empty());
}

TEST_F(ConfigurationInUseTest, AParameterIsChangedAlone) {
  ASSERT_TRUE(in_use_->change_parameter("BACKFILLDEPTH", {"7"}));
  EXPECT_EQ(depth(), 7);
  ASSERT_TRUE(in_use_->change_parameter("LOGLEVEL", {"3"}));
  EXPECT_THAT(changes_, ElementsAre(Change::parameter, Change::log_level));
}

TEST_F(ConfigurationInUseTest, TheSchedulersOwnUserStaysItsAdministrator) {
  const auto changed = in_use_->change_parameter("ADMIN1", {"somebody-else"});
  ASSERT_FALSE(changed);
  EXPECT_THAT(changed.error().what, HasSubstr("who runs the scheduler"));
}

TEST_F(ConfigurationInUseTest, WhatNeedsARestartKeepsItsValueAndIsNamed) {
  const int port = in_use_->settings().server.port;
  write(
      "BACKFILLDEPTH 7\n"
      "SERVERPORT 23456\n");
  ASSERT_TRUE(in_use_->reload());
  EXPECT_EQ(depth(), 7);
  EXPECT_EQ(in_use_->settings().server.port, port);
  EXPECT_THAT(in_use_->awaiting_restart(), ElementsAre("SERVERPORT"));
}

TEST_F(ConfigurationInUseTest, WhatWouldPreventTheRestartIsRefusedAtTheReload) {
  write(
      "BACKFILLDEPTH 7\n"
      "HTTPSOCKET maui.cfg\n");
  auto reloaded = in_use_->reload();
  ASSERT_FALSE(reloaded);
  EXPECT_THAT(reloaded.error().what, HasSubstr("HTTPSOCKET: "));
  write(
      "BACKFILLDEPTH 7\n"
      "HTTPSOCKET missing/http.sock\n");
  reloaded = in_use_->reload();
  ASSERT_FALSE(reloaded);
  EXPECT_THAT(reloaded.error().what, HasSubstr("cannot make a socket in the directory '"));
  EXPECT_EQ(depth(), 5);
  EXPECT_TRUE(changes_.empty());
  write("HTTPSOCKET http.sock\n");
  ASSERT_TRUE(in_use_->reload());
  EXPECT_THAT(in_use_->awaiting_restart(), ElementsAre("HTTPSOCKET"));
  EXPECT_THAT(log(), HasSubstr("these keep their old values: HTTPSOCKET"));
}

}  // namespace
}  // namespace maui
