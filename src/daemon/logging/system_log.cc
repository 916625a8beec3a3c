#include "daemon/logging/system_log.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <syslog.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace maui {
namespace {

int gravity(spdlog::level::level_enum level) {
  if (level >= spdlog::level::err) return LOG_ERR;
  return level == spdlog::level::warn ? LOG_WARNING : LOG_INFO;
}

std::string stamp(std::time_t now) {
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";  // in any locale
  std::tm local{};
  ::localtime_r(&now, &local);
  return fmt::format("{} {:>2} {:%H:%M:%S}",
                     kMonths.substr(3 * static_cast<std::size_t>(local.tm_mon), 3), local.tm_mday,
                     local);
}

}  // namespace

std::string system_log_priority(spdlog::level::level_enum level) {
  return fmt::format("<{}>", LOG_DAEMON | gravity(level));
}

void SystemLogSink::sink_it_(const spdlog::details::log_msg& message) {
  const std::string_view text(message.payload.data(), message.payload.size());
  const auto line = fmt::format("{}{} maui[{}]: {}", system_log_priority(message.level),
                                stamp(std::time(nullptr)), ::getpid(), text);
  write_system_log(socket_.c_str(), line.data(), line.size());
}

bool is_journal(int file) {
  struct stat about {};
  const char* journal = std::getenv("JOURNAL_STREAM");
  return journal != nullptr && ::fstat(file, &about) == 0 &&
         fmt::format("{}:{}", about.st_dev, about.st_ino) == journal;
}

void write_system_log(const char* socket, const char* line, std::size_t size) {
  const int error = errno;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, socket, sizeof address.sun_path - 1);
  const int file = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (file >= 0) {
    [[maybe_unused]] const auto sent =
        ::sendto(file, line, size, MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address),
                 sizeof address);
    ::close(file);
  }
  errno = error;
}

}  // namespace maui
