#include "daemon/rolling_file_sink.h"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

namespace maui {

RollingFileSink::RollingFileSink(std::string path) : path_(std::move(path)) {
  if (!open("ae")) throw std::system_error(errno, std::generic_category());
  std::fseek(file_.get(), 0, SEEK_END);
  const long end = std::ftell(file_.get());
  size_ = end > 0 ? static_cast<std::size_t>(end) : 0;
}

// 'e' in the mode: no program that is started gets hold of it.
bool RollingFileSink::open(const char* mode) {
  file_.reset(std::fopen(path_.c_str(), mode));
  return file_ != nullptr;
}

void RollingFileSink::set_limits(std::size_t max_size, int depth) {
  max_size_ = max_size;
  depth_ = depth;
}

void RollingFileSink::sink_it_(const spdlog::details::log_msg& message) {
  spdlog::memory_buf_t line;
  formatter_->format(message, line);
  if (size_ > 0 && size_ + line.size() > max_size_) roll();
  if (file_ == nullptr) return;
  std::fwrite(line.data(), 1, line.size(), file_.get());
  size_ += line.size();
}

void RollingFileSink::roll() {
  const auto rolled = [&](int age) { return age == 0 ? path_ : fmt::format("{}.{}", path_, age); };
  file_.reset();
  std::error_code ignored;  // one that cannot be renamed must not keep the log from going on
  for (int age = depth_; age > 0; --age)
    std::filesystem::rename(rolled(age - 1), rolled(age), ignored);
  if (!open("we")) open("ae");
  size_ = 0;
}

}  // namespace maui
