#include "compare/processes.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <exception>
#include <new>
#include <thread>
#include <utility>

namespace maui::compare {
namespace {

constexpr timespec kBetweenLooks{0, 200'000'000};

volatile std::sig_atomic_t interrupted = 0;
void note_interruption(int) { interrupted = 1; }

/// The progress of a task: written by its process, read by the parent.
struct Slot {
  std::atomic<std::int64_t> jobs{0}, ended{0}, now{0};
};

class SharedSlots {
 public:
  explicit SharedSlots(std::size_t count) : size_(std::max<std::size_t>(1, count) * sizeof(Slot)) {
    void* const at =
        ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
    slots_ = static_cast<Slot*>(at);
    for (std::size_t i = 0; i < count; ++i) new (slots_ + i) Slot();
  }
  ~SharedSlots() { ::munmap(slots_, size_); }
  SharedSlots(const SharedSlots&) = delete;
  SharedSlots& operator=(const SharedSlots&) = delete;
  Slot& operator[](std::size_t index) { return slots_[index]; }

 private:
  std::size_t size_;
  Slot* slots_ = nullptr;
};

/// An unnamed file.
class Parcel {
 public:
  Parcel() : file_(::memfd_create("outcome", MFD_CLOEXEC)) {}
  ~Parcel() {
    if (file_ >= 0) ::close(file_);
  }
  Parcel(Parcel&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  Parcel& operator=(Parcel&&) = delete;
  bool open() const { return file_ >= 0; }

  bool write(std::string_view text) const {
    while (!text.empty()) {
      const auto wrote = ::write(file_, text.data(), text.size());
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(wrote));
    }
    return true;
  }
  Result<std::string> read() const {
    const auto size = ::lseek(file_, 0, SEEK_END);
    std::string text(static_cast<std::size_t>(std::max<off_t>(size, 0)), '\0');
    std::size_t at = 0;
    while (at < text.size()) {
      const auto got = ::pread(file_, text.data() + at, text.size() - at, static_cast<off_t>(at));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return Error{"cannot read the result of a process"};
      at += static_cast<std::size_t>(got);
    }
    return text;
  }

 private:
  int file_;
};

[[noreturn]] void work(const Task& task, Slot& slot, const Parcel& parcel) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // its result has no other reader
  const auto report_progress = [&slot](const Progress& progress) {
    slot.jobs = progress.jobs;
    slot.ended = progress.ended;
    slot.now = progress.now.raw();
    return interrupted == 0;
  };
  int status = 1;
  try {
    status = parcel.write(task(report_progress)) ? 0 : 1;
  } catch (const std::bad_alloc&) {
    status = 2;
  }
  ::_exit(status);
}

std::string ending(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("its process was killed by signal {} ({})", WTERMSIG(status),
                       ::strsignal(WTERMSIG(status)));
  if (WEXITSTATUS(status) == 2) return "there is not enough memory";
  return fmt::format("its process exited with status {}", WEXITSTATUS(status));
}

/// While it exists, SIGINT and SIGTERM are recorded, and wait() waits for SIGCHLD.
class Signals {
 public:
  Signals() {
    struct sigaction action {};
    action.sa_handler = note_interruption;
    ::sigaction(SIGINT, &action, &old_int_);
    ::sigaction(SIGTERM, &action, &old_term_);
    ::sigemptyset(&child_);
    ::sigaddset(&child_, SIGCHLD);
    ::sigprocmask(SIG_BLOCK, &child_, &old_mask_);
  }
  ~Signals() {
    ::sigprocmask(SIG_SETMASK, &old_mask_, nullptr);
    ::sigaction(SIGINT, &old_int_, nullptr);
    ::sigaction(SIGTERM, &old_term_, nullptr);
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  void wait() const { ::sigtimedwait(&child_, nullptr, &kBetweenLooks); }

 private:
  struct sigaction old_int_ {
  }, old_term_{};
  sigset_t child_{}, old_mask_{};
};

class Pool {
 public:
  Pool(std::span<const Task> tasks, const PoolOptions& options)
      : tasks_(tasks), options_(options), slots_(tasks.size()) {
    for (std::size_t i = 0; i < tasks.size(); ++i) results_.emplace_back(Error{"not run"});
  }

  std::vector<Result<std::string>> run() {
    const auto most = static_cast<std::size_t>(
        options_.processes > 0
            ? options_.processes
            : static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
    std::size_t next = 0;
    while (next < tasks_.size() || !running_.empty()) {
      while (next < tasks_.size() && running_.size() < most) begin(next++);
      if (interrupted != 0) pass_on();
      signals_.wait();
      collect();
      watch();
    }
    return std::move(results_);
  }

 private:
  struct Child {
    pid_t id;
    std::size_t task;
    Parcel parcel;
  };

  void begin(std::size_t task) {
    if (interrupted != 0) {
      results_[task] = Error{"it was interrupted before it began"};
      return;
    }
    Parcel parcel;
    const pid_t id = parcel.open() ? ::fork() : -1;
    if (id == 0) work(tasks_[task], slots_[task], parcel);
    if (id < 0)
      results_[task] = Error{fmt::format("cannot create a process: {}", std::strerror(errno))};
    else
      running_.push_back({id, task, std::move(parcel)});
  }
  /// Passes on an interruption once, as the signal may have been sent to this process only.
  void pass_on() {
    if (std::exchange(passed_on_, true)) return;
    for (const Child& child : running_) ::kill(child.id, SIGTERM);
  }
  void collect() {
    std::vector<Child> left;
    for (Child& child : running_) {
      int status = 0;
      if (::waitpid(child.id, &status, WNOHANG) != child.id)
        left.push_back(std::move(child));
      else if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        results_[child.task] = child.parcel.read();
      else
        results_[child.task] = Error{ending(status)};
    }
    running_.swap(left);
  }
  void watch() {
    if (!options_.watch) return;
    std::vector<Progress> all;
    for (std::size_t i = 0; i < tasks_.size(); ++i)
      all.push_back({slots_[i].jobs, slots_[i].ended, Time(slots_[i].now)});
    options_.watch(all);
  }

  std::span<const Task> tasks_;
  const PoolOptions& options_;
  SharedSlots slots_;
  Signals signals_;
  std::vector<Child> running_;
  std::vector<Result<std::string>> results_;
  bool passed_on_ = false;
};

}  // namespace

std::vector<Result<std::string>> run_in_processes(std::span<const Task> tasks,
                                                  const PoolOptions& options) {
  return Pool(tasks, options).run();
}

bool was_interrupted() { return interrupted != 0; }

}  // namespace maui::compare
