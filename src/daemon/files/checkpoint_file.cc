#include "daemon/files/checkpoint_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <vector>

#include "daemon/files/safe_file.h"
#include "proto/checksum.h"

namespace maui {
namespace {

// The first line says what the file is; the checksum covers all that follows.
constexpr std::string_view kTitle = "maui checkpoint, checksum ";
// Nobody keeps a file like this from being forged who may write to it: damage is what it shows.
constexpr std::string_view kNoSecret = "checkpoint";

Result<std::string> body_of(const std::string& text) {
  const auto line = text.find('\n');
  if (!text.starts_with(kTitle) || line == std::string::npos)
    return Error{"it is no checkpoint of this scheduler (those of release 3.3 are not read)"};
  std::string body = text.substr(line + 1);
  if (!same_checksum(text.substr(kTitle.size(), line - kTitle.size()), checksum(kNoSecret, body)))
    return Error{"it is damaged: the checksum in its first line is not that of the rest"};
  return body;
}

/// A link that leads nowhere is there, too, and what cannot be looked at may be.
bool is_there(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::symlink_status(path, unknown).type() !=
         std::filesystem::file_type::not_found;
}

std::string aside_name(const std::string& path) {
  for (int i = 1;; ++i) {
    auto name = fmt::format("{}.unread.{}", path, i);
    if (std::error_code unknown; !std::filesystem::exists(name, unknown)) return name;
  }
}

void put_aside(const std::string& path, const CheckpointFile::Tell& tell) {
  const auto aside = aside_name(path);
  if (std::rename(path.c_str(), aside.c_str()) == 0)
    tell(fmt::format("checkpoint '{}' was renamed to '{}'", path, aside));
  else
    tell(fmt::format("ALERT: cannot rename checkpoint '{}': {}", path, std::strerror(errno)));
}

}  // namespace

Status CheckpointFile::write(std::string_view text) {
  const auto all = fmt::format("{}{}\n{}", kTitle, checksum(kNoSecret, text), text);
  last_size_ = all.size();
  return replace_file(path_, all, Durability::power_loss, kOwnerOnly, /*keep_old=*/true);
}

Status CheckpointFile::make_room(std::size_t more) const {
  return make_room_for(path_, last_size_ + more, kOwnerOnly);
}

CheckpointFile::Found CheckpointFile::read(const Reader& reader, const Tell& tell) const {
  std::vector<std::string> unusable;
  for (const std::string& path : {path_, old_path()}) {
    if (!is_there(path)) continue;
    const auto text = read_plain_file(path);
    const auto body = text ? body_of(*text) : text;
    const Status understood = body ? reader(*body) : Status(body.error());
    if (understood) {
      for (const auto& other : unusable) put_aside(other, tell);
      return Found::used;
    }
    tell(fmt::format("ALERT: checkpoint '{}' is not used: {}", path, understood.error().what));
    unusable.push_back(path);
  }
  return unusable.empty() ? Found::none : Found::unusable;
}

void CheckpointFile::set_aside(const Tell& tell) const {
  for (const std::string& path : {path_, old_path()})
    if (is_there(path)) put_aside(path, tell);
}

}  // namespace maui
