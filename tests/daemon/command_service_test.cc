// Commands are served in slices, and nobody is told of a change that is not on the disk.
#include "daemon/clients/command_service.h"

#include <gmock/gmock.h>

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>

#include "cmd/command_fixture.h"
#include "daemon/clients/reply_under_way.h"
#include "daemon/temporary_directory.h"
#include "proto/request_codec.h"

namespace maui::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

class CommandServiceTest : public CommandTest {
 protected:
  /// Begins to serve; without a keeper of checkpoints, as in TEST mode.
  void start(bool keeps = true) {
    records_.open(home_ / "stats", clock.time);
    if (keeps) {
      const auto nothing = [] { return Status(Done{}); };
      keeper_.emplace(CheckpointFile(directory_ + "/maui.ck"),
                      CheckpointKeeper::Surroundings{
                          engine(), records_, [] { return ClockReference(); },
                          [](const ClockReference&) {}, [] { return Time(0); }, nothing,
                          [](int, std::string_view) {}, [](const std::string&) {}});
      keeper_->restore(std::nullopt);
    }
    changes_.emplace(UnsavedChanges::Surroundings{
        io_, engine(), keeper_ ? &*keeper_ : nullptr, [this] { ++kept_; },
        [this](const ClientServer::Revision& revise, std::chrono::steady_clock::duration) {
          sent_.push_back(revise ? revise(reply_) : reply_);
        }});
    serving_.emplace(
        Serving{engine(), server, lines_, [this] { ++ticks_; }, [this] { return short_; }});
    service_.emplace(CommandService::Surroundings{*serving_, *changes_,
                                                  [this](const CommandRequest&) { ++changed_; },
                                                  [this]() -> Status {
                                                    ++synced_;
                                                    return Done{};
                                                  },
                                                  [this] { return now_ += step_takes_; }});
  }
  /// From here on, no checkpoint can be written: there is a file in the place of the directory.
  void fill_disk() {
    std::filesystem::remove_all(directory_);
    std::ofstream(directory_) << "in the way";
  }
  ClientServer::Work begin(const std::string& command, std::vector<std::string> operands,
                           const std::string& user = "root") {
    CommandRequest request;
    request.command = command;
    request.operands = std::move(operands);
    return service_->serve({user, "", "desk:7", user}, encode_request(request, "n"));
  }
  /// Works until there is a reply.
  ClientServer::Slice serve(const std::string& command, std::vector<std::string> operands,
                            const std::string& user = "root") {
    const auto work = begin(command, std::move(operands), user);
    auto slice = work();
    while (!slice.data) slice = work();
    reply_ = *slice.data;
    return slice;
  }
  std::string reason() {
    const auto reply = decode_reply(reply_);
    const auto* refusal = reply ? std::get_if<Refusal>(&*reply) : nullptr;
    return refusal != nullptr ? refusal->reason : "(done)";
  }
  bool held(const std::string& name) { return job(name).holds != 0; }

  TemporaryDirectory home_;
  const std::string directory_ = home_ / "spool";
  boost::asio::io_context io_;
  Log log_{[] { return Time(1000000000); }};
  Lines lines_{log_, /*complete=*/false};
  Records records_{ServerMode::normal, [](int, std::string_view, std::string_view) {},
                   [](const std::string&) {}};
  std::optional<CheckpointKeeper> keeper_;
  std::optional<UnsavedChanges> changes_;
  std::optional<Serving> serving_;
  std::optional<CommandService> service_;
  std::string reply_;                                 // the last
  std::vector<std::string> sent_;                     // replies that waited for a checkpoint
  std::chrono::steady_clock::time_point now_;         // of slices
  std::chrono::steady_clock::duration step_takes_{};  // each step of work; 0: a slice does all
  bool short_ = false;                                // of memory
  int kept_ = 0, changed_ = 0, synced_ = 0, ticks_ = 0;
};

TEST_F(CommandServiceTest, AReplyThatReportsAChangeWaitsForACheckpoint) {
  start();
  const auto slice = serve("sethold", {"b"});
  EXPECT_TRUE(slice.changed);
  EXPECT_FALSE(slice.looks);
  EXPECT_TRUE(held("b"));
  EXPECT_EQ(kept_, 1);
  EXPECT_GE(changed_, 1);
  EXPECT_TRUE(sent_.empty());
  EXPECT_FALSE(std::filesystem::exists(directory_ + "/maui.ck"));
  changes_->save();
  EXPECT_TRUE(std::filesystem::exists(directory_ + "/maui.ck"));
  EXPECT_THAT(sent_, ElementsAre(reply_));
  changes_->save();
  EXPECT_EQ(sent_.size(), 1U) << "nothing is left to save";
}

TEST_F(CommandServiceTest, AQueryWaitsForNothing) {
  start();
  const auto slice = serve("showq", {});
  EXPECT_TRUE(slice.looks);
  EXPECT_FALSE(slice.changed);
  EXPECT_EQ(kept_ + changed_ + synced_, 0);
  EXPECT_EQ(ticks_, 1);
  changes_->save();
  EXPECT_TRUE(sent_.empty());
}

TEST_F(CommandServiceTest, ARefusedCommandHasChangedNothing) {
  start();
  EXPECT_FALSE(serve("sethold", {"nosuch"}).changed);
  EXPECT_THAT(reason(), HasSubstr("nosuch"));
  EXPECT_EQ(kept_ + changed_ + synced_, 0);
}

