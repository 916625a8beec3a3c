#include "daemon/files/checkpoint_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <vector>

#include "base/fence.h"
#include "base/text.h"
#include "daemon/files/safe_file.h"
#include "maui/settings/server.h"
#include "proto/checksum.h"

namespace maui {
namespace {

// The first line says what the file is; the checksum covers all that follows.
constexpr std::string_view kTitle = "maui checkpoint, checksum ";
// The key is not secret: the checksum detects damage, not forgery by a user who may write the file.
constexpr std::string_view kNoSecret = "checkpoint";
// Far more than a million jobs take.
constexpr std::int64_t kLargest = std::int64_t{1} << 30;
// Comes before the number of a generation in the file's name.
constexpr std::string_view kGeneration = ".g";

Result<std::string> body_of(const std::string& text) {
  const auto line = text.find('\n');
  if (!text.starts_with(kTitle) || line == std::string::npos)
    return Error{"not a checkpoint of this scheduler"};
  std::string body = text.substr(line + 1);
  if (!same_checksum(text.substr(kTitle.size(), line - kTitle.size()), checksum(kNoSecret, body)))
    return Error{"it is damaged: the checksum in its first line does not match the rest"};
  return body;
}

/// True for dangling links, too, and if the path cannot be examined.
bool is_there(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::symlink_status(path, unknown).type() !=
         std::filesystem::file_type::not_found;
}

std::string aside_name(const std::string& path, int number) {
  return fmt::format("{}.unread.{}", path, number);
}

std::string free_aside_name(const std::string& path) {
  for (int i = 1;; ++i) {
    auto name = aside_name(path, i);
    if (std::error_code unknown; !std::filesystem::exists(name, unknown)) return name;
  }
}

void put_aside(const std::string& path, const CheckpointFile::Log& log) {
  const auto aside = free_aside_name(path);
  pass_fence();
  if (std::rename(path.c_str(), aside.c_str()) == 0)
    log(fmt::format("checkpoint '{}' was renamed to '{}'", path, aside));
  else
    log(fmt::format("ALERT: cannot rename checkpoint '{}': {}", path, std::strerror(errno)));
}

/// True for "Sched [NONE] 1796055288 <sched/>": a kind of record, a name, a time and a value. Every
/// file of release 3.3 begins with the scheduler's own records.
bool is_record_of_3_3(std::string_view line) {
  const auto parts = words(line.substr(0, line.find('<')));
  const bool of_scheduler =
      parts.size() == 3 && (same_word(parts[0], "SCHED") || same_word(parts[0], "SYS"));
  return of_scheduler && is_digits(parts[2]) && line.find('<') != line.npos;
}

std::string path_of(const std::string& name, std::int64_t generation) {
  return generation == 0 ? name : fmt::format("{}{}{}", name, kGeneration, generation);
}

/// Returns the generations that have a file or an .old file, newest first.
std::vector<std::int64_t> generations(const std::string& name) {
  const std::filesystem::path path = name;
  const auto parent = path.parent_path();
  const auto begin = path.filename().string() + std::string(kGeneration);
  std::vector<std::int64_t> found;
  std::error_code error;
  for (const auto& entry :
       std::filesystem::directory_iterator(parent.empty() ? "." : parent, error)) {
    const auto file = entry.path().filename().string();
    if (!file.starts_with(begin)) continue;
    auto rest = std::string_view(file).substr(begin.size());
    for (const auto end : {kOld, kStarts})
      if (rest.ends_with(end)) rest.remove_suffix(end.size());
    const auto number = parse_integer<std::int64_t>(rest);
    if (number && *number > 0) found.push_back(*number);
  }
  std::sort(found.begin(), found.end(), std::greater<>());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace

std::optional<std::string> checkpoint_left_behind(const std::string& path,
                                                  const std::string& home) {
  const auto any = [](const std::string& name) {
    const auto paths = CheckpointFile(name).all_paths({});
    return std::any_of(paths.begin(), paths.end(), [](const std::string& file) {
      return (is_there(file) && !is_checkpoint_of_3_3(file)) || is_there(file + std::string(kOld));
    });
  };
  const auto usual = (std::filesystem::path(home) / ServerSettings().checkpoint_file).string();
  if (any(path) || !any(usual)) return std::nullopt;
  return fmt::format(
      "CHECKPOINTFILE: there is no checkpoint '{}', but there is '{}': move it there, or set "
      "CHECKPOINTFILE back",
      path, usual);
}

bool is_checkpoint_of_3_3(const std::string& path) {
  const auto text = read_plain_file(path, kLargest);
  return text && is_record_of_3_3(std::string_view(*text).substr(0, text->find('\n')));
}

std::optional<std::string> set_aside_checkpoint_of_3_3(const std::string& path) {
  if (!is_checkpoint_of_3_3(path)) return std::nullopt;
  auto aside = path + ".3.3";
  for (int i = 1; is_there(aside); ++i) aside = fmt::format("{}.3.3.{}", path, i);
  pass_fence();
  if (std::rename(path.c_str(), aside.c_str()) != 0)
    return fmt::format("checkpoint '{}' is of release 3.3 and cannot be renamed: {}", path,
                       std::strerror(errno));
  // An earlier try of this scheduler may have left files, which are older than that.
  bool outdated = false;
  for (const auto end : {kOld, kStarts})
    outdated = std::rename((path + std::string(end)).c_str(),
                           fmt::format("{}.before{}", aside, end).c_str()) == 0 ||
               outdated;
  return fmt::format(
      "checkpoint '{}' is of release 3.3 and is not read: it was renamed to '{}'{}; holds, "
      "priorities and reservations must be set again",
      path, aside, outdated ? ", and so was what this scheduler had left before it" : "");
}

CheckpointFile::CheckpointFile(std::string path, std::int64_t generation)
    : name_(std::move(path)), generation_(generation), path_(path_of(name_, generation)) {}

std::int64_t CheckpointFile::newest_generation(const std::string& path) {
  const auto all = generations(path);
  return all.empty() ? 0 : all.front();
}

/// An error shows when the file is opened.
void CheckpointFile::make_directory() const {
  pass_fence();
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), ignored);
}

Status CheckpointFile::write(std::string text) {
  make_directory();
  auto sum = checksum(kNoSecret, text);
  text.insert(0, fmt::format("{}{}\n", kTitle, sum));
  last_size_ = text.size();
  auto written = replace_file(path_, text, Durability::power_loss, kOwnerOnly, /*keep_old=*/true);
  if (written) identity_ = {std::move(sum), std::move(identity_.last)};
  if (written && !std::exchange(older_removed_, true)) remove_older();
  return written;
}

/// Removes files of generations before the previous one.  Without a lease, no file of a generation
/// is newer than ours, so all of them are older.
void CheckpointFile::remove_older() const {
  std::vector<std::int64_t> older = generations(name_);
  older.push_back(0);
  std::erase_if(older, [&](std::int64_t generation) {
    return generation_ == 0 ? generation == 0 : generation >= generation_;
  });
  const std::size_t kept = generation_ == 0 ? 0 : 1;
  for (std::size_t i = kept; i < older.size(); ++i) {
    pass_fence();
    std::error_code ignored;  // a file left behind does no harm
    for (const auto end : kCheckpointEnds)
      std::filesystem::remove(path_of(name_, older[i]) + std::string(end), ignored);
  }
}

std::vector<std::string> CheckpointFile::all_paths(std::string_view end) const {
  auto all = generations(name_);
  all.push_back(0);
  std::vector<std::string> paths;
  for (const auto generation : all) paths.push_back(path_of(name_, generation) + std::string(end));
  return paths;
}

/// Returns the files that may be read, newest first.
std::vector<std::string> CheckpointFile::candidates() const {
  std::vector<std::string> paths;
  for (const std::string& path : all_paths({})) {
    paths.push_back(path);
    paths.push_back(path + std::string(kOld));
  }
  return paths;
}

Status CheckpointFile::make_room(std::size_t more) const {
  make_directory();
  return make_room_for(path_, last_size_ + more, kOwnerOnly);
}

CheckpointFile::Found CheckpointFile::read(const Reader& reader, const Log& log) {
  std::vector<std::string> unusable;
  const auto measured = [this, &reader](const std::string& text) {
    last_size_ = text.size();
    identity_ = {checksum(kNoSecret, text), {}};
    return reader(text);
  };
  const Found found = look(measured, log, unusable);
  const bool known = found == Found::used || found == Found::previous;
  if (!known) identity_ = {};
  if (known)
    for (const auto& other : unusable) put_aside(other, log);
  return found;
}

CheckpointFile::Found CheckpointFile::look(const Reader& reader, const Log& log) const {
  std::vector<std::string> unusable;
  return look(reader, log, unusable);
}

CheckpointFile::Found CheckpointFile::look(const Reader& reader, const Log& log,
                                           std::vector<std::string>& unusable) const {
  for (const std::string& path : candidates()) {
    if (!is_there(path)) continue;
    const auto text = read_plain_file(path, kLargest);
    const auto body = text ? body_of(*text) : text;
    const Status understood = body ? reader(*body) : Status(body.error());
    if (understood)
      return unusable.empty() && !path.ends_with(kOld) ? Found::used : Found::previous;
    log(fmt::format("ALERT: checkpoint '{}' is not used: {}", path, understood.error().what));
    unusable.push_back(path);
  }
  return unusable.empty() ? Found::none : Found::unusable;
}

std::optional<std::string> CheckpointFile::remains() const {
  std::vector<std::string> paths = all_paths(kStarts);
  for (const std::string& path : candidates()) paths.push_back(aside_name(path, 1));
  const auto at = std::find_if(paths.begin(), paths.end(), is_there);
  return at == paths.end() ? std::nullopt : std::optional(*at);
}

void CheckpointFile::set_aside(const Log& log) const {
  for (const std::string& path : candidates())
    if (is_there(path)) put_aside(path, log);
}

}  // namespace maui
