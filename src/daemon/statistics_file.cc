#include "daemon/statistics_file.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>

namespace maui {
namespace {

constexpr std::size_t kBuffer = 1u << 20;

std::tm local_time(Time when) {
  const auto seconds = static_cast<std::time_t>(when.raw());
  std::tm local{};
  ::localtime_r(&seconds, &local);
  return local;
}

}  // namespace

StatisticsFile::StatisticsFile(std::string directory, ServerMode mode, std::string header)
    : directory_(std::move(directory)), mode_(mode), header_(std::move(header)) {
  if (!header_.empty() && header_.back() != '\n') header_ += '\n';
}

StatisticsFile::~StatisticsFile() = default;

std::string StatisticsFile::path(Time when) const {
  if (mode_ == ServerMode::simulation) return directory_ + "/stats.sim";
  return fmt::format("{}/stats.{:%Y_%m_%d}", directory_, local_time(when));
}

Status StatisticsFile::prepare(Time when) {
  if (file_ != nullptr && when >= day_begins_ && when < day_ends_) return Done{};
  auto wanted = path(when);
  if (file_ == nullptr || wanted != open_path_)
    if (auto status = open(wanted); !status) return status;
  std::tm day = local_time(when);
  const Seconds into(day.tm_hour * 3600 + day.tm_min * 60 + day.tm_sec);
  day_begins_ = when - into;
  // On the day the clocks change, the shorter length only makes it look again.
  day_ends_ = day_begins_ + Seconds(23 * 3600);
  if (day_ends_ <= when) day_ends_ = when + Seconds(1);
  return Done{};
}

Status StatisticsFile::add(std::string_view record, Time when) {
  if (auto status = prepare(when); !status) return status;
  if (std::fwrite(record.data(), 1, record.size(), file_.get()) != record.size() ||
      std::fputc('\n', file_.get()) == EOF)
    return failure("write to");
  return Done{};
}

Status StatisticsFile::flush() {
  if (file_ != nullptr && std::fflush(file_.get()) != 0) return failure("write to");
  return Done{};
}

Status StatisticsFile::open(const std::string& wanted) {
  file_.reset();
  open_path_ = wanted;
  std::error_code ignored;  // what is wrong with the directory shows when the file is opened
  std::filesystem::create_directories(directory_, ignored);
  file_.reset(std::fopen(wanted.c_str(), "ae"));
  if (file_ == nullptr) return failure("open");
  std::setvbuf(file_.get(), nullptr, _IOFBF, kBuffer);
  if (std::fseek(file_.get(), 0, SEEK_END) == 0 && std::ftell(file_.get()) == 0 &&
      std::fwrite(header_.data(), 1, header_.size(), file_.get()) != header_.size())
    return failure("write to");
  return Done{};
}

Status StatisticsFile::failure(std::string_view what) const {
  return Error{fmt::format("cannot {} the statistics file '{}': {}", what, open_path_,
                           std::strerror(errno))};
}

}  // namespace maui
