// The system log (syslog, facility 'daemon'; guide 14.2).
//
// The library's syslog() waits if the log daemon does not read; a scheduler must not wait.  So each
// line is a datagram, and one that is not accepted at once appears only in the scheduler's log.
#pragma once
#include <spdlog/details/null_mutex.h>
#include <spdlog/sinks/base_sink.h>

#include <string>
#include <utility>

namespace maui {

inline constexpr const char* kSystemLog = "/dev/log";

class SystemLogSink final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
  explicit SystemLogSink(std::string socket = kSystemLog) : socket_(std::move(socket)) {}

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override;
  void flush_() override {}

 private:
  std::string socket_;
};

/// Returns the priority that begins a syslog line, as "<27>": facility and severity.
std::string system_log_priority(spdlog::level::level_enum level);

/// True if the file leads to systemd's journal, which also reads the system log.
bool is_journal(int file);

/// Sends a complete line.  May be called by a signal handler.
void write_system_log(const char* socket, const char* line, std::size_t size);

}  // namespace maui
