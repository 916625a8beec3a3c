#include "sim/trace_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/byte_order_mark.h"

namespace maui {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18;
// A job's record lists the names of all its nodes.
constexpr std::size_t kLongestLine = std::size_t{1} << 26;
constexpr int kKeptPerFile = 20;

}  // namespace

Result<LineReader> LineReader::open(const std::string& path) {
  std::error_code unknown;
  if (std::filesystem::is_fifo(path, unknown) || std::filesystem::is_socket(path, unknown))
    return Error{fmt::format("{}: expected a file: a pipe can be read only once", path)};
  errno = 0;
  LineReader reader;
  reader.file_.reset(gzopen(path.c_str(), "rb"));
  if (!reader.file_)
    return Error{fmt::format("{}: cannot be read: {}", path,
                             errno == 0 ? "out of memory" : std::strerror(errno))};
  return reader;
}

bool LineReader::fill() {
  if (ended_) return false;
  buffer_.erase(0, at_);
  at_ = 0;
  const auto kept = buffer_.size();
  if (kept > kLongestLine) {
    ended_ = true;
    damage_ = fmt::format("this line is longer than {} bytes", kLongestLine);
    buffer_.clear();
    return false;
  }
  buffer_.resize(kept + kChunk);
  const int got = gzread(file_.get(), buffer_.data() + kept, static_cast<unsigned>(kChunk));
  buffer_.resize(kept + static_cast<std::size_t>(got > 0 ? got : 0));
  if (got > 0) return true;
  ended_ = true;
  int code = Z_OK;
  const char* text = gzerror(file_.get(), &code);
  if (code == Z_ERRNO)
    damage_ = std::strerror(errno);
  else if (code != Z_OK && code != Z_STREAM_END)
    damage_ = text;
  return false;
}

bool LineReader::next(std::string_view& line) {
  std::size_t searched = at_;
  for (;;) {
    const auto end = buffer_.find('\n', searched);
    if (end != std::string::npos) {
      line = std::string_view(buffer_).substr(at_, end - at_);
      at_ = end + 1;
      break;
    }
    searched = buffer_.size() - at_;  // fill() moves the rest to the front
    if (fill()) continue;
    if (at_ >= buffer_.size()) return false;
    line = std::string_view(buffer_).substr(at_);
    at_ = buffer_.size();
    cut_ = true;
    break;
  }
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  if (++line_ == 1 && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  return true;
}

void TraceProblems::bad_line(std::int64_t line, std::string_view what) {
  ++bad_lines_;
  ++summary_.bad_lines;
  note(line, what);
}

void TraceProblems::bad_line(const LineReader& lines, std::string_view what) {
  if (lines.cut())
    damage(lines.line(), fmt::format("{}; the file ends within this line", what));
  else
    bad_line(lines.line(), what);
}

void TraceProblems::damage(std::int64_t line, std::string_view what) {
  summary_.damaged = true;
  bad_line(line, what);
}

void TraceProblems::note(std::int64_t line, std::string_view what) {
  auto text = fmt::format("{}:{}: {}", file_, line, what);
  if (first_.empty()) first_ = text;
  if (kept_++ < kKeptPerFile) summary_.problems.push_back(std::move(text));
}

Error TraceProblems::nothing_left(std::string_view records) const {
  auto text = fmt::format("{}: no usable {}", file_, records);
  if (!first_.empty()) text += fmt::format("; the first problem: {}", first_);
  return Error{std::move(text)};
}

}  // namespace maui
