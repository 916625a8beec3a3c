// Signals reload, change the level of the log, and end the scheduler.
#include "daemon/control/signal_control.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <optional>

#include "daemon/awaited_signals.h"
#include "daemon/test_client.h"
#include "programs/spawn.h"

namespace maui {
namespace {

class SignalControlTest : public testing::Test {
 protected:
  void start() {
    control_.emplace(
        SignalControl::Surroundings{io_, log_, lines_, [this] { return has_terminal_; },
                                    [this] { ++clock_updates_; }, [this] { ++reloads_; }});
    control_->begin();
  }
  /// Sends the signal to this process, and waits until it has been handled.
  void receive(int number) {
    const int before = clock_updates_;
    ASSERT_EQ(std::raise(number), 0);
    ASSERT_TRUE(run_until(io_, [&] { return clock_updates_ > before; }));
  }

  boost::asio::io_context io_{1};
  Log log_{[] { return Time(1000000000); }};
  Lines lines_{log_, /*complete=*/false};
  std::optional<SignalControl> control_;
  bool has_terminal_ = false;
  int clock_updates_ = 0, reloads_ = 0;
};

TEST_F(SignalControlTest, AHangupReloads) {
  start();
  receive(SIGHUP);
  EXPECT_EQ(reloads_, 1);
  EXPECT_FALSE(control_->ending());
  receive(SIGHUP);
  EXPECT_EQ(reloads_, 2);
}

TEST_F(SignalControlTest, AHangupOfTheTerminalEnds) {
  has_terminal_ = true;
  start();
  receive(SIGHUP);
  EXPECT_EQ(reloads_, 1) << "the terminal is still there";
  has_terminal_ = false;
  receive(SIGHUP);
  EXPECT_EQ(reloads_, 1);
  EXPECT_TRUE(control_->ending());
}

TEST_F(SignalControlTest, UserSignalsChangeTheLevelOfTheLog) {
  start();
  const int level = log_.level();
  receive(SIGUSR1);
  receive(SIGUSR1);
  EXPECT_EQ(log_.level(), level + 2);
  receive(SIGUSR2);
  EXPECT_EQ(log_.level(), level + 1);
  EXPECT_FALSE(control_->ending());
}

TEST_F(SignalControlTest, TerminationAndInterruptEnd) {
  for (const int number : {SIGTERM, SIGINT}) {
    start();
    EXPECT_FALSE(control_->ending());
    receive(number);
    EXPECT_TRUE(control_->ending());
  }
}

TEST_F(SignalControlTest, ASignalThatCameTooEarlyIsHandledAtTheBeginning) {
  keep_signals_waiting();
  ASSERT_EQ(std::raise(SIGHUP), 0);
  start();
  EXPECT_TRUE(run_until(io_, [&] { return reloads_ == 1; }));
}

constexpr int kMeaningless[] = {SIGALRM, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSTKFLT};

TEST(MeaninglessSignals, EndTheProgramsOfTheSchedulerButNotItself) {
  const pid_t child = ::fork();
  if (child == 0) {
    ignore_meaningless_signals();
    for (const int number : kMeaningless) std::raise(number);
    std::raise(SIGRTMIN);
    std::raise(SIGRTMAX);
    const auto program = spawn("/bin/sh", {"-c", "kill -ALRM $$; exit 0"}, {}, Whose::ours);
    int status = 0;
    if (!program || ::waitpid(*program, &status, 0) != *program) ::_exit(1);
    ::_exit(WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? 0 : 2);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace maui
