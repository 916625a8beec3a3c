#include "daemon/files/request_journal.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "daemon/files/safe_file.h"
#include "proto/checksum.h"

namespace maui {
namespace {

constexpr std::string_view kJournalTitle = "maui starts since checkpoint ";
// The key is not secret: the checksum detects damage, not forgery.
constexpr std::string_view kJournalKey = "start";

std::string journal_title(const CheckpointFile::Identity& since) {
  return fmt::format("{}{} {}\n", kJournalTitle, since.last, since.before);
}

/// True if the requests below this title follow the checkpoint that was read.  If the newest
/// checkpoint is damaged, the one before it is read, and the requests since either count.
bool journal_follows(std::string_view title, const std::string& checkpoint) {
  return !checkpoint.empty() && title.find(checkpoint) != std::string_view::npos;
}

std::string journal_line(std::string_view job) {
  return fmt::format("{} {}\n", checksum(kJournalKey, job), job);
}

/// Returns the job of a line without its end; empty: the line is damaged.
std::string_view journal_job(std::string_view line) {
  if (line.size() <= kChecksumDigits || line[kChecksumDigits] != ' ') return {};
  const auto job = line.substr(kChecksumDigits + 1);
  return same_checksum(line.substr(0, kChecksumDigits), checksum(kJournalKey, job))
             ? job
             : std::string_view();
}

}  // namespace

std::vector<std::string> RequestJournal::read(const CheckpointFile& checkpoint, const Log& log) {
  since_ = checkpoint.identity();
  std::vector<std::string> jobs;
  // A newer generation's file has the requests of the generation before it, too.
  for (const std::string& path : checkpoint.all_paths(kStarts))
    if (read_file(path, log, jobs)) break;
  for (const std::string& job : jobs) lines_ += journal_line(job);
  return jobs;
}

/// Returns false if the file does not follow the checkpoint.
bool RequestJournal::read_file(const std::string& path, const Log& log,
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
  if (!rest.starts_with(kJournalTitle) || rest.find('\n') == rest.npos) {
    log(fmt::format(
        "ALERT: '{}' is not used: its first line is damaged: a job may be started again", path));
    return false;
  }
  if (!journal_follows(next(), since_.last)) return false;
  while (rest.find('\n') != rest.npos) {
    if (const auto job = journal_job(next()); !job.empty())
      jobs.emplace_back(job);
    else
      log(fmt::format("ALERT: a line of '{}' is damaged: a job may be started again", path));
  }
  // A last line without its end was being written when the scheduler ended: nobody was asked yet.
  return true;
}

Status RequestJournal::add(const CheckpointFile& checkpoint, const std::vector<std::string>& jobs) {
  if (since_ != checkpoint.identity()) {
    since_ = checkpoint.identity();
    lines_.clear();
    file_.close();
  }
  std::string added;
  for (const std::string& job : jobs) added += journal_line(job);
  lines_ += added;
  Status kept = write(checkpoint.path() + std::string(kStarts), added);
  if (!kept) file_.close();
  return kept;
}

/// Appends `added`; writes the whole file anew if it lacks other lines as well, or is gone.
Status RequestJournal::write(const std::string& path, std::string_view added) {
  if (file_.is_open() && file_.in_place()) {
    if (auto status = file_.append(added); !status) return status;
    return file_.sync();
  }
  if (auto status =
          replace_file(path, journal_title(since_) + lines_, Durability::power_loss, kOwnerOnly);
      !status)
    return status;
  return file_.open(path);
}

}  // namespace maui
