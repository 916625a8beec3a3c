// Somebody who asks the scheduler one thing after the other, as people do: a connection each time.
//   honest HOME SECONDS COMMAND [OPERAND...]
// With HONEST_PORT, asks at that port of the network, with HONEST_SECRET; with HONEST_HTTP, at
// that port for the path COMMAND. Says how long it waited for the answers.  Exit status 1 if one
// did not come.
#include <fmt/format.h>
#include <netinet/in.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "proto/frame.h"
#include "proto/message.h"
#include "proto/request_codec.h"

namespace {

using namespace maui;
using Wall = std::chrono::steady_clock;

/// Where it asks, and how it words the question.
struct Way {
  sockaddr_storage at{};
  socklen_t size = 0;
  std::string secret;  // of the network
  bool http = false;
};

Way to_socket(const std::string& path) {
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  std::strncpy(at.sun_path, path.c_str(), sizeof at.sun_path - 1);
  Way way;
  std::memcpy(&way.at, &at, way.size = sizeof at);
  return way;
}

Way to_port(const char* port) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(static_cast<std::uint16_t>(std::atoi(port)));
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  Way way;
  std::memcpy(&way.at, &at, way.size = sizeof at);
  return way;
}

Way find_way(const std::string& home) {
  if (const char* port = std::getenv("HONEST_HTTP")) {
    auto way = to_port(port);
    way.http = true;
    return way;
  }
  if (const char* port = std::getenv("HONEST_PORT")) {
    auto way = to_port(port);
    if (const char* secret = std::getenv("HONEST_SECRET")) way.secret = secret;
    return way;
  }
  return to_socket(home + "/maui.sock");
}

std::string question(const Way& way, const CommandRequest& request, int number) {
  if (way.http)
    return fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                       request.command);
  const auto* user = ::getpwuid(::getuid());
  return *encode_frame(
      sign(way.secret,
           {std::time(nullptr), user != nullptr ? user->pw_name : std::to_string(::getuid())},
           encode_request(request, fmt::format("{}.{}", ::getpid(), number)))
          .text);
}

/// True if what came begins with a whole reply, or, over HTTP, with a good one.
class Answer {
 public:
  explicit Answer(bool http) : http_(http) {}
  bool feed(std::string_view bytes) {
    if (http_) return (begin_ += bytes).size() >= 12 && begin_.compare(9, 3, "200") == 0;
    decoder_.feed(bytes);
    const auto next = decoder_.next();
    return next && *next;
  }

 private:
  bool http_;
  std::string begin_;
  FrameDecoder decoder_{kMaxMessage};
};

bool ask(const Way& way, const CommandRequest& request, int number) {
  const int file = ::socket(way.at.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval patience{30, 0};
  ::setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  const auto asked = question(way, request, number);
  bool answered = false;
  if (::connect(file, reinterpret_cast<const sockaddr*>(&way.at), way.size) == 0 &&
      ::send(file, asked.data(), asked.size(), MSG_NOSIGNAL) ==
          static_cast<ssize_t>(asked.size())) {
    Answer answer(way.http);
    std::array<char, 65536> buffer{};
    for (ssize_t size = 1; size > 0 && !answered;) {
      size = ::recv(file, buffer.data(), buffer.size(), 0);
      if (size > 0) answered = answer.feed({buffer.data(), static_cast<std::size_t>(size)});
    }
  }
  ::close(file);
  return answered;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  CommandRequest request;
  request.command = argv[3];
  request.operands.assign(argv + 4, argv + argc);
  const Way way = find_way(argv[1]);
  std::vector<double> waits;
  int failed = 0;
  const auto end = Wall::now() + std::chrono::seconds(std::atoi(argv[2]));
  for (int i = 0; Wall::now() < end; ++i) {
    const auto begin = Wall::now();
    if (!ask(way, request, i)) ++failed;
    const std::chrono::duration<double, std::milli> took = Wall::now() - begin;
    waits.push_back(took.count());
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  std::sort(waits.begin(), waits.end());
  fmt::print(
      "asked {} times, {} not answered; waited {:.1f} ms at the median, {:.1f} ms at the "
      "99th percentile, {:.1f} ms at most\n",
      waits.size(), failed, waits[waits.size() / 2], waits[waits.size() * 99 / 100], waits.back());
  return failed == 0 ? 0 : 1;
}
