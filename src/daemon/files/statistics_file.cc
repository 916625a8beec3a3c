#include "daemon/files/statistics_file.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <system_error>
#include <utility>

namespace maui {
namespace {

constexpr std::size_t kBuffer = 1u << 20;
constexpr std::size_t kLongRecord = 1u << 16;

std::tm local_time(Time when) {
  const auto seconds = static_cast<std::time_t>(when.raw());
  std::tm local{};
  ::localtime_r(&seconds, &local);
  return local;
}

}  // namespace

StatisticsFile::StatisticsFile(std::string directory, ServerMode mode, std::string header,
                               std::string kind)
    : directory_(std::move(directory)),
      mode_(mode),
      header_(std::move(header)),
      kind_(std::move(kind)) {
  if (!header_.empty() && header_.back() != '\n') header_ += '\n';
}

StatisticsFile::~StatisticsFile() {
  [[maybe_unused]] const Status flushed = flush();  // callers that need the result call flush()
}

Status StatisticsFile::move_to(std::string directory) {
  for (auto& [path, lines] : std::exchange(unwritten_, {}))
    unwritten_[directory + path.substr(directory_.size())] = std::move(lines);
  directory_ = std::move(directory);
  names_.reset();
  Status synced = file_.sync();
  file_.close();
  return synced;
}

std::string StatisticsFile::path(Time when) const { return directory_ + '/' + name(when); }

std::string StatisticsFile::name(Time when) const {
  if (mode_ == ServerMode::simulation) return kind_ + ".sim";
  return fmt::format("{}.{:%Y_%m_%d}", kind_, local_time(when));
}

/// Only the scheduler makes such files, so the directory is listed once.  Files that a site has
/// compressed have longer names.
const std::set<std::string>& StatisticsFile::names() {
  if (names_) return *names_;
  names_.emplace();
  const std::size_t length = name(Time(0)).size();
  std::error_code ignored;  // without a directory there are no files
  for (const auto& entry : std::filesystem::directory_iterator(directory_, ignored))
    if (auto known = entry.path().filename().string();
        known.starts_with(kind_ + '.') && known.size() == length)
      names_->insert(std::move(known));
  return *names_;
}

std::vector<std::string> StatisticsFile::paths_since(Time when) {
  std::vector<std::string> paths;
  const auto& all = names();
  for (auto at = all.lower_bound(name(when)); at != all.end(); ++at)
    paths.push_back(fmt::format("{}/{}", directory_, *at));
  return paths;
}

std::map<std::string, std::uint64_t> StatisticsFile::lengths_since(Time when) {
  std::map<std::string, std::uint64_t> lengths{{name(when), 0}};
  for (const auto& each : paths_since(when)) {
    const std::filesystem::path path = each;
    std::error_code missing;
    const auto length = std::filesystem::file_size(path, missing);
    if (!missing) lengths[path.filename().string()] = length;
  }
  return lengths;
}

std::string StatisticsFile::tails_since(Time when, std::size_t most) {
  std::string lines;
  for (const std::string& path : paths_since(when))
    if (LineFile file; file.open(path)) lines += file.tail(most);
  return lines;
}

Status StatisticsFile::add(std::string_view record, Time when) {
  const auto wanted = path(when);
  std::string& lines = unwritten_[wanted];
  const bool full = is_full(wanted, record.size());
  lines.reserve(kBuffer + kLongRecord);  // the record that fills the buffer belongs to it
  lines += record;
  lines += '\n';
  return full ? flush() : Done{};
}

bool StatisticsFile::writes_with(std::string_view record, Time when) const {
  return is_full(path(when), record.size());
}

/// True if lines are to be written as soon as there are so many more bytes for that file.
bool StatisticsFile::is_full(const std::string& path, std::size_t more) const {
  const auto known = unwritten_.find(path);
  const std::size_t before = known == unwritten_.end() ? 0 : known->second.size();
  return before + more >= kBuffer || path != file_.path();
}

Status StatisticsFile::flush() {
  while (!unwritten_.empty()) {
    const auto& [path, lines] = *unwritten_.begin();
    if (auto status = open(path); !status) return status;
    if (auto status = file_.append(lines); !status) return status;
    if (std::find(written_.begin(), written_.end(), path) == written_.end())
      written_.push_back(path);
    unwritten_.erase(unwritten_.begin());
  }
  return Done{};
}

std::size_t StatisticsFile::unwritten() const {
  std::size_t bytes = 0;
  for (const auto& [path, lines] : unwritten_) bytes += lines.size();
  return bytes;
}

Status StatisticsFile::open(const std::string& path) {
  if (file_.is_open() && path == file_.path() && file_.in_place()) return Done{};
  if (auto status = file_.sync(); !status) return status;
  if (auto status = file_.open(path); !status) return status;
  if (names_) names_->insert(std::filesystem::path(path).filename().string());
  return file_.empty() && !header_.empty() ? file_.append(header_) : Done{};
}

}  // namespace maui
