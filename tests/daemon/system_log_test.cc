// Lines for the system's log (guide 14.2): which lines, in which form, and that nothing waits.
#include "daemon/logging/system_log.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <vector>

#include "daemon/datagram_socket.h"
#include "daemon/logging/log.h"
#include "daemon/temporary_directory.h"

namespace maui {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Ge;
using testing::Le;
using testing::MatchesRegex;

class RecordingSink final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
  std::vector<std::string> lines;

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    const auto level = spdlog::level::to_string_view(message.level);
    lines.push_back(std::string(level.data(), level.size()) + " " +
                    std::string(message.payload.data(), message.payload.size()));
  }
  void flush_() override {}
};

class SystemLogTest : public testing::Test {
 protected:
  SystemLogTest() {
    LogSettings settings;
    settings.facilities = {"fSIM"};
    EXPECT_TRUE(log_.open(settings, home_.path()));
    log_.also_to(system_);
  }
  TemporaryDirectory home_;
  Log log_{[] { return Time(1000000000); }};
  std::shared_ptr<RecordingSink> system_ = std::make_shared<RecordingSink>();
};

TEST_F(SystemLogTest, ImportantLinesGoThereWithTheirSeverity) {
  log_.write(0, "fCORE", "scheduler started");
  log_.write(0, "fCORE", "WARNING: one");
  log_.write(0, "fRM", "ALERT: two");
  log_.write(0, "fRM", "ERROR: three");
  EXPECT_THAT(system_->lines, ElementsAre("info INFO: scheduler started", "warning WARNING: one",
                                          "error ALERT: two", "error ERROR: three"));
}

TEST(SystemLogJournalTest, AFileIsTheJournalsWhereSystemdSaysSo) {
  TemporaryDirectory home;
  const std::string path = home / "file";
  const int file = ::open(path.c_str(), O_CREAT | O_WRONLY, 0600);
  ASSERT_GE(file, 0);
  struct stat about {};
  ASSERT_EQ(::fstat(file, &about), 0);
  EXPECT_FALSE(is_journal(file));
  ::setenv("JOURNAL_STREAM", fmt::format("{}:{}", about.st_dev, about.st_ino).c_str(), 1);
  EXPECT_TRUE(is_journal(file));
  EXPECT_FALSE(is_journal(-1));
  ::unsetenv("JOURNAL_STREAM");
  ::close(file);
}

TEST_F(SystemLogTest, ChangesByUsersGoThereAtAnyLevelAndNothingElseDoes) {
  log_.change_level(+9);
  log_.write(1, "fUI", "canceljob a by user amy");
  log_.write(4, "fSIM", "something happens");
  EXPECT_TRUE(system_->lines.empty());
  log_.change_level(-9);
  log_.report("canceljob a by user amy");
  EXPECT_THAT(system_->lines, ElementsAre("info canceljob a by user amy"));
}

TEST_F(SystemLogTest, NobodyWritesLinesOfHisOwn) {
  log_.report("canceljob a\nERROR: forged\x1b[2J");
  EXPECT_THAT(system_->lines, ElementsAre("info canceljob a ERROR: forged [2J"));
}

TEST_F(SystemLogTest, NoEntryIsLongerThanALineMayBe) {
  TemporaryDirectory home;
  const int socket = listen_at(home / "log");
  log_.also_to(std::make_shared<SystemLogSink>(home / "log"));
  std::array<char, 10'000> text{};
  const auto length = [&] { return ::recv(socket, text.data(), text.size(), MSG_DONTWAIT); };
  const std::string endless(1'000'000, 'x');
  for (const char* kind : {"", "WARNING: "}) {
    log_.write(0, "fCORE", kind + endless);
    EXPECT_THAT(length(), AllOf(Ge(4000), Le(4096)));
  }
  log_.report(endless);
  EXPECT_THAT(length(), AllOf(Ge(4000), Le(4096)));
  ::close(socket);
}

void say(SystemLogSink& sink, const std::string& text) {
  sink.log(spdlog::details::log_msg("maui", spdlog::level::err, text));
}

TEST(SystemLogSinkTest, ALineIsADatagramOfTheDaemonFacility) {
  TemporaryDirectory home;
  const int socket = listen_at(home / "log");
  SystemLogSink sink(home / "log");
  say(sink, "ERROR: it burns");
  std::array<char, 200> text{};
  ASSERT_GT(::recv(socket, text.data(), text.size() - 1, MSG_DONTWAIT), 0);
  EXPECT_THAT(text.data(),
              MatchesRegex("<27>[A-Z][a-z][a-z] [ 1-3][0-9] [0-9][0-9]:[0-9][0-9]:[0-9][0-9] "
                           "maui\\[[0-9]+\\]: ERROR: it burns"));
  ::close(socket);
}

TEST(SystemLogSinkTest, ALogDaemonThatDoesNotReadIsNotWaitedFor) {
  TemporaryDirectory home;
  const int socket = listen_at(home / "log");
  SystemLogSink sink(home / "log");
  for (int i = 0; i < 10000; ++i) say(sink, std::string(500, 'x'));
  int taken = 0;
  std::array<char, 1000> text{};
  while (::recv(socket, text.data(), text.size(), MSG_DONTWAIT) > 0) ++taken;
  EXPECT_GT(taken, 0);
  EXPECT_LT(taken, 10000);
  say(sink, "it reads again");
  EXPECT_GT(::recv(socket, text.data(), text.size(), MSG_DONTWAIT), 0);
  ::close(socket);
  SystemLogSink(home / "nowhere").log({"maui", spdlog::level::err, "nobody is there"});
}

}  // namespace
}  // namespace maui
