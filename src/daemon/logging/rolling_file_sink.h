// A log file that is rolled at a given size: maui.log becomes maui.log.1, which becomes maui.log.2,
// up to the depth that is set (guide 3.2, LOGFILEMAXSIZE, LOGFILEROLLDEPTH).  A file that others
// have moved away or removed is created again, if its directory is there.  Lines for which a disk
// is full are lost; a line in their place tells how many.
#pragma once
#include <spdlog/details/null_mutex.h>
#include <spdlog/sinks/base_sink.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "maui/result.h"

namespace maui {

class RollingFileSink final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
  /// Returns the line, with its end, that tells that this many lines are missing, and why.
  using Loss = std::function<std::string(std::size_t lines, std::string_view why)>;

  /// Appends to an existing file.  Throws if the file cannot be opened.
  RollingFileSink(std::string path, Loss loss);
  ~RollingFileSink() override;
  /// Applies from the next line on.
  void set_limits(std::size_t max_size, int depth);
  /// Opens the file again if its name now belongs to another file, or to none.  If that fails,
  /// lines go on in the old file, unless it has been removed, and this returns why.
  Status reopen();
  /// Returns what the last reopen() did, which lines also cause.
  const Status& state() const { return state_; }

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override;
  void flush_() override { write_out(); }

 private:
  /// `anew`: fails if a file of this name exists.
  bool open(bool anew);
  void write_out();
  std::size_t write(std::string_view text);
  void close(int file);
  void roll();
  bool in_place() const;
  bool has_name() const;

  std::string path_;
  int file_ = -1;         // the open file; -1: none
  std::string buffered_;  // whole lines
  Loss loss_;
  std::size_t lost_ = 0;  // lines that the file did not take since the last line about that
  std::string why_lost_;
  bool cut_ = false;                                // the file ends within a line
  std::chrono::steady_clock::time_point looked_{};  // last check that it is in place
  std::size_t size_ = 0, max_size_ = 10000000;
  int depth_ = 2;
  Status state_ = Done{};
};

}  // namespace maui
