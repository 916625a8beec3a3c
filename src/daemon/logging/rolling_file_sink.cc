#include "daemon/logging/rolling_file_sink.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/fence.h"
#include "base/same_file.h"

namespace maui {

namespace {

/// True if the file of this size does not end with the end of a line.
bool ends_within_line(const std::string& path, off_t size) {
  if (size == 0) return false;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return false;
  char last = '\n';
  [[maybe_unused]] const auto count = ::pread(file, &last, 1, size - 1);
  ::close(file);
  return last != '\n';
}

}  // namespace

RollingFileSink::RollingFileSink(std::string path, Loss loss)
    : path_(std::move(path)), loss_(std::move(loss)) {
  if (!open(false)) throw std::system_error(errno, std::generic_category());
}

RollingFileSink::~RollingFileSink() {
  write_out();
  close(file_);
}

void RollingFileSink::close(int file) {
  if (file >= 0) ::close(file);
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
  file_ = file;
  size_ = static_cast<std::size_t>(about.st_size);
  cut_ = ends_within_line(path_, about.st_size);
  return true;
}

bool RollingFileSink::in_place() const { return file_ >= 0 && is_at(file_, path_); }

/// False if the file has been removed: what is written there is lost, and fills the disk unseen.
bool RollingFileSink::has_name() const {
  struct stat about {};
  return file_ >= 0 && ::fstat(file_, &about) == 0 && about.st_nlink > 0;
}

Status RollingFileSink::reopen() {
  if (in_place()) return state_ = Done{};
  write_out();
  const int old = std::exchange(file_, -1);
  if (open(false)) {
    close(old);
    return state_ = Done{};
  }
  state_ = Error{std::strerror(errno)};
  file_ = old;  // better the old file than none
  if (!has_name()) {
    close(std::exchange(file_, -1));
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
  if (file_ < 0) return;
  constexpr std::size_t kMostBuffered = 4096;
  buffered_.append(line.data(), line.size());
  size_ += line.size();
  if (buffered_.size() >= kMostBuffered) write_out();
}

void RollingFileSink::write_out() {
  const std::string lines = std::exchange(buffered_, {});
  if (file_ < 0 || lines.empty()) return;
  const std::string before =
      (cut_ ? "\n" : "") + (lost_ > 0 ? loss_(lost_, why_lost_) : std::string());
  const std::string text = before + lines;
  const std::size_t written = write(text);
  if (written > 0) cut_ = text[written - 1] != '\n';
  if (written >= before.size()) lost_ = 0;
  const auto first_lost =
      text.begin() + static_cast<std::ptrdiff_t>(std::max(written, before.size()));
  lost_ += static_cast<std::size_t>(std::count(first_lost, text.end(), '\n'));
  size_ = size_ + written - std::min(size_ + written, lines.size());
}

/// Returns how many bytes the file took; if it did not take all, notes why.
std::size_t RollingFileSink::write(std::string_view text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const auto count = ::write(file_, text.data() + written, text.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      why_lost_ = std::strerror(errno);
      break;
    }
    written += static_cast<std::size_t>(count);
  }
  return written;
}

// Without a new file, the lines go on in the old file, which begins again if it has kept its name.
void RollingFileSink::roll() {
  write_out();
  const auto rolled = [&](int age) { return age == 0 ? path_ : fmt::format("{}.{}", path_, age); };
  std::error_code ignored;  // a failed rename must not stop the log
  for (int age = depth_; age > 0; --age)
    std::filesystem::rename(rolled(age - 1), rolled(age), ignored);
  const int old = std::exchange(file_, -1);
  if (open(true)) return close(old);
  file_ = old;
  size_ = 0;
  if (!in_place()) return;
  [[maybe_unused]] const int emptied = ::ftruncate(file_, 0);
  cut_ = false;
}

}  // namespace maui
