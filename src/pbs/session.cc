#include "pbs/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <vector>

#include "base/text.h"

namespace maui::pbs {
namespace {

using Clock = std::chrono::steady_clock;

// Servers close connections that were idle for ten minutes.
constexpr std::chrono::seconds kLongestIdle{300};

/// Returns the hosts of the server, beginning with the host that answered last.
std::vector<std::string> hosts_of(const Server& server) {
  std::vector<std::string> hosts;
  for (const auto host : split(server.options.hosts, ','))
    if (!trimmed(host).empty()) hosts.emplace_back(trimmed(host));
  std::stable_partition(hosts.begin(), hosts.end(),
                        [&](const std::string& host) { return host == server.host; });
  return hosts;
}

Task<Status> connect(Server& server, std::string host, std::shared_ptr<Connection> connection) {
  const ServerOptions& options = server.options;
  const Requests requests(options.user);
  if (options.subtype == Subtype::torque) server.dialect = Dialect::bare;
  Status open =
      co_await connection->open(host, options.port, Connection::From::any, options.timeout);
  if (!open) {
    server.dialect.reset();  // another server may answer there the next time
    co_return open;
  }
  if (!server.dialect) {
    std::string first = requests.connect();
    const bool is_openpbs = options.subtype == Subtype::openpbs;
    const auto trial = is_openpbs ? options.timeout : std::min(options.trial, options.timeout);
    const Result<Dialect> found = co_await connection->find_dialect(std::move(first), trial);
    if (!found) co_return found.error();
    if (is_openpbs && !framed(*found))
      co_return Error{"the server does not use OpenPBS's protocol: is SUBTYPE=OPENPBS correct?"};
    server.dialect = *found;
    server.confirmed = framed(*found);
    if (framed(*server.dialect)) co_return Done{};
    open = co_await connection->open(host, options.port, Connection::From::any, options.timeout);
    connection->speak(Dialect::bare);
    co_return open;
  }
  connection->speak(*server.dialect);
  if (!framed(*server.dialect)) co_return Done{};
  std::string first = requests.connect();
  const Result<Reply> reply = co_await connection->ask(std::move(first), options.timeout);
  if (reply) co_return Done{};
  server.dialect.reset();
  co_return reply.error();
}

}  // namespace

Task<Result<std::shared_ptr<Connection>>> open_trusted(Server& server) {
  std::vector<std::string> reasons;  // each reason once
  const auto hosts = hosts_of(server);
  for (const std::string& host : hosts) {
    auto connection = std::make_shared<Connection>(server.io);
    Status status = co_await connect(server, host, connection);
    if (status) status = co_await log_in(server.io, server.options, host, *connection);
    if (status) {
      server.host = host;
      co_return connection;
    }
    if (std::find(reasons.begin(), reasons.end(), status.error().what) == reasons.end())
      reasons.push_back(status.error().what);
  }
  co_return Error{hosts.empty() ? "no host is named" : join(reasons, "; ")};
}

struct Session::State {
  struct Question {
    Make make;
    std::function<void(Answer)> done;
  };
  std::shared_ptr<Server> server;
  std::deque<Question> waiting = {};
  std::shared_ptr<Connection> connection = {};
  Clock::time_point used = {};
  bool serving = false, closed = false;
};

Session::Session(std::shared_ptr<Server> server) : state_(std::make_shared<State>()) {
  state_->server = std::move(server);
}

Session::~Session() {
  state_->closed = true;
  state_->waiting.clear();
  if (state_->connection) state_->connection->close();
}

void Session::ask(Make make, std::function<void(Answer)> done) {
  state_->waiting.push_back({std::move(make), std::move(done)});
  if (std::exchange(state_->serving, true)) return;
  boost::asio::io_context& io = state_->server->io;
  boost::asio::post(io,
                    [&io, state = state_] { boost::asio::co_spawn(io, serve(state), kPassOn); });
}

Task<void> Session::serve(std::shared_ptr<State> state) {
  Server& server = *state->server;
  while (!state->closed && !state->waiting.empty()) {
    auto& connection = state->connection;
    if (connection && Clock::now() - state->used > kLongestIdle) connection.reset();
    if (connection && connection->over()) {
      ++server.losses;
      connection.reset();
    }
    if (!connection) {
      auto opened = co_await open_trusted(server);
      if (opened && server.introduce && !state->closed) {
        const Status introduced = co_await server.introduce(*opened);
        if (!introduced) opened = introduced.error();
      }
      if (!opened) {
        ++server.losses;
        // If the server is unreachable, the waiting requests fail, too.
        auto lost = std::exchange(state->waiting, {});
        for (auto& question : lost)
          if (!state->closed) question.done({opened.error(), false});
        continue;
      }
      connection = *opened;
      if (state->closed) break;
    }
    State::Question question = std::move(state->waiting.front());
    state->waiting.pop_front();
    const Requests requests(server.options.user);
    std::string request = question.make(requests, connection->dialect());
    const auto asked = connection;
    Result<Reply> reply = co_await asked->ask(std::move(request), server.options.timeout);
    state->used = Clock::now();
    if (!reply) ++server.losses;
    if (!reply && connection == asked) connection.reset();
    if (reply) server.confirmed = true;
    // A slow server may have been taken for one with another dialect.
    if (!server.confirmed) server.dialect.reset();
    if (!state->closed) question.done({std::move(reply), true});
  }
  state->serving = false;
}

}  // namespace maui::pbs
