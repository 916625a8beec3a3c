// A WIKI server that misbehaves as a file says, which may change between two connections.
//
// Usage: bad_rm PORT FILE     FILE holds one of: fine closing silent slow half rubbish flood
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

namespace {

bool write_all(int peer, const std::string& bytes) {
  return ::write(peer, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
}

std::string frame(const std::string& body) {
  std::array<char, 16> size{};
  std::snprintf(size.data(), size.size(), "%08zu\n", body.size());
  return size.data() + body;
}

std::string answer_to(const std::string& question) {
  if (question.find("CMD=GETNODES") != question.npos)
    return frame("SC=0 ARG=1#bad1:STATE=Idle;CPROC=2;");
  return frame("SC=0 ARG=0#");
}

void serve(int peer, const std::string& mode) {
  std::array<char, 4096> buffer{};
  const auto size = ::read(peer, buffer.data(), buffer.size());
  const auto answer =
      answer_to({buffer.data(), static_cast<std::size_t>(std::max(size, ssize_t{0}))});
  if (mode == "fine") write_all(peer, answer);
  if (mode == "half") write_all(peer, answer.substr(0, answer.size() / 2));
  if (mode == "rubbish") write_all(peer, "HTTP/1.1 400 Bad Request\r\n\r\n");
  if (mode == "slow")
    for (std::size_t i = 0; i < answer.size() && write_all(peer, answer.substr(i, 1)); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
  if (mode == "flood") {
    const std::string much(1 << 16, 'x');
    if (write_all(peer, "99999999\n"))
      while (write_all(peer, much)) {
      }
  }
  while (mode == "silent" && ::read(peer, buffer.data(), buffer.size()) > 0) {
  }
  ::close(peer);
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) return 2;
  ::signal(SIGPIPE, SIG_IGN);
  const int server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  ::setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(static_cast<unsigned short>(std::atoi(words[1])));
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(server, reinterpret_cast<sockaddr*>(&at), sizeof at) != 0 || ::listen(server, 16) != 0)
    return 1;
  while (true) {
    const int peer = ::accept(server, nullptr, nullptr);
    if (peer < 0) return 1;
    std::string mode;
    std::ifstream(words[2]) >> mode;
    std::thread(serve, peer, mode).detach();
  }
}
