// Formats the plain numbers of a reply as cells of a table.
#pragma once
#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "maui/replies/job.h"

namespace maui {

/// A text that is built line by line; lines have no trailing blanks.
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
  /// Appends text without ending the line.
  template <class... Args>
  void part(fmt::format_string<Args...> form, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Args>(args)...);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

/// Returns a duration in seconds as text; -1 is INFINITY.
std::string length(std::int64_t seconds);
/// Returns the time from `now` to `when` as text, negative if past; -1 is INFINITY.
std::string ahead(std::int64_t when, std::int64_t now);
/// Returns "Sun Sep  9 01:59:40", with the year on request.
std::string date(std::int64_t when, bool year = false);
/// Returns "2001-09-09T01:59:40"; "-" if there is no time.
std::string moment(std::int64_t when);
/// Returns the percentage of `part` in `whole`; 0 if `whole` is 0.
double percent(double part, double whole);
/// Returns the number of characters.
std::size_t characters(std::string_view text);
/// Returns the first `count` characters.
std::string_view head(std::string_view text, std::size_t count);
/// Returns "[compute][ib]", or "[NONE]".
std::string bracketed(const std::vector<std::string>& names);
/// Returns "PROCS: 4  MEM: 1024M", or "[NONE]".
std::string amounts(const std::vector<ResourceAmount>& resources);
/// Returns "R" for Running, "S" for Starting, "I" for Idle; "-" for an empty state.
std::string_view letter(std::string_view state);
/// Returns name and type in as many characters; a long type begins in the name's column.
std::string name_and_type(std::string_view name, std::string_view type, std::size_t width);
/// Returns the text, or "-" if it is empty.
std::string_view or_dash(std::string_view text);
/// Adds the reasons why a job waited, one per line.
void wait_lines(Lines& out, const std::vector<WaitPeriod>& waits);
/// Returns how a job ended: its exit code, or CNCLD if the job was removed.
std::string completion_code(const CompletedRow& job);

}  // namespace maui
