#include "local_rm/server.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <boost/asio/write.hpp>
#include <ctime>
#include <functional>
#include <memory>

#include "base/text.h"
#include "net/accept_again.h"
#include "proto/frame.h"

namespace maui {

using boost::asio::ip::tcp;
using boost::system::error_code;
using Local = boost::asio::local::stream_protocol;

namespace {

Time now() { return Time(std::time(nullptr)); }

constexpr std::size_t kMostBytes = std::size_t{1} << 24;  // of a request
constexpr long kMostVisits = 100;                         // at one time

/// The memory that the requests of all visits take together.
class Share {
 public:
  Share(std::shared_ptr<std::size_t> all, std::size_t most) : all_(std::move(all)), most_(most) {}
  ~Share() {
    if (all_) *all_ -= mine_;
  }
  Share(Share&&) noexcept = default;
  Share& operator=(Share&&) = delete;
  /// Takes more; returns false if all visits together then have too much.
  bool take(std::size_t bytes) {
    *all_ += bytes;
    mine_ += bytes;
    return *all_ <= most_;
  }

 private:
  std::shared_ptr<std::size_t> all_;
  std::size_t most_, mine_ = 0;
};

// One request and its answer, within the deadline.  Without room for the request, it ends at once.
template <class Socket>
class Visit : public std::enable_shared_from_this<Visit<Socket>> {
 public:
  Visit(Socket socket, Share share, std::function<std::string(std::string_view)> answer)
      : socket_(std::move(socket)),
        deadline_(socket_.get_executor()),
        share_(std::move(share)),
        answer_(std::move(answer)) {}

  void begin(std::chrono::seconds within) {
    deadline_.expires_after(within);
    deadline_.async_wait([self = this->weak_from_this()](error_code error) {
      if (const auto late = error ? nullptr : self.lock()) late->socket_.close(error);
    });
    read();
  }

 private:
  void read() {
    socket_.async_read_some(boost::asio::buffer(buffer_), [self = this->shared_from_this()](
                                                              error_code error, std::size_t size) {
      if (error || !self->share_.take(size)) return;
      self->decoder_.feed({self->buffer_.data(), size});
      const auto whole = self->decoder_.next();
      if (!whole) return;
      if (!*whole) return self->read();
      self->out_ = self->answer_(**whole);
      boost::asio::async_write(self->socket_, boost::asio::buffer(self->out_),
                               [self](error_code, std::size_t) {});
    });
  }

  Socket socket_;
  boost::asio::steady_timer deadline_;
  Share share_;
  std::function<std::string(std::string_view)> answer_;
  FrameDecoder decoder_{kMostBytes};
  std::array<char, 4096> buffer_{};
  std::string out_;
};

WikiReply reply_of(const Status& status) {
  if (status) return {kWikiDone, "done", false};
  return {kWikiRefused, status.error().what, false};
}

}  // namespace

std::string one_word(std::string_view text) {
  std::string word;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    word += byte <= ' ' || c == '"' || c == '%' || c == '=' ? fmt::format("%{:02x}", byte)
                                                            : std::string(1, c);
  }
  return word;
}

std::string plain_words(std::string_view word) {
  std::string text;
  for (std::size_t at = 0; at < word.size(); ++at) {
    const auto byte =
        word[at] == '%' ? parse_integer<unsigned>(word.substr(at + 1, 2), 16) : std::nullopt;
    text += byte ? static_cast<char>(*byte) : word[at];
    if (byte) at += 2;
  }
  return text;
}

Result<Local::endpoint> socket_place(const std::string& path) {
  constexpr std::size_t kMost = sizeof(sockaddr_un::sun_path) - 1;
  if (path.size() > kMost)
    return Error{fmt::format("the path of the socket has {} bytes: expected at most {}: '{}'",
                             path.size(), kMost, path)};
  return Local::endpoint(path);
}

LocalServer::LocalServer(boost::asio::io_context& io, LocalServerOptions options)
    : io_(io),
      options_(std::move(options)),
      cluster_(options_.nodes, options_.keep, [this] { ring(); }),
      network_(io),
      local_(io),
      children_(io, SIGCHLD),
      tick_(io) {}

