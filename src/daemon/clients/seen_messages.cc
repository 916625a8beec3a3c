#include "daemon/clients/seen_messages.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iterator>
#include <map>
#include <sstream>
#include <utility>

#include "base/text.h"
#include "daemon/files/safe_file.h"

namespace maui {
namespace {

constexpr std::string_view kHeading = "maui messages seen since ";
constexpr std::string_view kListening = "listening";  // a later floor
constexpr std::size_t kSpare = 10'000;                // expired lines before the file is rewritten

void append_line(std::string& out, std::int64_t timestamp, std::uint64_t digest) {
  fmt::format_to(std::back_inserter(out), "{} {:016x}\n", timestamp, digest);
}

}  // namespace

Result<bool> SeenMessages::open(const std::string& path, std::int64_t end) {
  path_ = path;
  const bool continued = read();
  if (!continued) guard_.begin_at(end);
  if (auto status = rewrite(); !status) return status.error();
  return continued;
}

/// True if the file is understood as a whole.
bool SeenMessages::read() {
  const auto text = read_plain_file(path_);
  if (!text) return false;
  std::istringstream in(*text);
  std::string line;
  if (!std::getline(in, line) || in.eof() || !line.starts_with(kHeading)) return false;
  const auto floor = parse_integer<std::int64_t>(std::string_view(line).substr(kHeading.size()));
  if (!floor || *floor >= kForever.raw()) return false;
  guard_.begin_at(*floor);
  std::map<std::int64_t, ReplayGuard::Digests> messages;
  bool understood = true;
  while (std::getline(in, line) && !in.eof()) {  // an incomplete line was never admitted
    const auto parts = words(line);
    const auto timestamp = parts.size() == 2 ? parse_integer<std::int64_t>(parts[0]) : std::nullopt;
    const auto digest = timestamp ? parse_integer<std::uint64_t>(parts[1], 16) : std::nullopt;
    if (!timestamp || *timestamp >= kForever.raw())
      understood = false;
    else if (parts[1] == kListening)
      guard_.begin_at(*timestamp);
    else if (digest)
      messages[*timestamp].push_back(*digest);
    else
      understood = false;
  }
  guard_.restore(messages);
  return understood;
}

Status SeenMessages::rewrite() {
  std::string text = fmt::format("{}{}\n", kHeading, guard_.floor());
  for (const auto& [timestamp, digests] : guard_.seen())
    for (const auto digest : digests) append_line(text, timestamp, digest);
  file_.close();
  if (auto status = replace_file(path_, text, Durability::power_loss, kOwnerOnly); !status)
    return status;
  lines_ = guard_.size();
  return file_.open(path_);
}

void SeenMessages::begin_at(std::int64_t begin) {
  guard_.begin_at(begin);
  if (!file_.is_open()) return;  // it is written when the file is
  if (file_.append(fmt::format("{} {}\n", begin, kListening)) && file_.sync()) return;
  [[maybe_unused]] const Status removed = drop(begin);  // if not, the next message tries again
}

/// Removes the file, since it lacks messages: without a file, the next scheduler accepts nothing
/// that was signed before its start, even if the clock is set back.
Status SeenMessages::drop(std::int64_t now) {
  constexpr std::int64_t kPause = 10;  // seconds
  file_.close();
  if ((::unlink(path_.c_str()) == 0 || errno == ENOENT) && sync_directory(path_)) {
    try_again_ = now + kPause;
    return Done{};
  }
  return Error{fmt::format("messages cannot be recorded in '{}', nor can it be removed: {}", path_,
                           std::strerror(errno))};
}

Freshness SeenMessages::admit(std::string_view checksum, std::int64_t timestamp, std::int64_t now) {
  const bool recorded = path_.empty() || file_.is_open();
  if (!recorded && timestamp > now)
    return {Freshness::Verdict::unknown,
            "it is signed in the future, and messages cannot be recorded at present"};
  auto freshness = guard_.admit(checksum, timestamp, now);
  if (!freshness.stored || path_.empty()) return freshness;
  const auto kept = recorded ? record(checksum, timestamp, now) : record_again(now);
  if (!kept && freshness) return {Freshness::Verdict::unknown, kept.error().what};
  return freshness;
}

/// Appends a message to the file.
Status SeenMessages::record(std::string_view checksum, std::int64_t timestamp, std::int64_t now) {
  ++lines_;
  if (lines_ > 2 * guard_.size() + kSpare && rewrite()) return Done{};
  std::string line;
  append_line(line, timestamp, ReplayGuard::digest(checksum));
  return file_.is_open() && file_.append(line) ? Status(Done{}) : drop(now);
}

/// Writes the file again that was removed, unless it is too early to try.
Status SeenMessages::record_again(std::int64_t now) {
  return now < try_again_ || rewrite() ? Status(Done{}) : drop(now);
}

}  // namespace maui
