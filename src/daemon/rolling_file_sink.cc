#include "daemon/rolling_file_sink.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

namespace maui {

RollingFileSink::RollingFileSink(std::string path) : path_(std::move(path)) {
  file_.open(path_);
  size_ = file_.size();
}

void RollingFileSink::set_limits(std::size_t max_size, int depth) {
  max_size_ = max_size;
  depth_ = depth;
}

void RollingFileSink::sink_it_(const spdlog::details::log_msg& message) {
  spdlog::memory_buf_t line;
  formatter_->format(message, line);
  if (size_ > 0 && size_ + line.size() > max_size_) roll();
  file_.write(line);
  size_ += line.size();
}

void RollingFileSink::roll() {
  const auto rolled = [&](int age) { return age == 0 ? path_ : fmt::format("{}.{}", path_, age); };
  file_.close();
  std::error_code ignored;  // one that cannot be renamed must not keep the log from going on
  for (int age = depth_; age > 0; --age)
    std::filesystem::rename(rolled(age - 1), rolled(age), ignored);
  file_.open(path_, /*truncate=*/true);
  size_ = 0;
}

}  // namespace maui
