#include "daemon/faults.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <sstream>

#include "daemon/temporary_directory.h"

namespace maui {
namespace {

class FaultsTest : public testing::Test {
 protected:
  /// Where a process of its own gets to that meets a fault: the status that waitpid() gives.
  int faulty(CrashMode mode, int signal, bool survived) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (const int fatal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
        std::signal(fatal, SIG_DFL);
      handle_faults({mode, home_ / "maui.log", {"--gtest_list_tests"}});
      if (survived) survived_iteration();
      std::raise(signal);
      ::_exit(3);
    }
    int status = 0;
    ::waitpid(child, &status, WUNTRACED);
    if (WIFSTOPPED(status)) {
      const int stopped = status;
      ::kill(child, SIGCONT);
      ::waitpid(child, &status, 0);
      EXPECT_TRUE(WIFSIGNALED(status)) << "it ends once it goes on";
      return stopped;
    }
    return status;
  }
  std::string logged() const {
    std::ostringstream text;
    text << std::ifstream(home_ / "maui.log").rdbuf();
    return text.str();
  }

  TemporaryDirectory home_;
  std::ofstream log_{home_ / "maui.log"};
};

TEST_F(FaultsTest, ItIsLoggedAndTheSignalDoesWhatItDoesByItself) {
  const int status = faulty(CrashMode::end, SIGBUS, true);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGBUS);
  EXPECT_EQ(logged(), "ALERT:    internal error: SIGBUS\n");
}

TEST_F(FaultsTest, RestartBeginsAnewFromTheCommandLine) {
  const int status = faulty(CrashMode::restart, SIGSEGV, true);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0) << "this program, asked for the list of its tests";
  EXPECT_EQ(logged(), "ALERT:    internal error: SIGSEGV\n");
}

TEST_F(FaultsTest, ASchedulerThatFailsBeforeItsFirstIterationIsNotRestarted) {
  const int status = faulty(CrashMode::restart, SIGABRT, false);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGABRT);
}

TEST_F(FaultsTest, StopWaitsForADebugger) {
  EXPECT_TRUE(WIFSTOPPED(faulty(CrashMode::stop, SIGFPE, true)));
}

}  // namespace
}  // namespace maui
