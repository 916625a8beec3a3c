#include "replay/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "base/date.h"
#include "base/duration.h"

namespace maui {
namespace {

constexpr std::chrono::milliseconds kBetween{250};

/// Returns the number of characters in a line of the terminal.
std::size_t terminal_width() {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? size.ws_col - 1U : 79U;
}

}  // namespace

std::string progress_text(const Progress& progress, std::chrono::duration<double> since_begin) {
  const auto whole = static_cast<double>(std::max<std::int64_t>(1, progress.jobs));
  const auto ended = static_cast<double>(progress.ended);
  std::string text = fmt::format("{:.0f} %", std::floor(100 * std::min(1.0, ended / whole)));
  if (progress.now > Time(0)) {
    const auto date = format_date(progress.now, true);  // "Sun Sep  9 01:59:40 2001"
    text += fmt::format("  {}{}", date.substr(0, 10), date.substr(19));
  }
  text += fmt::format("  {} of {} jobs", progress.ended, progress.jobs);
  if (since_begin.count() <= 0 || progress.ended == 0) return text;
  const double rate = ended / since_begin.count();
  text += rate >= 10 ? fmt::format("  {:.0f} jobs/s", rate) : fmt::format("  {:.1f} jobs/s", rate);
  const double left = std::max(0.0, whole - ended) / rate;
  if (left < 60) return text + fmt::format("  {:.0f} s left", std::ceil(left));
  return text + fmt::format("  {} left", format_duration(Seconds(std::llround(left))));
}

ProgressLine::ProgressLine() : terminal_(::isatty(STDERR_FILENO) == 1) {}

bool ProgressLine::due() {
  if (!terminal_) return false;
  const auto now = Clock::now();
  if (now < due_) return false;
  due_ = now + kBetween;
  return true;
}

void ProgressLine::show(const Progress& progress) {
  auto text = progress_text(progress, Clock::now() - begin_);
  text.resize(std::min(text.size(), terminal_width()));
  std::fprintf(stderr, "\r%s\033[K", text.c_str());
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::clear() {
  if (!std::exchange(shown_, false)) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
}

}  // namespace maui
