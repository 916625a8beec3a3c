// A log file that is rolled at a given size: maui.log becomes maui.log.1, which becomes maui.log.2,
// up to the depth that is set (guide 3.2, LOGFILEMAXSIZE, LOGFILEROLLDEPTH).  A file that others
// have moved away or removed is created again, if its directory is there.  Lines for which a disk
// is full are lost; the first one after them begins a line of its own.
#pragma once
#include <spdlog/details/null_mutex.h>
#include <spdlog/sinks/base_sink.h>

#include <chrono>
#include <cstddef>
#include <string>

#include "maui/result.h"

namespace maui {

class RollingFileSink final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
  /// Appends to an existing file.  Throws if the file cannot be opened.
  explicit RollingFileSink(std::string path);
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
  void close(int file);
  void roll();
  bool in_place() const;
  bool has_name() const;

  std::string path_;
  int file_ = -1;                                   // the open file; -1: none
  std::string buffered_;                            // whole lines
  bool cut_ = false;                                // the file ends within a line
  std::chrono::steady_clock::time_point looked_{};  // last check that it is in place
  std::size_t size_ = 0, max_size_ = 10000000;
  int depth_ = 2;
  Status state_ = Done{};
};

}  // namespace maui