Status LocalServer::listen() {
  const tcp::endpoint at(boost::asio::ip::address_v4::loopback(),
                         static_cast<unsigned short>(options_.port));
  error_code error;
  network_.open(at.protocol(), error);
  if (!error) network_.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) network_.bind(at, error);
  if (!error) network_.listen(tcp::acceptor::max_listen_connections, error);
  if (error)
    return Error{fmt::format("cannot listen at port {}: {}", options_.port, error.message())};
  const auto place = socket_place(options_.socket);
  if (!place) return place.error();
  ::unlink(options_.socket.c_str());
  const auto mask = ::umask(0177);
  local_.open(Local(), error);
  if (!error) local_.bind(*place, error);
  ::umask(mask);
  if (!error) local_.listen(Local::acceptor::max_listen_connections, error);
  if (error)
    return Error{fmt::format("cannot listen at '{}': {}", options_.socket, error.message())};
  accept(network_, false);
  accept(local_, true);
  await_child();
  await_tick();
  return Done{};
}

int LocalServer::port() const { return network_.local_endpoint().port(); }

template <class Acceptor>
void LocalServer::accept(Acceptor& acceptor, bool owner) {
  using Socket = typename Acceptor::protocol_type::socket;
  acceptor.async_accept([this, &acceptor, owner](error_code error, Socket socket) {
    if (error) return accept_again(io_, [this, &acceptor, owner] { accept(acceptor, owner); });
    if (owner || visits_.use_count() <= kMostVisits) {
      Share share = owner ? Share(std::make_shared<std::size_t>(0), kMostBytes + kFrameHeader)
                          : Share(bytes_, options_.most_bytes);
      std::make_shared<Visit<Socket>>(std::move(socket), std::move(share),
                                      [this, owner, counted = visits_](std::string_view content) {
                                        return answer(content, owner);
                                      })
          ->begin(options_.deadline);
    }
    accept(acceptor, owner);
  });
}

std::string LocalServer::answer(std::string_view content, bool owner) {
  const auto& seal = owner ? std::nullopt : options_.seal;
  const auto message = open_wiki(content, seal);
  if (!message)
    return wiki_frame(write_wiki(WikiReply{kWikiBadChecksum, message.error().what, false}), seal,
                      now());
  if (message->sent && std::max(now() - *message->sent, *message->sent - now()) > kWikiMaxSkew)
    return wiki_frame(write_wiki(WikiReply{kWikiSkewed, "TS value too far from NOW", false}), seal,
                      now());
  const auto request = read_wiki_request(message->body);
  const WikiReply reply =
      request ? reply_to(*request, owner) : WikiReply{kWikiMalformed, request.error().what, false};
  return wiki_frame(write_wiki(reply), seal, now());
}

// A scheduler without a lease has no generation; schedulers with a lease after it count from one.
std::optional<WikiReply> LocalServer::refusal_if_late(const WikiRequest& request) {
  if (request.generation >= generation_ || request.generation == 0) {
    generation_ = request.generation;
    return std::nullopt;
  }
  if (request.command.starts_with("GET")) return std::nullopt;
  return WikiReply{kWikiRefused,
                   fmt::format("generation {} of the lease is over: generation {} has asked since",
                               request.generation, generation_),
                   false};
}

WikiReply LocalServer::reply_to(const WikiRequest& request, bool owner) {
  if (!owner)
    if (auto refusal = refusal_if_late(request)) return *std::move(refusal);
  const std::string &name = request.command, &job = request.argument;
  if (name == "GETNODES" || name == "GETJOBS") {
    const auto found = records(request);
    return found ? *found : WikiReply{kWikiMalformed, found.error().what, false};
  }
  if (name == "STARTJOB") return reply_of(start(request));
  if (name == "CANCELJOB") return reply_of(cluster_.cancel(job, now()));
  if (name == "SUSPENDJOB") return reply_of(cluster_.suspend(job, now()));
  if (name == "RESUMEJOB") return reply_of(cluster_.resume(job, now()));
  if (name == "REQUEUEJOB") return reply_of(cluster_.requeue(job, now()));
  if (name == "MODIFYJOB") return reply_of(modify(request));
  if (name == "SIGNALJOB")
    return reply_of(
        cluster_.signal(job, parse_integer<int>(request.option("VALUE")).value_or(SIGTERM)));
  if (name == "INITIALIZE") {
    options_.event_port = parse_integer<int>(request.option("EPORT")).value_or(0);
    return reply_of(Done{});
  }
  if (owner && (name == "HOLDJOB" || name == "RELEASEJOB"))
    return reply_of(cluster_.hold(job, name == "HOLDJOB", now()));
  if (owner && name == "SUBMITJOB") {
    const auto made = submit(request);
    return made ? WikiReply{kWikiDone, *made, false}
                : WikiReply{kWikiRefused, made.error().what, false};
  }
  return {kWikiMalformed, "unsupported request type", false};
}

