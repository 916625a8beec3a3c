#include "daemon/logging/rolling_file_sink.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/fence.h"
#include "base/same_file.h"

namespace maui {

RollingFileSink::RollingFileSink(std::string path) : path_(std::move(path)) {
  if (!open(false)) throw std::system_error(errno, std::generic_category());
}

// Opens the file without following links, and not for programs started later.  A pipe is refused:
// its reader could keep the scheduler waiting.
bool RollingFileSink::open(bool anew) {
  const int file = ::open(
      path_.c_str(),
      O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (anew ? O_EXCL : 0),
      0666);
  if (file < 0) return false;
  struct stat about {};
  if (::fstat(file, &about) != 0 || S_ISFIFO(about.st_mode)) {
    ::close(file);
    errno = EINVAL;
    return false;
  }
  file_.reset(::fdopen(file, "a"));
  size_ = static_cast<std::size_t>(about.st_size);
  return file_ != nullptr;
}

bool RollingFileSink::in_place() const {
  return file_ != nullptr && is_at(::fileno(file_.get()), path_);
}

/// False if the file has been removed: what is written there is lost, and fills the disk unseen.
bool RollingFileSink::has_name() const {
  struct stat about {};
  return file_ != nullptr && ::fstat(::fileno(file_.get()), &about) == 0 && about.st_nlink > 0;
}

Status RollingFileSink::reopen() {
  if (in_place()) return state_ = Done{};
  auto old = std::move(file_);
  if (open(false)) return state_ = Done{};
  state_ = Error{std::strerror(errno)};
  file_ = std::move(old);  // better the old file than none
  if (!has_name()) {
    file_.reset();
    size_ = 0;
  }
  return state_;
}

void RollingFileSink::set_limits(std::size_t max_size, int depth) {
  max_size_ = max_size;
  depth_ = depth;
}

void RollingFileSink::sink_it_(const spdlog::details::log_msg& message) {
  pass_fence();
  spdlog::memory_buf_t line;
  formatter_->format(message, line);
  constexpr std::chrono::seconds kBetweenLooks{1};
  if (const auto now = std::chrono::steady_clock::now(); now - looked_ >= kBetweenLooks) {
    looked_ = now;
    [[maybe_unused]] const Status opened = reopen();
  }
  if (size_ > 0 && size_ + line.size() > max_size_) roll();
  if (file_ == nullptr) return;
  std::fwrite(line.data(), 1, line.size(), file_.get());
  size_ += line.size();
}

// Without a new file, the lines go on in the old file, which begins again if it has kept its name.
void RollingFileSink::roll() {
  const auto rolled = [&](int age) { return age == 0 ? path_ : fmt::format("{}.{}", path_, age); };
  std::error_code ignored;  // a failed rename must not stop the log
  for (int age = depth_; age > 0; --age)
    std::filesystem::rename(rolled(age - 1), rolled(age), ignored);
  auto old = std::move(file_);
  if (open(true)) return;
  file_ = std::move(old);
  size_ = 0;
  if (!in_place()) return;
  std::fflush(file_.get());
  [[maybe_unused]] const int emptied = ::ftruncate(::fileno(file_.get()), 0);
}

}  // namespace maui
