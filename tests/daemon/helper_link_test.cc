#include "daemon/programs/helper_link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "temporary_directory.h"

namespace maui {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

/// Helpers are scripts: they count how often they were started, and answer each request with the
/// reply that the test gives.
class HelperLinkTest : public testing::Test {
 protected:
  void helper(const std::string& rest) {
    const std::string path = directory_ / "helper";
    std::ofstream(path) << "#!/bin/bash\necho start >>" << starts() << "\n" << rest;
    ::chmod(path.c_str(), 0755);
    HelperOptions options;
    options.program = path;
    options.timeout = Seconds(30);
    options.pause = pause_;
    options.ready_again = [this] { ready_again_ = true; };
    options.log = [this](int, std::string_view text) { logged_ += std::string(text) + "\n"; };
    link_ = make_helper_link(io_, std::move(options));
  }
  std::string starts() const { return directory_ / "starts"; }
  long started() const {
    std::ifstream file(starts());
    return std::count(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>(), '\n');
  }
  /// The reply, or why there is none.
  std::string ask() {
    std::string result = "never answered";
    bool there = false, within = true;
    link_->ask({"GETJOBS", "0:ALL", {}}, [&](WikiAnswer answer) {
      EXPECT_FALSE(within) << "answered from within";
      result = answer.reply ? answer.reply->text : answer.reply.error().what;
      there = true;
    });
    within = false;
    io_.restart();
    while (!there && io_.run_one() > 0) {
    }
    return result;
  }

  TemporaryDirectory directory_;
  boost::asio::io_context io_;
  std::chrono::milliseconds pause_{1h};
  bool ready_again_ = false;
  std::string logged_;
  std::unique_ptr<WikiLink> link_;
};

// Reads the frame of "CMD=GETJOBS ARG=0:ALL" from its standard input and answers "SC=0 ARG=0#".
constexpr const char* kAnswerOne =
    "IFS= read -r -N 30 request || exit\n"
    "printf '00000011\\nSC=0 ARG=0#' >&0\n";

TEST_F(HelperLinkTest, AHelperIsStartedByTheFirstQuestionAndServesThemAll) {
  helper(std::string("while true; do\n") + kAnswerOne + "done\n");
  EXPECT_EQ(started(), 0);
  EXPECT_EQ(ask(), "0#");
  EXPECT_EQ(ask(), "0#");
  EXPECT_EQ(started(), 1);
}

TEST_F(HelperLinkTest, AQuestionAskedFromAnAnswerIsAskedOnce) {
  const std::string asked = directory_ / "asked";
  helper("while IFS= read -r -N 30 request; do\n  echo \"$request\" >>" + asked +
         "\n  printf '00000011\\nSC=0 ARG=0#' >&0\ndone\n");
  int answers = 0;
  std::function<void(WikiAnswer)> again = [&](WikiAnswer) {
    if (++answers < 3) link_->ask({"GETJOBS", "0:ALL", {}}, again);
  };
  link_->ask({"GETJOBS", "0:ALL", {}}, again);
  while (answers < 3 && io_.run_one_for(10s) > 0) {
  }
  EXPECT_EQ(ask(), "0#");
  std::ifstream file(asked);
  const std::string all((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_EQ(std::count(all.begin(), all.end(), 'C'), 4) << all;
}

TEST_F(HelperLinkTest, AHelperThatEndsFailsItsRequestAndIsNotRestartedAtOnce) {
  helper("IFS= read -r -N 30 request\nexit 1\n");
  EXPECT_THAT(ask(), HasSubstr("ended"));
  EXPECT_THAT(ask(), HasSubstr("restarted in"));
  EXPECT_EQ(started(), 1);
  EXPECT_THAT(logged_, HasSubstr("WARNING: the helper is killed"));
}

TEST_F(HelperLinkTest, AFailedHelperIsRestartedAfterThePause) {
  pause_ = 0ms;
  helper(std::string(kAnswerOne) + "exit 1\n");
  EXPECT_EQ(ask(), "0#");
  std::string second = ask();  // it may or may not have been seen to end by now
  if (second != "0#") second = ask();
  EXPECT_EQ(second, "0#");
  EXPECT_EQ(started(), 2);
}

TEST_F(HelperLinkTest, AHelperThatEndsBetweenTwoRequestsIsMissedAtOnce) {
  pause_ = 0ms;
  helper(std::string(kAnswerOne) + "exit 1\n");
  EXPECT_EQ(ask(), "0#");
  io_.restart();
  while (!ready_again_ && io_.run_one_for(60s) > 0) {
  }
  EXPECT_TRUE(ready_again_);
  EXPECT_THAT(logged_, HasSubstr("WARNING: the helper is killed"));
  EXPECT_EQ(ask(), "0#");
  EXPECT_EQ(started(), 2);
}

TEST_F(HelperLinkTest, AnUnsolicitedReplyIsInvalid) {
  pause_ = 0ms;
  helper(std::string(kAnswerOne) + "printf '00000011\\nSC=0 ARG=1#' >&0\nread -r\n");
  EXPECT_EQ(ask(), "0#");
  io_.restart();
  while (!ready_again_ && io_.run_one_for(60s) > 0) {
  }
  EXPECT_TRUE(ready_again_);
}

TEST_F(HelperLinkTest, RubbishIsAFailure) {
  helper("echo 'this is no frame' >&0\nread -r\n");
  EXPECT_THAT(ask(), testing::Not(HasSubstr("0#")));
  EXPECT_THAT(ask(), HasSubstr("restarted in"));
}

TEST_F(HelperLinkTest, StandardErrorIsLogged) {
  helper(std::string("echo 'slurm.conf is missing' >&2\n") + kAnswerOne + "read -r\n");
  EXPECT_EQ(ask(), "0#");
  for (int i = 0; i < 10 && logged_.find("missing") == std::string::npos; ++i) io_.run_one_for(1s);
  EXPECT_THAT(logged_, HasSubstr("the helper printed: slurm.conf is missing"));
}

TEST_F(HelperLinkTest, AMissingProgramIsReported) {
  HelperOptions options;
  options.program = directory_ / "nosuch";
  link_ = make_helper_link(io_, std::move(options));
  EXPECT_THAT(ask(), HasSubstr("nosuch"));
  EXPECT_FALSE(program_beside_this("nosuch"));
}

}  // namespace
}  // namespace maui
