#include "daemon/files/end_mark.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <optional>
#include <thread>

#include "daemon/files/lock_holders.h"

namespace maui {
namespace {

// How long a start waits before it looks again.
constexpr std::chrono::milliseconds kBetweenLooks{50};

/// Returns nothing if there is no such directory.
std::optional<std::string> end_mark_of(const std::string& home) {
  struct stat about {};
  if (::stat(home.c_str(), &about) != 0) return std::nullopt;
  return fmt::format("maui-home-ends {}:{}", about.st_dev, about.st_ino);
}

}  // namespace

EndMark::~EndMark() {
  if (mark_ >= 0) ::close(mark_);
}

void EndMark::show() {
  if (mark_ >= 0) return;
  if (const auto name = end_mark_of(home_)) mark_ = ::memfd_create(name->c_str(), MFD_CLOEXEC);
}

void await_end(const std::string& home, std::chrono::milliseconds most,
               const std::function<void()>& waiting) {
  const auto mark = end_mark_of(home);
  if (!mark) return;
  const auto end = std::chrono::steady_clock::now() + most;
  for (bool said = false; find_marked({*mark}, -1);) {
    if (!std::exchange(said, true)) waiting();
    if (std::chrono::steady_clock::now() >= end) return;
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

}  // namespace maui
