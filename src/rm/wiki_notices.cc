#include "rm/wiki_notices.h"

#include <algorithm>
#include <string>

#include "base/text.h"

namespace maui {
namespace {

constexpr std::size_t kMostWords = 200;

/// Replaces characters that have a meaning in a request or in the note that shows the text.
std::string plain(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](unsigned char c) { return c < ' ' || c == '"' || c == '|' || c == '\\'; }, '\'');
  return text.substr(0, kMostWords);
}

}  // namespace

WikiRequest notice_request(std::span<const JobNotice> notices, bool all) {
  WikiRequest request{"NOTEJOBS", all ? "ALL" : "CHANGED", {}};
  for (const JobNotice& notice : notices) {
    std::string value;
    if (!notice.held.empty())
      value = "held: " + plain(notice.held);
    else if (notice.start < kForever)
      value = std::to_string(notice.start.raw());
    request.options.emplace_back(notice.job, std::move(value));
  }
  return request;
}

WikiNotices read_notices(const WikiRequest& request) {
  constexpr std::string_view kHeld = "held: ";
  WikiNotices given;
  given.all = same_word(request.argument, "ALL");
  for (const auto& [name, value] : request.options) {
    JobNotice& notice = given.notices.emplace_back();
    notice.job = name;
    if (value.starts_with(kHeld))
      notice.held = value.substr(kHeld.size());
    else if (const auto start = parse_integer<std::int64_t>(value))
      notice.start = Time(*start);
  }
  return given;
}

}  // namespace maui
