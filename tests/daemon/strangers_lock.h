// A process of user nobody that holds the lock of a directory, in the ways that a stranger has.
#pragma once
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <string>

namespace maui {

class StrangersLock {
 public:
  enum class Way {
    itself,
    child,          // whoever took the lock has ended; a child keeps it
    set_user_id,    // the process runs a program of root's, as su is
    standard_input  // of a process that is root's in every way, as a program run by sudo
  };
  explicit StrangersLock(const std::filesystem::path& directory, Way way = Way::itself) {
    EXPECT_EQ(::pipe2(ready_.data(), O_CLOEXEC), 0);
    EXPECT_EQ(::pipe2(done_.data(), O_CLOEXEC), 0);
    process_ = ::fork();
    if (process_ == 0) hold(directory, way);
    if (way == Way::child) ::waitpid(process_, nullptr, 0);
    char locked = 0;
    EXPECT_EQ(::read(ready_[0], &locked, 1), 1);
    EXPECT_EQ(locked, 'y');
    if (way == Way::child) process_ = -1;
  }
  ~StrangersLock() { leave(); }
  StrangersLock(const StrangersLock&) = delete;
  StrangersLock& operator=(const StrangersLock&) = delete;

  pid_t process() const { return process_; }
  void leave() {
    if (done_[1] < 0) return;
    ::close(done_[1]);
    ::close(ready_[1]);
    char none = 0;
    [[maybe_unused]] const auto size = ::read(ready_[0], &none, 1);  // until the last one has ended
    for (const int end : {ready_[0], done_[0]}) ::close(end);
    done_[1] = -1;
    if (process_ > 0) ::waitpid(process_, nullptr, 0);
  }

 private:
  static constexpr uid_t kNobody = 65534;

  [[noreturn]] void hold(const std::filesystem::path& directory, Way way) {
    char end = 0;
    ::close(done_[1]);
    ::close(ready_[0]);
    const int file = ::open(directory.c_str(), O_RDONLY);
    bool locked = ::flock(file, LOCK_EX | LOCK_NB) == 0;
    if (way == Way::itself || way == Way::child) locked &= ::setuid(kNobody) == 0;
    if (way == Way::set_user_id) locked &= ::setresuid(kNobody, 0, 0) == 0;
    if (way == Way::standard_input) {
      ::dup2(file, STDIN_FILENO);
      ::close(file);
    }
    if (way == Way::child && ::fork() != 0) ::_exit(0);
    [[maybe_unused]] auto size = ::write(ready_[1], locked ? "y" : "n", 1);
    size = ::read(done_[0], &end, 1);
    ::_exit(0);
  }
  std::array<int, 2> ready_{}, done_{};
  pid_t process_ = -1;
};

}  // namespace maui
