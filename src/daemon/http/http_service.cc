#include "daemon/http/http_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "base/server_places.h"
#include "cmd/access.h"
#include "daemon/http/api_query.h"
#include "http/api.h"
#include "page/page.h"
#include "proto/reply_schema.h"

namespace maui {
namespace {

/// Returns counts and revisions of all that commands show, except what changes with time alone.
std::vector<std::uint64_t> what_is_shown(const Engine& engine) {
  const Cluster& cluster = engine.counted();
  const auto waiting = cluster.waiting();
  std::vector<std::uint64_t> found = {
      cluster.placed_jobs().revision(),
      cluster.changed_nodes().revision(),
      cluster.node_changes(),
      cluster.reservation_changes(),
      cluster.reservations_made(),
      cluster.releases(),
      cluster.suspended().size(),
      waiting.size(),
      static_cast<std::uint64_t>(cluster.counts().waiting_proc_seconds)};
  if (!waiting.empty()) found.push_back(waiting.back().arrival);
  std::int64_t held = 0;
  for (std::size_t i = 0; i < cluster.credentials_known(); ++i)
    held += cluster.queue_share(CredentialsId(i)).held;
  found.push_back(static_cast<std::uint64_t>(held));
  found.push_back(engine.stop_rule().stopped ? 1 : 0);
  for (const RmRecord& manager : engine.rm_records()) found.push_back(manager.up ? 1 : 0);
  return found;
}

HttpServer::Work at_once(HttpResponse response) {
  return [response = std::move(response)] { return response; };
}

}  // namespace

HttpService::HttpService(Surroundings surroundings)
    : around_(std::move(surroundings)),
      monitoring_(around_.monitored),
      cached_reply_(around_.io),
      port_(around_.io,
            [this](std::string_view line) { around_.serving.lines.write(0, "fSOCK", line); }),
      server_(
          around_.io, around_.commands.turns(), options(),
          [this](const Caller& caller, const HttpRequest& request) {
            return serve(caller, request);
          },
          [this](int level, const std::string& party, std::string_view text) {
            around_.serving.lines.write_of(LineCause::client, party, level, "fSOCK", text);
          }),
      events_(
          around_.io, server_,
          [&engine = around_.serving.engine] {
            return fmt::format(R"({{"iteration":{},"now":{}}})", engine.iteration(),
                               engine.now().raw());
          },
          [&engine = around_.serving.engine] { return what_is_shown(engine); }) {}

HttpServerOptions HttpService::options() const {
  const ClientServerOptions& commands = around_.commands.options();
  const ServerSettings& own = around_.serving.settings().server;
  HttpServerOptions options;
  options.timeout = commands.timeout;
  options.max_connections = std::min(options.max_connections, commands.max_connections);
  options.hosts = commands.hosts;
  options.admission.hosts = settings().hosts;
  options.admission.proxies = settings().proxies;
  for (const auto& name : {own_place(own.host, own.port).host, own_host_name()})
    if (!name.empty()) options.admission.hosts.push_back(name);
  return options;
}

Status HttpService::listen(const std::string& home) {
  if (auto status = server_.listen_at_socket(settings(), home); !status)
    return Error{"HTTP: " + status.error().what};
  if (const auto& socket = settings().socket; !socket.empty())
    around_.serving.lines.write(0, "fSOCK", "HTTP is served at the socket " + socket);
  return settings().port == 0 ? Status(Done{}) : listen_at_port();
}

Status HttpService::listen_at_port() {
  const auto listen = [this]() -> Status {
    const auto status = server_.listen_at_port(settings());
    if (!status) return Error{"HTTP: " + status.error().what};
    around_.serving.lines.write(0, "fSOCK",
                                fmt::format("HTTP is served at port {}", server_.port()));
    return Done{};
  };
  return port_.open({settings().port, listen, [this] { return server_.port_is_taken(); },
                     "nothing is served there", /*once_free=*/{}});
}

void HttpService::iteration_ended() {
  monitoring_.iteration_ended();
  cached_reply_.forget();
  events_.look();
}

void HttpService::changed() {
  cached_reply_.forget();
  events_.changed();
}

void HttpService::configure() {
  cached_reply_.forget();
  server_.configure(options());
}

void HttpService::finish() {
  port_.cancel();
  server_.finish();
}

HttpServer::Work HttpService::serve(const Caller& caller, const HttpRequest& request) {
  if (around_.serving.lines.wants(5))
    around_.serving.lines.write_of(
        LineCause::client, caller.address, 5, "fSOCK",
        fmt::format("/{} asked for over HTTP by {}", fmt::join(request.path, "/"), caller.address));
  if (is_event_stream(request)) return [this, caller] { return begin_stream(caller); };
  if (is_api(request)) return serve_api(caller, request);
  return [this, request] { return answer(request); };
}

HttpResponse HttpService::begin_stream(const Caller& caller) {
  if (around_.serving.short_of_memory())
    return error_response(503, "the scheduler is short of memory");
  return events_.begin(caller);
}

/// Executes a command that changes nothing.
HttpServer::Work HttpService::serve_api(const Caller& caller, const HttpRequest& request) {
  if (request.path.size() == 2) return at_once({200, "application/json", api_index()});
  if (request.path.size() == 3 && request.path[2] == "schema")
    return at_once({200, "application/schema+json", reply_schema()});
  auto read = read_api_request(request);
  if (const auto* wrong = std::get_if<HttpFault>(&read))
    return at_once(error_response(wrong->status, wrong->what));
  auto& asked = std::get<ApiRequest>(read);
  CommandRequest& command = asked.command;
  command.user = caller.user.empty() ? kNobody : caller.user;
  command.host = caller.host;
  const Serving& serving = around_.serving;
  if (const auto may = may_use(serving.settings(), command, *find_command(command.command)); !may)
    return at_once(error_response(403, may.error().what));
  if (serving.lacks_memory_for(command))
    return at_once(error_response(503, "the scheduler is short of memory; try again later"));
  serving.log(
      command, 4,
      fmt::format("{} over HTTP by {} from {}", command.command, command.user, caller.address));
  return [query = std::make_shared<ApiQuery>(serving, cached_reply_, std::move(asked))] {
    return query->go_on();
  };
}

HttpResponse HttpService::answer(const HttpRequest& request) const {
  const std::string page = request.path.size() == 1 ? request.path.front() : std::string();
  if (page == "health") return monitoring_.health();
  if (page == "metrics") return monitoring_.metrics(client_counts());
  if (request.path.size() <= 1)
    if (const auto* file = page_file(page.empty() ? "index.html" : page))
      return {200, std::string(file->type), std::string(file->text)};
  return error_response(404, "unknown page: expected /, /health, /metrics or /api/v1");
}

ServerCounts HttpService::client_counts() const {
  ServerCounts counts;
  const auto over_http = static_cast<std::int64_t>(server_.connections());
  counts.commands = {static_cast<std::int64_t>(around_.commands.connections()) - over_http,
                     around_.commands_served(), around_.commands.refused()};
  counts.http = {over_http, server_.requests(), server_.refused()};
  counts.event_streams = static_cast<std::int64_t>(server_.streams());
  return counts;
}

}  // namespace maui
