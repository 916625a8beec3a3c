// Many clients of a scheduler at once.
//   crowd [--home DIRECTORY] [--port PORT] [--honest N] [--requests N] [--silent N] [--slow N]
//         [--garbage N] [--hold] [--within SECONDS] COMMAND [OPERAND...]
//   crowd --fill [--home DIRECTORY] COMMAND
// Silent clients say nothing; slow ones ask byte by byte and take no reply; garbage is no frame.
// Then the honest ones ask, each so many times, on a connection of its own each time, at the
// socket in the home directory or, with its secret, at the port; 0 if all of them were answered.
// --hold: keeps its connections until its standard input ends, and says "held" first.  --fill:
// opens as many as can wait to be accepted, and holds them.
#include <fmt/format.h>
#include <pwd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <list>
#include <map>
#include <memory>
#include <string>

#include "base/text.h"
#include "proto/checksum.h"
#include "proto/frame.h"
#include "proto/message.h"
#include "proto/reply_codec.h"
#include "proto/request_codec.h"

namespace {

namespace asio = boost::asio;
using namespace maui;
using boost::system::error_code;
using Socket = asio::generic::stream_protocol::socket;
using Wall = std::chrono::steady_clock;

struct Server {
  std::string socket, secret;
  int port = 0;
  asio::generic::stream_protocol::endpoint at() const {
    if (port != 0)
      return asio::ip::tcp::endpoint(asio::ip::address_v4::loopback(),
                                     static_cast<unsigned short>(port));
    return asio::local::stream_protocol::endpoint(socket);
  }
};

std::string secret_in(const std::string& path) {
  std::ifstream file(path);
  std::string word, secret;
  while (file >> word)
    if (word == "SECRET") file >> secret;
  return secret;
}

std::string frame_of(const Server& server, const CommandRequest& request) {
  const auto* user = ::getpwuid(::getuid());
  const auto data = encode_request(request, random_digits(16));
  return *encode_frame(
      sign(server.secret,
           {std::time(nullptr), user != nullptr ? user->pw_name : std::to_string(::getuid())}, data)
          .text);
}

/// For the client that asks when the silent ones have all the descriptors that there are.
constexpr rlim_t kSpareDescriptors = 32;

rlim_t most_descriptors() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur;
}

void say_held_until_the_end() {
  fmt::print("held\n");
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
}

/// Until the next one would have to wait for its turn.
int fill(const Server& server) {
  const auto at = server.at();
  for (;;) {
    const int file = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (file < 0) return 1;
    if (::connect(file, at.data(), static_cast<socklen_t>(at.size())) == 0) continue;
    if (errno != EAGAIN) return 1;
    say_held_until_the_end();
    return 0;
  }
}

struct Tally {
  int answered = 0, failed = 0;
  std::string why;  // the first failure
  Wall::duration slowest{};
};

/// Asks again and again, as people do: a connection each time.
class Honest : public std::enable_shared_from_this<Honest> {
 public:
  Honest(asio::io_context& io, const Server& server, const CommandRequest& request, int times,
         Tally& tally)
      : socket_(io), server_(server), request_(request), left_(times), tally_(tally) {}

  void next() {
    if (left_-- <= 0) return;
    socket_ = Socket(socket_.get_executor());
    decoder_ = FrameDecoder(kMaxMessage);
    begun_ = Wall::now();
    // Waits for its turn where others wait to be accepted, which an asynchronous one does not.
    error_code error;
    socket_.connect(server_.at(), error);
    if (error) return end("connect: " + error.message());
    ask();
  }

 private:
  void ask() {
    frame_ = frame_of(server_, request_);
    asio::async_write(socket_, asio::buffer(frame_),
                      [self = shared_from_this()](error_code error, std::size_t) {
                        if (error) return self->end("write: " + error.message());
                        self->read();
                      });
  }
  void read() {
    socket_.async_read_some(asio::buffer(buffer_),
                            [self = shared_from_this()](error_code error, std::size_t size) {
                              self->decoder_.feed({self->buffer_.data(), size});
                              const auto next = self->decoder_.next();
                              if (next && *next) return self->end(self->judge(**next));
                              if (error) return self->end("read: " + error.message());
                              self->read();
                            });
  }
  std::string judge(const std::string& text) const {
    const auto message = parse_message(text);
    if (!message) return message.error().what;
    const auto reply = decode_reply(message->data);
    if (!reply) return reply.error().what;
    const auto* refusal = std::get_if<Refusal>(&*reply);
    return refusal == nullptr ? "" : refusal->reason;
  }
  void end(const std::string& why) {
    if (why.empty()) {
      ++tally_.answered;
    } else {
      ++tally_.failed;
      if (tally_.why.empty()) tally_.why = why;
    }
    tally_.slowest = std::max(tally_.slowest, Wall::now() - begun_);
    boost::asio::post(socket_.get_executor(), [self = shared_from_this()] { self->next(); });
  }