// "TIME:ALL", or "TIME:NAME:NAME".
Result<WikiReply> LocalServer::records(const WikiRequest& request) const {
  const auto colon = request.argument.find(':');
  const auto since = parse_integer<std::int64_t>(request.argument.substr(0, colon));
  if (!since || colon == std::string::npos) return Error{"Invalid ARG value"};
  const auto names = wiki_list(std::string_view(request.argument).substr(colon + 1));
  auto all = request.command == "GETNODES" ? cluster_.node_records(Time(*since))
                                           : cluster_.job_records(Time(*since));
  if (names != std::vector<std::string>{"ALL"})
    std::erase_if(all, [&](const std::string& record) {
      return std::none_of(names.begin(), names.end(), [&](const std::string& name) {
        return record.starts_with(wiki_escaped(name) + ":");
      });
    });
  return WikiReply{kWikiDone, write_wiki_records(all), true};
}

Status LocalServer::start(const WikiRequest& request) {
  if (options_.refuse_starts > 0) {
    --options_.refuse_starts;
    return Error{"start refused by test"};
  }
  return cluster_.start(request.argument, wiki_list(request.option("TASKLIST")), now());
}

Status LocalServer::modify(const WikiRequest& request) {
  const auto value = request.option("TIMELIMIT");
  const auto minutes = parse_integer<std::int64_t>(value);
  constexpr std::int64_t kTenYears = 10 * 366 * 1440;
  if (!minutes || *minutes < 1 || *minutes > kTenYears)
    return Error{
        fmt::format("invalid TIMELIMIT '{}': expected minutes, from 1 to {}", value, kTenYears)};
  return cluster_.set_limit(request.argument, Seconds(*minutes * 60), now());
}

// ARG is a job record as GETJOBS reports it; the command line is an option.
Result<std::string> LocalServer::submit(const WikiRequest& request) {
  const auto records = read_wiki_records("1#" + plain_words(request.argument));
  if (!records || records->records.size() != 1) return Error{"expected one record of a job"};
  WikiNotes notes;
  auto job = read_wiki_job(*records->records.front(), notes);
  for (const auto& problem : notes.problems) return Error{problem};
  for (const auto& flag : job.unknown_flags)
    return Error{fmt::format("unknown job flag '{}'", flag)};
  return cluster_.submit(std::move(job), plain_words(request.option("COMMAND")), now());
}

// The event is not repeated if the scheduler does not listen.
void LocalServer::ring() {
  if (options_.event_port == 0) return;
  const auto socket = std::make_shared<tcp::socket>(io_);
  socket->async_connect(
      {boost::asio::ip::address_v4::loopback(), static_cast<unsigned short>(options_.event_port)},
      [socket](error_code error) {
        static const std::array<char, 5> kEvent{'1', '2', '3', '4', '\0'};
        if (!error) boost::asio::write(*socket, boost::asio::buffer(kEvent), error);
      });
}

void LocalServer::await_child() {
  children_.async_wait([this](error_code error, int) {
    if (error) return;
    cluster_.reap(now());
    await_child();
  });
}

void LocalServer::await_tick() {
  tick_.expires_after(std::chrono::seconds(1));
  tick_.async_wait([this](error_code error) {
    if (error) return;
    cluster_.tick(now());
    await_tick();
  });
}

}  // namespace maui
