#include "daemon/programs/munge_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>

#include "daemon/temporary_directory.h"
#include "daemon/test_client.h"

namespace maui {
namespace {

using std::chrono::milliseconds;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;

const std::string kKey(64, 'e');

class MungeReaderTest : public testing::Test {
 protected:
  /// A helper that does `text` with each credential it reads.
  void start(const std::string& text, milliseconds patience = milliseconds(20000),
             milliseconds pause = milliseconds(0)) {
    const auto path = home_ / "helper";
    std::ofstream(path) << "#!/bin/sh\nwhile read credential; do\n" << text << "\ndone\n";
    ASSERT_EQ(::chmod(path.c_str(), 0700), 0);
    reader_ = std::make_unique<MungeReader>(
        io_, MungeReaderOptions{path, "", patience, pause},
        [this](int, std::string_view line) { log_.emplace_back(line); });
  }
  void ask(const std::string& party, const std::string& credential) {
    reader_->read(party, credential, [this, credential](const Result<Voucher>& read) {
      answers_.push_back(credential + ": " +
                         (read ? std::to_string(read->user) : read.error().what));
    });
  }
  bool answered(std::size_t count) {
    return run_until(io_, [&] { return answers_.size() >= count; });
  }

  TemporaryDirectory home_;
  boost::asio::io_context io_{1};
  std::unique_ptr<MungeReader> reader_;
  std::vector<std::string> answers_, log_;
};

TEST_F(MungeReaderTest, OneHelperReadsAllOneAfterTheOther) {
  start("echo OK $$ 17 " + kKey);
  ask("a", "1");
  ask("a", "2");
  EXPECT_TRUE(answers_.empty()) << "never from within";
  ASSERT_TRUE(answered(2));
  ASSERT_EQ(answers_.size(), 2U);
  EXPECT_EQ(answers_[0].substr(3), answers_[1].substr(3)) << "the same process";
}

TEST_F(MungeReaderTest, ARefusalByMungeIsReported) {
  start("echo NO munge: Expired credential");
  ask("a", "1");
  ASSERT_TRUE(answered(1));
  EXPECT_THAT(answers_, ElementsAre("1: munge: Expired credential"));
}

TEST_F(MungeReaderTest, PartiesTakeTurnsHoweverManyRequestsAPartyHas) {
  start("echo OK 7 17 " + kKey);
  for (const auto* text : {"a1", "a2", "a3", "a4"}) ask("a", text);
  ask("b", "b1");
  ask("c", "c1");
  ASSERT_TRUE(answered(6));
  EXPECT_THAT(answers_, ElementsAre("a1: 7", "b1: 7", "c1: 7", "a2: 7", "a3: 7", "a4: 7"));
}

TEST_F(MungeReaderTest, ASilentHelperIsKilledAndTheNextRequestGoesToANewHelper) {
  start("[ $credential = bad ] && exec sleep 1000; echo OK 7 17 " + kKey, milliseconds(300));
  ask("a", "bad");
  ASSERT_TRUE(answered(1));
  EXPECT_THAT(answers_, ElementsAre("bad: munged did not answer in time"));
  EXPECT_THAT(log_, Contains(HasSubstr("munged did not answer in time")));
  reader_->configure({home_ / "helper", "", milliseconds(20000), milliseconds(0)});
  ask("a", "good");
  ASSERT_TRUE(answered(2));
  EXPECT_EQ(answers_[1], "good: 7");
}

TEST_F(MungeReaderTest, AfterAFailureNobodyIsAskedForAWhile) {
  start("exec sleep 1000", milliseconds(300), milliseconds(1000000));
  ask("a", "1");
  ASSERT_TRUE(answered(1));
  ask("b", "2");
  ASSERT_TRUE(answered(2));
  EXPECT_THAT(answers_[1], HasSubstr("it is retried shortly"));
}

TEST_F(MungeReaderTest, RequestsBehindAHungHelperFailWithIt) {
  start("exec sleep 1000", milliseconds(300), milliseconds(1000000));
  for (const auto* text : {"1", "2", "3"}) ask("a", text);
  ASSERT_TRUE(answered(3));
  EXPECT_EQ(reader_->waiting(), 0U);
  EXPECT_EQ(log_.size(), 1U) << "one was asked, and the others did not wait behind it";
}

TEST_F(MungeReaderTest, AHelperThatEndsOrWritesRubbishVouchesForNobody) {
  start("[ $credential = end ] && exit; head -c 5000 /dev/zero | tr '\\0' x; echo");
  ask("a", "end");
  ASSERT_TRUE(answered(1));
  EXPECT_THAT(answers_[0], HasSubstr("the helper for munge ended"));
  ask("a", "rubbish");
  ASSERT_TRUE(answered(2));
  EXPECT_THAT(answers_[1], HasSubstr("the helper for munge"));
}

TEST_F(MungeReaderTest, AnIdleHelperThatWasKilledCostsNobodyAnAnswer) {
  start("echo OK $$ 17 " + kKey);
  ask("a", "1");
  ASSERT_TRUE(answered(1));
  const auto helper = std::stoi(answers_[0].substr(3));
  ASSERT_EQ(::kill(helper, SIGKILL), 0);
  ask("a", "2");
  ASSERT_TRUE(answered(2));
  EXPECT_THAT(answers_[1], MatchesRegex("2: [0-9]+"));
  EXPECT_NE(answers_[1], "2: " + std::to_string(helper));
  EXPECT_THAT(log_, ElementsAre(HasSubstr("it is restarted")));
}

TEST_F(MungeReaderTest, ARequestThatEndsItsHelperIsRetriedOnce) {
  start("echo x >>" + (home_ / "asked") + "; exit");
  ask("a", "1");
  ASSERT_TRUE(answered(1));
  EXPECT_THAT(answers_[0], HasSubstr("the helper for munge ended"));
  std::ifstream asked(home_ / "asked");
  EXPECT_EQ(std::count(std::istreambuf_iterator<char>(asked), {}, 'x'), 2);
}

TEST_F(MungeReaderTest, WithoutAHelperTheReasonIsSaid) {
  reader_ = std::make_unique<MungeReader>(io_, MungeReaderOptions{}, [](int, std::string_view) {});
  ask("a", "1");
  ASSERT_TRUE(answered(1));
  EXPECT_THAT(answers_[0], HasSubstr("not installed"));
}

TEST_F(MungeReaderTest, ItsEndEndsTheHelper) {
  start("exec sleep 1000");
  ask("a", "1");
  io_.poll();
  reader_.reset();
  EXPECT_TRUE(answers_.empty());
}

}  // namespace
}  // namespace maui