  Socket socket_;
  const Server& server_;
  const CommandRequest& request_;
  int left_;
  Tally& tally_;
  std::string frame_;
  FrameDecoder decoder_{kMaxMessage};
  std::array<char, 16384> buffer_{};
  Wall::time_point begun_;
};

/// Says something and takes no notice of what comes back.
class Nuisance {
 public:
  Nuisance(asio::io_context& io, const Server& server, std::string text, bool slowly)
      : socket_(io), timer_(io), text_(std::move(text)), slowly_(slowly) {
    error_code error;
    socket_.connect(server.at(), error);
    if (!error) say();
  }

 private:
  void say() {
    error_code error;
    const auto size = slowly_ ? std::min<std::size_t>(1, text_.size()) : text_.size();
    if (size > 0) asio::write(socket_, asio::buffer(text_.data(), size), error);
    text_.erase(0, size);
    if (error || text_.empty()) return;
    timer_.expires_after(std::chrono::milliseconds(20));
    timer_.async_wait([this](error_code stopped) {
      if (!stopped) say();
    });
  }

  Socket socket_;
  asio::steady_timer timer_;
  std::string text_;
  bool slowly_;
};

int run(std::map<std::string, std::string>& options, const CommandRequest& request) {
  const auto number = [&](const char* name, int otherwise) {
    const auto at = options.find(name);
    return at == options.end() ? otherwise : std::atoi(at->second.c_str());
  };
  const char* set = std::getenv("MAUIHOMEDIR");
  const auto home = options.contains("home") ? options["home"] : std::string(set ? set : ".");
  Server server{home + "/maui.sock", "", number("port", 0)};
  if (server.port != 0) server.secret = secret_in(home + "/maui-private.cfg");

  if (options.contains("fill")) return fill(server);

  asio::io_context io(1);
  std::list<Nuisance> nuisances;
  const auto silent = std::min<rlim_t>(static_cast<rlim_t>(number("silent", 0)),
                                       most_descriptors() - kSpareDescriptors);
  for (rlim_t i = 0; i < silent; ++i) nuisances.emplace_back(io, server, "", false);
  for (int i = 0; i < number("slow", 0); ++i)
    nuisances.emplace_back(io, server, frame_of(server, request), true);
  for (int i = 0; i < number("garbage", 0); ++i)
    nuisances.emplace_back(io, server, "GET / HTTP/1.1\r\n\r\n", false);
  Tally tally;
  const int honest = number("honest", 1), times = number("requests", 1);
  for (int i = 0; i < honest; ++i)
    std::make_shared<Honest>(io, server, request, times, tally)->next();
  const auto end = Wall::now() + std::chrono::seconds(number("within", 100));
  while (tally.answered + tally.failed < honest * times && Wall::now() < end) io.run_one_until(end);
  fmt::print("answered {} of {}, the slowest after {} ms{}\n", tally.answered, honest * times,
             std::chrono::duration_cast<std::chrono::milliseconds>(tally.slowest).count(),
             tally.failed == 0 ? "" : fmt::format("; {} failed: {}", tally.failed, tally.why));
  if (options.contains("hold")) say_held_until_the_end();
  std::fflush(stdout);
  std::_Exit(tally.answered == honest * times ? 0 : 1);  // the others' handlers are of no interest
}

}  // namespace

int main(int argc, char** argv) {
  most_descriptors();
  std::map<std::string, std::string> options;
  CommandRequest request;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.starts_with("--") && request.command.empty())
      options[word.substr(2)] =
          word == "--hold" || word == "--fill" || i + 1 == argc ? "" : argv[++i];
    else if (request.command.empty())
      request.command = word;
    else if (word.size() == 2 && word[0] == '-')
      request.flags.emplace(word.substr(1), "");
    else
      request.operands.push_back(word);
  }
  return run(options, request);
}
