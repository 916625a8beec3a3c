#include "daemon/clients/seen_messages.h"

#include <fmt/format.h>

#include <iterator>
#include <sstream>

#include "base/text.h"
#include "daemon/files/safe_file.h"

namespace maui {
namespace {

constexpr std::string_view kHeading = "maui messages seen since ";
constexpr std::size_t kSpare = 10'000;  // expired lines before the file is rewritten

void append_line(std::string& out, std::int64_t timestamp, std::uint64_t digest) {
  fmt::format_to(std::back_inserter(out), "{} {:016x}\n", timestamp, digest);
}

}  // namespace

Status SeenMessages::open(const std::string& path) {
  path_ = path;
  read();
  return rewrite();
}

void SeenMessages::read() {
  const auto text = read_plain_file(path_);
  if (!text) return;
  std::istringstream in(*text);
  std::string line;
  if (!std::getline(in, line) || !line.starts_with(kHeading)) return;
  const auto floor = parse_integer<std::int64_t>(std::string_view(line).substr(kHeading.size()));
  if (!floor) return;
  guard_.resume(*floor);
  while (std::getline(in, line) && !in.eof()) {  // an incomplete line was never admitted
    const auto parts = words(line);
    if (parts.size() != 2) continue;
    const auto timestamp = parse_integer<std::int64_t>(parts[0]);
    const auto digest = parse_integer<std::uint64_t>(parts[1], 16);
    if (timestamp && digest) guard_.restore(*timestamp, *digest);
  }
}

Status SeenMessages::rewrite() {
  std::string text = fmt::format("{}{}\n", kHeading, guard_.floor());
  for (const auto& [timestamp, digests] : guard_.seen())
    for (const auto digest : digests) append_line(text, timestamp, digest);
  file_.close();
  if (auto status = replace_file(path_, text, Durability::power_loss, kOwnerOnly); !status)
    return status;
  lines_ = guard_.size();
  unwritten_.clear();
  return file_.open(path_);
}

Status SeenMessages::admit(std::string_view checksum, std::int64_t timestamp, std::int64_t now) {
  if (auto status = guard_.admit(checksum, timestamp, now); !status) return status;
  if (path_.empty()) return Done{};
  append_line(unwritten_, timestamp, ReplayGuard::digest(checksum));
  ++lines_;
  if (lines_ > 2 * guard_.size() + kSpare && rewrite()) return Done{};
  if ((file_.is_open() || file_.open(path_)) && file_.append(unwritten_)) unwritten_.clear();
  return Done{};
}

}  // namespace maui
