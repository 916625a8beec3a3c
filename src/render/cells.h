// The cells of a table, made from the plain numbers of a reply.
#pragma once
#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "maui/replies/job.h"

namespace maui {

/// Grows by lines; each ends without trailing blanks.
class Lines {
 public:
  template <class... Args>
  void line(fmt::format_string<Args...> form, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Args>(args)...);
    end_line();
  }
  void end_line() {
    text_.erase(text_.find_last_not_of(' ') + 1);
    text_ += '\n';
  }
  void blank(std::size_t lines = 1) { text_.append(lines, '\n'); }
  /// Without an end of line.
  template <class... Args>
  void part(fmt::format_string<Args...> form, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Args>(args)...);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

/// A duration in seconds; -1 is INFINITY.
std::string length(std::int64_t seconds);
/// A moment as it lies ahead of `now` (or behind, with a minus); -1 is INFINITY.
std::string ahead(std::int64_t when, std::int64_t now);
/// "Sun Sep  9 01:59:40", with the year if asked for.
std::string date(std::int64_t when, bool year = false);
/// "2001-09-09T01:59:40"; "-" for none.
std::string moment(std::int64_t when);
/// The percentage of `part` in `whole`; 0 where the whole is 0.
double percent(double part, double whole);
/// The number of characters.
std::size_t characters(std::string_view text);
/// The first `count` characters.
std::string_view head(std::string_view text, std::size_t count);
/// "[compute][ib]", or "[NONE]".
std::string bracketed(const std::vector<std::string>& names);
/// "PROCS: 4  MEM: 1024M", or "[NONE]".
std::string amounts(const std::vector<ResourceAmount>& resources);
/// "R" for Running, "S" for Starting, "I" for Idle; "-" for nothing.
std::string_view letter(std::string_view state);
/// "-" for nothing.
std::string_view or_dash(std::string_view text);
/// Why a job waited, a line for each reason.
void wait_lines(Lines& out, const std::vector<WaitPeriod>& waits);
/// How a job ended: its exit code, or CNCLD where it was removed.
std::string completion_code(const CompletedRow& job);

}  // namespace maui