TEST_F(CommandServiceTest, TheReasonsOfARefusalAreToldApartInTheLog) {
  start();
  LogSettings log;
  log.level = 2;
  ASSERT_TRUE(log_.open(log, home_.path()));
  serve("sethold", {"nosuch", "neither"});
  ASSERT_TRUE(log_.open(log, home_ / "elsewhere"));  // what was written is now in the file
  std::ifstream file(home_ / "log/maui.log");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(text, HasSubstr("sethold refused: cannot locate job 'nosuch'; cannot locate job "
                              "'neither'"));
}

TEST_F(CommandServiceTest, NonsenseIsRefusedAndNotCounted) {
  start();
  reply_ = *service_->serve({"amy", "", "desk:7", "amy"}, "no request")().data;
  EXPECT_NE(reason(), "(done)");
  EXPECT_EQ(service_->served().requests, 0);
}

TEST_F(CommandServiceTest, WhereMemoryIsShortOrdinaryUsersAreRefused) {
  start();
  short_ = true;
  serve("showq", {}, "amy");
  EXPECT_THAT(reason(), HasSubstr("short of memory"));
  EXPECT_EQ(service_->served().requests, 0);
  short_ = false;
  serve("showq", {}, "amy");
  EXPECT_EQ(reason(), "(done)");
}

// Otherwise nobody would save it if its client went away between two slices.
TEST_F(CommandServiceTest, AChangeThatIsNotCompleteMakesTheCheckpointDue) {
  start();
  [[maybe_unused]] const auto written = keeper_->write(CheckpointKeeper::Occasion::change);
  const auto due = keeper_->due();
  step_takes_ = kSlice;
  const auto work = begin("sethold", {"b", "c"});
  while (!held("b")) ASSERT_FALSE(work().data);
  EXPECT_FALSE(held("c"));
  EXPECT_LT(keeper_->due(), due);
  EXPECT_EQ(kept_, 0) << "nobody has been told";
}

TEST_F(CommandServiceTest, WhatCannotBeSavedIsNotDone) {
  start();
  fill_disk();
  EXPECT_FALSE(serve("sethold", {"b"}).changed);
  EXPECT_THAT(reason(), HasSubstr("nothing was changed, since it cannot be saved"));
  EXPECT_FALSE(held("b"));
}

TEST_F(CommandServiceTest, IsDoneAllTheSameWhereTheSiteSaysSoAndTheReplyTells) {
  settings.server.checkpoint_failure = CheckpointFailure::proceed;
  start();
  fill_disk();
  EXPECT_FALSE(serve("sethold", {"b"}).changed) << "its reply has nothing to wait for";
  EXPECT_TRUE(held("b"));
  EXPECT_NE(remarks_of(reply_).not_kept, "");
  EXPECT_EQ(synced_, 1);
}

TEST_F(CommandServiceTest, WhoeverWaitsLearnsThatSavingFailed) {
  start();
  serve("sethold", {"b"});
  fill_disk();
  changes_->save();
  ASSERT_EQ(sent_.size(), 1U);
  reply_ = sent_.front();
  EXPECT_THAT(reason(), HasSubstr("it was done, but cannot be saved"));
}

TEST_F(CommandServiceTest, ACommandToTheSchedulerItselfIsInNoCheckpoint) {
  start();
  CommandRequest stop;
  stop.command = "schedctl";
  stop.flags.emplace("s", "");
  const auto work = service_->serve({"root", "", "desk:7", "root"}, encode_request(stop, "n"));
  EXPECT_FALSE(work().changed);
  EXPECT_TRUE(engine().stop_rule().stopped);
  EXPECT_EQ(kept_, 0);
  EXPECT_EQ(synced_, 1) << "nobody can give it again after a loss of power";
}

TEST_F(CommandServiceTest, WithoutCheckpointsNoReplyWaits) {
  start(/*keeps=*/false);
  EXPECT_FALSE(serve("sethold", {"b"}).changed);
  EXPECT_TRUE(held("b"));
  EXPECT_EQ(kept_, 0);
  EXPECT_EQ(remarks_of(reply_).not_kept, "") << "a simulation is run again";
}

TEST_F(CommandServiceTest, InTestModeTheReplyTellsThatTheChangeIsNotKept) {
  settings.server.mode = ServerMode::test;
  start(/*keeps=*/false);
  EXPECT_FALSE(serve("sethold", {"b"}).changed);
  EXPECT_TRUE(held("b"));
  EXPECT_EQ(remarks_of(reply_).not_kept, "SERVERMODE is TEST: no checkpoint is written");
  serve("showq", {});
  EXPECT_EQ(remarks_of(reply_).not_kept, "") << "it changes nothing";
  serve("releaseres", {"nosuch"});
  EXPECT_EQ(remarks_of(reply_).not_kept, "") << "it is refused";
}

TEST_F(CommandServiceTest, CountsRequestsByWhatTheyChange) {
  start();
  serve("showq", {});
  serve("sethold", {"b"});
  serve("releaseres", {"nosuch"});
  EXPECT_EQ(service_->served().requests, 3);
  EXPECT_EQ(service_->served().job_requests, 1);
  EXPECT_EQ(service_->served().reservation_requests, 1);
}

}  // namespace
}  // namespace maui::test
