// A log file that is rolled at a size: maui.log becomes maui.log.1, that maui.log.2, and so on, as
// many as are to be kept (guide 3.2, LOGFILEMAXSIZE, LOGFILEROLLDEPTH).  One that somebody else
// moved away, or removed, is begun anew.
#pragma once
#include <spdlog/details/null_mutex.h>
#include <spdlog/sinks/base_sink.h>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>

namespace maui {

class RollingFileSink final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
  /// Goes on in a file that is there.  Throws if it cannot be opened.
  explicit RollingFileSink(std::string path);
  /// From the next line on.
  void set_limits(std::size_t max_size, int depth);
  /// Goes on in the file of that name if another stands there now, or none.
  void reopen();

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override;
  void flush_() override {
    if (file_ != nullptr) std::fflush(file_.get());
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  bool open(bool anew);
  void roll();
  bool in_place() const;

  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::chrono::steady_clock::time_point looked_{};  // whether it is in its place
  std::size_t size_ = 0, max_size_ = 10000000;
  int depth_ = 2;
};

}  // namespace maui
