#include "daemon/files/start_journal.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "daemon/files/safe_file.h"
#include "proto/checksum.h"

namespace maui {
namespace {

constexpr std::string_view kStartsTitle = "maui starts since checkpoint ";
// The key is not secret: the checksum detects damage, not forgery.
constexpr std::string_view kStartsKey = "start";

std::string starts_title(const CheckpointFile::Identity& since) {
  return fmt::format("{}{} {}\n", kStartsTitle, since.last, since.before);
}

/// True if the starts follow the checkpoint that was read.  If the newest checkpoint is damaged,
/// the one before it is read, and the starts since either count.
bool starts_follow(std::string_view first, const std::string& checkpoint) {
  return first.starts_with(kStartsTitle) && !checkpoint.empty() &&
         first.find(checkpoint) != std::string_view::npos;
}

std::string start_line(std::string_view job) {
  return fmt::format("{} {}\n", checksum(kStartsKey, job), job);
}

/// Returns the job of a line without its end; empty: the line is damaged.
std::string_view started_job(std::string_view line) {
  if (line.size() <= kChecksumDigits || line[kChecksumDigits] != ' ') return {};
  const auto job = line.substr(kChecksumDigits + 1);
  return same_checksum(line.substr(0, kChecksumDigits), checksum(kStartsKey, job))
             ? job
             : std::string_view();
}

}  // namespace

std::vector<std::string> StartJournal::read(const CheckpointFile& checkpoint, const Log& log) {
  since_ = checkpoint.identity();
  std::vector<std::string> jobs;
  // A newer generation's file has the starts of the generation before it, too.
  for (const std::string& path : checkpoint.all_paths(kStarts))
    if (read_file(path, log, jobs)) break;
  for (const std::string& job : jobs) lines_ += start_line(job);
  return jobs;
}

/// Returns false if the file does not follow the checkpoint.
bool StartJournal::read_file(const std::string& path, const Log& log,
                             std::vector<std::string>& jobs) {
  if (std::error_code unknown; std::filesystem::symlink_status(path, unknown).type() ==
                               std::filesystem::file_type::not_found)
    return false;
  const auto text = read_plain_file(path);
  if (!text) {
    log(fmt::format("ALERT: '{}' is not used: {}", path, text.error().what));
    return false;
  }
  std::string_view rest = *text;
  const auto next = [&rest] {
    const auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    return line;
  };
  if (rest.find('\n') == rest.npos || !starts_follow(next(), since_.last)) return false;
  while (rest.find('\n') != rest.npos) {
    if (const auto job = started_job(next()); !job.empty())
      jobs.emplace_back(job);
    else
      log(fmt::format("ALERT: a line of '{}' is damaged: a job may be started again", path));
  }
  // A last line without its end was being written when the scheduler ended: nobody was asked yet.
  return true;
}

Status StartJournal::add(const CheckpointFile& checkpoint, const std::vector<std::string>& jobs) {
  if (since_ != checkpoint.identity()) {
    since_ = checkpoint.identity();
    lines_.clear();
    file_.close();
  }
  std::string added;
  for (const std::string& job : jobs) added += start_line(job);
  lines_ += added;
  Status kept = write(checkpoint.path() + std::string(kStarts), added);
  if (!kept) file_.close();
  return kept;
}

/// Appends `added`; writes the whole file anew if it lacks other lines as well.
Status StartJournal::write(const std::string& path, std::string_view added) {
  if (file_.is_open()) {
    if (auto status = file_.append(added); !status) return status;
    return file_.sync();
  }
  if (auto status =
          replace_file(path, starts_title(since_) + lines_, Durability::power_loss, kOwnerOnly);
      !status)
    return status;
  return file_.open(path);
}

}  // namespace maui
