// A library for LD_PRELOAD: a host whose disk hangs or is slow, or whom a network keeps from a
// server.
//
// While the file $CUT_OFF.disk is there, whatever writes to a file waits for its end; if a number
// stands in it, so many milliseconds each time.  While $CUT_OFF.net is there, of which the content
// is PORT MUTE, connections to PORT lead to MUTE, where nobody answers.
//
// It needs nothing at its start, so that the libraries of sanitizers may come after it.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

/// False: there is no such file.
bool read_order(const char* kind, char (&text)[32]) {
  const char* base = std::getenv("CUT_OFF");
  if (base == nullptr) return false;
  char path[4096];
  std::snprintf(path, sizeof path, "%s.%s", base, kind);
  const auto file = ::syscall(SYS_openat, AT_FDCWD, path, O_RDONLY, 0);
  if (file < 0) return false;
  const auto size = ::syscall(SYS_read, file, text, sizeof text - 1);
  ::syscall(SYS_close, file);
  text[size > 0 ? size : 0] = 0;
  return true;
}

void wait(long milliseconds) {
  timespec left{milliseconds / 1000, milliseconds % 1000 * 1000000};
  while (::nanosleep(&left, &left) != 0) {
  }
}

void wait_for_disk(int file) {
  const auto error = errno;
  struct stat about {};
  char text[32] = {};
  if (::fstat(file, &about) == 0 && S_ISREG(about.st_mode)) {
    while (read_order("disk", text)) {
      const auto each = std::strtol(text, nullptr, 10);
      wait(each > 0 ? each : 10);
      if (each > 0) break;
    }
  }
  errno = error;
}

}  // namespace

extern "C" {

ssize_t write(int file, const void* data, size_t size) {
  wait_for_disk(file);
  return ::syscall(SYS_write, file, data, size);
}

ssize_t writev(int file, const iovec* parts, int count) {
  wait_for_disk(file);
  return ::syscall(SYS_writev, file, parts, count);
}

ssize_t pwrite(int file, const void* data, size_t size, off_t at) {
  wait_for_disk(file);
  return ::syscall(SYS_pwrite64, file, data, size, at);
}

ssize_t pwrite64(int file, const void* data, size_t size, off64_t at) {
  return pwrite(file, data, size, at);
}

int fsync(int file) {
  wait_for_disk(file);
  return static_cast<int>(::syscall(SYS_fsync, file));
}

int fdatasync(int file) {
  wait_for_disk(file);
  return static_cast<int>(::syscall(SYS_fdatasync, file));
}

int connect(int socket, const sockaddr* address, socklen_t size) {
  char text[32] = {};
  sockaddr_storage other{};
  if (size <= sizeof other && address->sa_family == AF_INET && read_order("net", text)) {
    char* rest = nullptr;
    const auto port = std::strtol(text, &rest, 10), mute = std::strtol(rest, nullptr, 10);
    std::memcpy(&other, address, size);
    auto& place = reinterpret_cast<sockaddr_in&>(other);
    if (ntohs(place.sin_port) == port) place.sin_port = htons(static_cast<in_port_t>(mute));
    address = reinterpret_cast<const sockaddr*>(&other);
  }
  return static_cast<int>(::syscall(SYS_connect, socket, address, size));
}

}  // extern "C"
