// Attacks of somebody without rights who keeps others from the scheduler.
//   attacker HOME PORT KIND SECONDS
// KIND, on the socket of the home directory unless it says otherwise:
// - unread: as many connections as there may be, each with nine requests, no reply read
// - numbers: the same by three thousand users without a name, as somebody has them in a user
//   namespace; run by root
// - silent: connections that say nothing, one after the other
// - pushes: connections that say nothing, none of which waits for room
// - operands: commands that name as much as a command may
// - names: messages whose sender's name is as long as a message may be
// - questions: what everybody may ask, on fifty connections at once
// - holds: a hold on all of the user's jobs, on twenty connections at once
// - garbage: at PORT, what is no message
// - calls: at PORT, connections that say nothing, none of which waits for another
// - ring: at PORT, which is a resource manager's, news of nothing
// - pages: at PORT, where HTTP is served, the same as unread with what takes longest there
// Says at the end how often it did so.
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <pwd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proto/frame.h"
#include "proto/message.h"
#include "proto/request_codec.h"

namespace {

using namespace maui;
using Wall = std::chrono::steady_clock;

struct Target {
  std::string home;
  int port = 0;
  Wall::time_point end;
  bool over() const { return Wall::now() >= end; }
};

std::string own_name() {
  const auto* user = ::getpwuid(::getuid());
  return user != nullptr ? user->pw_name : std::to_string(::getuid());
}

std::string message(std::string_view user, const CommandRequest& request) {
  static int nonce = 0;
  const auto data = encode_request(request, std::to_string(++nonce));
  return *encode_frame(sign("", {std::time(nullptr), user}, data).text);
}

CommandRequest command(std::string name, std::vector<std::string> operands = {}) {
  CommandRequest request;
  request.command = std::move(name);
  request.operands = std::move(operands);
  return request;
}

class Connection {
 public:
  static Connection to_socket(const Target& target) { return to_socket(target, 0); }
  /// Does not wait if there is no room.
  static Connection pushed_to_socket(const Target& target) {
    return to_socket(target, SOCK_NONBLOCK);
  }
  static Connection to_port(const Target& target) { return to_port(target, 0); }
  /// Does not wait until the connection is there.
  static Connection begun_to_port(const Target& target) { return to_port(target, SOCK_NONBLOCK); }
  Connection(Connection&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  Connection& operator=(Connection&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }
  ~Connection() {
    if (file_ >= 0) ::close(file_);
  }

  bool open() const { return file_ >= 0; }
  int file() const { return file_; }
  /// As much as is taken at once.
  void send(std::string_view bytes) const {
    [[maybe_unused]] const auto sent =
        ::send(file_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  }
  /// All of it, however long that takes; false if the server closed the connection instead.
  bool send_all(std::string_view bytes) const {
    while (!bytes.empty()) {
      const auto sent = ::send(file_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  bool wait_for_reply() const {
    FrameDecoder decoder(kMaxMessage);
    std::array<char, 65536> buffer{};
    for (;;) {
      const auto size = ::recv(file_, buffer.data(), buffer.size(), 0);
      if (size <= 0) return false;
      decoder.feed({buffer.data(), static_cast<std::size_t>(size)});
      if (const auto next = decoder.next(); !next || *next) return true;
    }
  }
  bool closed_by_server() const {
    pollfd waiting{file_, POLLRDHUP, 0};
    return ::poll(&waiting, 1, 0) > 0 && (waiting.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
  }

 private:
  Connection(int family, int how, const sockaddr* at, socklen_t size)
      : file_(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | how, 0)) {
    if (file_ >= 0 && ::connect(file_, at, size) != 0 && errno != EINPROGRESS)
      ::close(std::exchange(file_, -1));
  }
  static Connection to_socket(const Target& target, int how) {
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    std::strncpy(at.sun_path, (target.home + "/maui.sock").c_str(), sizeof at.sun_path - 1);
    return Connection(AF_UNIX, how, reinterpret_cast<const sockaddr*>(&at), sizeof at);
  }
  static Connection to_port(const Target& target, int how) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(static_cast<std::uint16_t>(target.port));
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return Connection(AF_INET, how, reinterpret_cast<const sockaddr*>(&at), sizeof at);
  }
  int file_;
};

/// Keeps as many connections as it can, each begun by `begin`, and `prepare` before it.
template <class Begin, class Prepare>
long hold_connections(const Target& target, Begin begin, Prepare prepare,
                      Connection (*to)(const Target& target) = Connection::to_socket) {
  constexpr std::size_t kMost = 2500;
  std::deque<Connection> held;
  long opened = 0;
  while (!target.over()) {
    prepare();
    auto connection = to(target);
    if (connection.open()) {
      begin(connection);
      held.push_back(std::move(connection));
      ++opened;
    }
    if (held.size() > kMost || (!held.empty() && held.front().closed_by_server())) held.pop_front();
  }
  return opened;
}

long unread(const Target& target) {
  std::string nine;
  for (int i = 0; i < 9; ++i) nine += message(own_name(), command("showq"));
  return hold_connections(
      target, [&](const Connection& connection) { connection.send(nine); }, [] {});
}

long numbers(const Target& target) {
  constexpr uid_t kFirst = 3'000'000'000;
  constexpr long kMany = 3000;
  long user = 0;
  return hold_connections(
      target,
      [&](const Connection& connection) {
        const auto name = std::to_string(::geteuid());
        std::string nine;
        for (int i = 0; i < 9; ++i) nine += message(name, command("showq"));
        connection.send(nine);
      },
      [&] {
        if (::seteuid(0) != 0 || ::seteuid(kFirst + static_cast<uid_t>(user++ % kMany)) != 0)
          std::exit(2);
      });
}

long pages(const Target& target) {
  std::string many;
  for (const char* page : {"api/v1/showstart/64@1:00:00", "api/v1/showq?limit=10000&sort=-user",
                           "api/v1/showq?search=nobody", "metrics"})
    for (int i = 0; i < 5; ++i)
      many += fmt::format("GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n", page);
  return hold_connections(
      target, [&](const Connection& connection) { connection.send(many); }, [] {},
      Connection::to_port);
}

/// Most of a long request, again and again.
long partial(const Target& target) {
  const std::string begun = "00990000 " + std::string(140'000, 'x');
  return hold_connections(
      target, [&](const Connection& connection) { connection.send(begun); }, [] {});
}

long silent(const Target& target) {
  return hold_connections(
      target, [](const Connection&) {}, [] {});
}

long pushes(const Target& target) {
  return hold_connections(
      target, [](const Connection&) {}, [] {}, Connection::pushed_to_socket);
}

long calls(const Target& target) {
  return hold_connections(
      target, [](const Connection&) {}, [] {}, Connection::begun_to_port);
}

long operands(const Target& target) {
  std::vector<std::string> many;
  for (int i = 0; i < 9000; ++i)
    many.push_back(i % 3 == 0   ? fmt::format("x:q{}*z", i)
                   : i % 3 == 1 ? "x:q"
                                : fmt::format("job.{}", i));
  long asked = 0;
  while (!target.over()) {
    const auto connection = Connection::to_socket(target);
    if (!connection.open() || !connection.send_all(message(own_name(), command("canceljob", many))))
      continue;
    connection.wait_for_reply();
    ++asked;
  }
  return asked;
}

long names(const Target& target) {
  const std::string name(900'000, 'n');
  long sent = 0;
  while (!target.over()) {
    const auto connection = Connection::to_socket(target);
    if (!connection.open() || !connection.send_all(message(name, command("showq")))) continue;
    connection.wait_for_reply();
    ++sent;
  }
  return sent;
}

/// Gives these commands in turn, on so many connections at once.
long give(const Target& target, const std::vector<CommandRequest>& all, int connections) {
  std::vector<Connection> asking;
  for (int i = 0; i < connections; ++i) asking.push_back(Connection::to_socket(target));
  long asked = 0;
  while (!target.over()) {
    for (auto& connection : asking) {
      if (!connection.open() || connection.closed_by_server())
        connection = Connection::to_socket(target);
      if (connection.open())
        connection.send(message(own_name(), all[static_cast<std::size_t>(asked++) % all.size()]));
    }
    for (auto& connection : asking)
      if (connection.open()) connection.wait_for_reply();
  }
  return asked;
}

long questions(const Target& target) {
  return give(target,
              {command("showq"), command("showres"), command("showbf"),
               command("showstart", {"4@1:00:00"}), command("showhold"), command("showstats")},
              50);
}

long holds(const Target& target) { return give(target, {command("sethold", {"x:."})}, 20); }

long garbage(const Target& target) {
  long sent = 0;
  while (!target.over()) {
    const auto connection = Connection::to_port(target);
    if (!connection.open()) continue;
    connection.send("GET / HTTP/1.1\r\n\r\n");
    ++sent;
  }
  return sent;
}

long ring(const Target& target) {
  long rung = 0;
  while (!target.over()) {
    const auto connection = Connection::to_port(target);
    if (!connection.open()) continue;
    connection.send("1234");
    ++rung;
  }
  return rung;
}

struct Kind {
  std::string_view name;
  long (*attack)(const Target& target);
};
constexpr Kind kKinds[] = {{"unread", unread},   {"silent", silent},       {"operands", operands},
                           {"names", names},     {"questions", questions}, {"garbage", garbage},
                           {"ring", ring},       {"numbers", numbers},     {"pages", pages},
                           {"partial", partial}, {"holds", holds},         {"calls", calls},
                           {"pushes", pushes}};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  rlimit descriptors{};
  ::getrlimit(RLIMIT_NOFILE, &descriptors);
  descriptors.rlim_cur = descriptors.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &descriptors);
  const Target target{argv[1], std::atoi(argv[2]),
                      Wall::now() + std::chrono::seconds(std::atoi(argv[4]))};
  for (const Kind& kind : kKinds) {
    if (kind.name != argv[3]) continue;
    // It may be waiting for the scheduler when its time is over.
    std::signal(SIGALRM, [](int) { ::_exit(0); });
    ::alarm(static_cast<unsigned>(std::atoi(argv[4])) + 5);
    fmt::print("{}: {} times\n", kind.name, kind.attack(target));
    return 0;
  }
  return 2;
}
