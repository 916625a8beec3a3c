// The files that others find the scheduler by stay in their place, and a home that was replaced is
// noticed.
#include "daemon/files/home_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "daemon/temporary_directory.h"

namespace maui {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;
using testing::HasSubstr;
using testing::Not;

class HomeWatchTest : public testing::Test {
 protected:
  void start(bool shared = false, bool simulation = false) {
    std::filesystem::create_directory(home_);
    std::filesystem::permissions(home_, std::filesystem::perms(0755));
    auto lock = LockFile::take(lock_file_);
    ASSERT_TRUE(lock) << lock.error().what;
    lock_.emplace(*std::move(lock));
    LogSettings settings;
    settings.directory = "";
    ASSERT_TRUE(log_.open(settings, logs_.path()));
    watch_.emplace(HomeWatch::Surroundings{io_, home_, shared, simulation, *lock_, log_, lines_,
                                           [this] { ++sockets_; }, [this] { ++begun_anew_; }});
  }
  void replace_home() {
    std::filesystem::rename(home_, home_ + ".old");
    std::filesystem::create_directory(home_);
  }
  bool others_may_list() const {
    struct stat found {};
    EXPECT_EQ(::stat(home_.c_str(), &found), 0);
    return (found.st_mode & S_IROTH) != 0;
  }
  std::string log() {
    log_.flush();
    std::ifstream in(log_.path());
    return {std::istreambuf_iterator<char>(in), {}};
  }

  TemporaryDirectory above_, logs_;
  const std::string home_ = above_ / "home", lock_file_ = home_ + "/maui.pid";
  const steady_clock::time_point now_ = steady_clock::now();
  boost::asio::io_context io_{1};
  Log log_{[] { return Time(1000000000); }};
  Lines lines_{log_, /*complete=*/false};
  std::optional<LockFile> lock_;
  std::optional<HomeWatch> watch_;
  int sockets_ = 0, begun_anew_ = 0;
};

TEST_F(HomeWatchTest, LostFilesAreMadeAgain) {
  start();
  std::filesystem::remove(lock_file_);
  std::filesystem::remove(log_.path());
  watch_->look(now_);
  EXPECT_TRUE(std::filesystem::exists(lock_file_));
  EXPECT_EQ(sockets_, 1);
  EXPECT_THAT(log(), HasSubstr("was missing, and has been made again"));
  EXPECT_EQ(begun_anew_, 0);
}

TEST_F(HomeWatchTest, LooksEveryFiveSeconds) {
  start();
  watch_->look(now_);
  watch_->look(now_ + seconds(4));
  EXPECT_EQ(sockets_, 1);
  watch_->look(now_ + seconds(5));
  EXPECT_EQ(sockets_, 2);
}

TEST_F(HomeWatchTest, TheLoopIsResumedForTheNextLook) {
  start();
  watch_->look(now_ - seconds(10));
  EXPECT_EQ(io_.run_one_for(seconds(10)), 1U);
}

TEST_F(HomeWatchTest, BeginsAnewInADirectoryThatHasReplacedTheHome) {
  start();
  replace_home();
  watch_->look(now_);
  EXPECT_EQ(begun_anew_, 1);
  EXPECT_THAT(log(), HasSubstr("has been replaced by another"));
  EXPECT_FALSE(std::filesystem::exists(lock_file_)) << "it may be another scheduler's home";
  EXPECT_EQ(sockets_, 0);
}

TEST_F(HomeWatchTest, ASimulationGoesOnWhereItsHomeWasReplaced) {
  start(/*shared=*/false, /*simulation=*/true);
  replace_home();
  watch_->look(now_);
  EXPECT_EQ(begun_anew_, 0);
  EXPECT_EQ(sockets_, 1);
}

TEST_F(HomeWatchTest, OthersMayNoLongerListTheHome) {
  start();
  watch_->close_to_others();
  EXPECT_FALSE(others_may_list());
  EXPECT_THAT(log(), HasSubstr("others may no longer read the directory"));
}

TEST_F(HomeWatchTest, OthersMayListASharedHomeAndThatOfASimulation) {
  start(/*shared=*/true);
  watch_->close_to_others();
  EXPECT_TRUE(others_may_list());
  EXPECT_THAT(log(), Not(HasSubstr("WARNING")));
  lock_.reset();
  start(/*shared=*/false, /*simulation=*/true);
  watch_->close_to_others();
  EXPECT_TRUE(others_may_list());
}

}  // namespace
}  // namespace maui
