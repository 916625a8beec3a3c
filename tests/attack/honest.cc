// Somebody who asks the scheduler one thing after the other, as people do: a connection each time.
//   honest HOME SECONDS COMMAND [OPERAND...]
// Says how long it waited for the answers.  Exit status 1 if one did not come.
#include <fmt/format.h>
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
#include <thread>
#include <vector>

#include "proto/frame.h"
#include "proto/message.h"
#include "proto/request_codec.h"

namespace {

using namespace maui;
using Wall = std::chrono::steady_clock;

bool ask(const std::string& socket, const CommandRequest& request, int number) {
  const int file = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval patience{30, 0};
  ::setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  std::strncpy(at.sun_path, socket.c_str(), sizeof at.sun_path - 1);
  const auto* user = ::getpwuid(::getuid());
  const auto frame = *encode_frame(
      sign("", {std::time(nullptr), user != nullptr ? user->pw_name : std::to_string(::getuid())},
           encode_request(request, std::to_string(number)))
          .text);
  bool answered = false;
  if (::connect(file, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0 &&
      ::send(file, frame.data(), frame.size(), MSG_NOSIGNAL) ==
          static_cast<ssize_t>(frame.size())) {
    FrameDecoder decoder(kMaxMessage);
    std::array<char, 65536> buffer{};
    for (ssize_t size = 1; size > 0 && !answered;) {
      size = ::recv(file, buffer.data(), buffer.size(), 0);
      if (size > 0) decoder.feed({buffer.data(), static_cast<std::size_t>(size)});
      const auto next = decoder.next();
      answered = next && *next;
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
  std::vector<double> waits;
  int failed = 0;
  const auto end = Wall::now() + std::chrono::seconds(std::atoi(argv[2]));
  for (int i = 0; Wall::now() < end; ++i) {
    const auto begin = Wall::now();
    if (!ask(std::string(argv[1]) + "/maui.sock", request, i)) ++failed;
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
