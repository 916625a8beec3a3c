// The daemon's HTTP answers: its health, its metrics, replies to commands that change nothing, and
// the web page that shows these.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "base/server_places.h"
#include "cmd/access.h"
#include "cmd/execution.h"
#include "daemon/clients/reply_under_way.h"
#include "daemon/daemon.h"
#include "daemon/memory_reserve.h"
#include "http/api.h"
#include "page/page.h"
#include "proto/reply_schema.h"

namespace maui {
namespace {

std::int64_t resident_memory() {
  std::int64_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

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

}  // namespace

HttpServerOptions Daemon::http_options() const {
  const Settings& settings = configuration_.settings();
  const ClientServerOptions commands = server_options();
  HttpServerOptions options;
  options.timeout = commands.timeout;
  options.max_connections = std::min(options.max_connections, commands.max_connections);
  options.hosts = commands.hosts;
  options.admission.hosts = settings.http.hosts;
  options.admission.proxies = settings.http.proxies;
  for (const auto& name :
       {own_place(settings.server.host, settings.server.port).host, own_host_name()})
    if (!name.empty()) options.admission.hosts.push_back(name);
  return options;
}

Status Daemon::listen_over_http() {
  const HttpSettings& settings = configuration_.settings().http;
  if (!settings.on()) return Done{};
  http_ = std::make_unique<HttpServer>(
      io_, server_->turns(), http_options(),
      [this](const Caller& caller, const HttpRequest& request) {
        return serve_http(caller, request);
      },
      [this](int level, const std::string& party, std::string_view text) {
        log_of(LineCause::client, party, level, "fSOCK", text);
      });
  events_.emplace(
      io_, *http_,
      [this] {
        return fmt::format(R"({{"iteration":{},"now":{}}})", engine_->iteration(),
                           engine_->now().raw());
      },
      [this] { return what_is_shown(*engine_); });
  if (auto status = http_->listen_at_socket(settings, options_.home.directory); !status)
    return Error{"HTTP: " + status.error().what};
  if (!settings.socket.empty()) log(0, "fSOCK", "HTTP is served at the socket " + settings.socket);
  return listen_at_http_port();
}

Status Daemon::listen_at_http_port() {
  const HttpSettings& settings = configuration_.settings().http;
  if (settings.port == 0) return Done{};
  const auto listen = [this]() -> Status {
    const auto status = http_->listen_at_port(configuration_.settings().http);
    if (!status) return Error{"HTTP: " + status.error().what};
    log(0, "fSOCK", fmt::format("HTTP is served at port {}", http_->port()));
    return Done{};
  };
  return http_port_.open({settings.port, listen, [this] { return http_->port_is_taken(); },
                          "nothing is served there", /*once_free=*/{}});
}

HttpServer::Work Daemon::serve_http(const Caller& caller, const HttpRequest& request) {
  if (wants(5))
    log_of(
        LineCause::client, caller.address, 5, "fSOCK",
        fmt::format("/{} asked for over HTTP by {}", fmt::join(request.path, "/"), caller.address));
  if (is_event_stream(request))
    return [this, caller] {
      if (memory_is_short())
        return std::optional(error_response(503, "the scheduler is short of memory"));
      return std::optional(events_->begin(caller));
    };
  if (is_api(request)) return serve_api(caller, request);
  return [this, request] { return std::optional(answer_http(request)); };
}

/// Executes a command that changes nothing.
HttpServer::Work Daemon::serve_api(const Caller& caller, const HttpRequest& request) {
  const auto fault = [](int status, std::string_view what) -> HttpServer::Work {
    return [response = error_response(status, what)] { return std::optional(response); };
  };
  if (request.path.size() == 2)
    return [] { return std::optional(HttpResponse{200, "application/json", api_index()}); };
  if (request.path.size() == 3 && request.path[2] == "schema")
    return [] {
      return std::optional(HttpResponse{200, "application/schema+json", reply_schema()});
    };
  auto read = read_api_request(request);
  if (const auto* wrong = std::get_if<HttpFault>(&read)) return fault(wrong->status, wrong->what);
  auto& [command, rows] = std::get<ApiRequest>(read);
  command.user = caller.user.empty() ? kNobody : caller.user;
  command.host = caller.host;
  const Settings& settings = configuration_.settings();
  if (const auto may = may_use(settings, command, *find_command(command.command)); !may)
    return fault(403, may.error().what);
  if (memory_is_short() && admin_level(settings, command) == 0)
    return fault(503, "the scheduler is short of memory; try again later");
  log_request(
      command, 4,
      fmt::format("{} over HTTP by {} from {}", command.command, command.user, caller.address));
  ServerControl& server = *this;
  return [this, rows = rows, whole = std::shared_ptr<const Reply>(),
          selection = std::shared_ptr<RowSelection>(), under_way = std::shared_ptr<ReplyUnderWay>(),
          sliced = false, totals = std::vector<RowTotal>(),
          execution = std::make_shared<Execution>(
              *engine_, server, std::move(command))]() mutable -> std::optional<HttpResponse> {
    const auto end = std::chrono::steady_clock::now() + kSlice;
    const auto enough = [end] { return std::chrono::steady_clock::now() >= end; };
    if (!whole && !under_way) {
      if (!engine_->iterating()) world_->tick();
      whole = cached_reply_.find(execution->request());
      if (!whole) {
        auto reply = execution->go_on(enough);
        sliced = sliced || enough();
        if (!reply) {
          if (execution->is_large()) http_->finish_first();
          return std::nullopt;
        }
        whole = std::make_shared<const Reply>(*std::move(reply));
        if (sliced) cached_reply_.keep(execution->request(), whole);
      }
      if (const auto* refusal = std::get_if<Refusal>(&*whole))
        return error_response(422, refusal->reason);
      selection = std::make_shared<RowSelection>(*whole, rows);
    }
    if (!under_way) {
      if (!selection->go_on(enough)) {
        http_->finish_first();
        return std::nullopt;
      }
      auto chosen = selection->take();
      if (!chosen) return error_response(400, chosen.error().what);
      totals = std::move(chosen->totals);
      under_way = std::make_shared<ReplyUnderWay>(std::move(chosen->reply),
                                                  remarks_on(execution->request(), *whole));
      selection.reset();
      whole.reset();
    }
    if (!under_way->encoder.go_on(enough)) {
      http_->finish_first();
      return std::nullopt;
    }
    return HttpResponse{200, "application/json",
                        encode_with_totals(under_way->encoder.take(), totals, rows.most) + "\n"};
  };
}

HttpResponse Daemon::answer_http(const HttpRequest& request) const {
  const std::string page = request.path.size() == 1 ? request.path.front() : std::string();
  if (page == "health") {
    const Health health = health_of(*engine_, server_state());
    return {health.problems.empty() ? 200 : 503, "application/json", health_as_json(health)};
  }
  if (page == "metrics")
    return {200, "text/plain; version=0.0.4; charset=utf-8",
            metrics_text(*engine_, times_, server_state(), server_counts())};
  if (request.path.size() <= 1)
    if (const auto* file = page_file(page.empty() ? "index.html" : page))
      return {200, std::string(file->type), std::string(file->text)};
  return error_response(404, "unknown page: expected /, /health, /metrics or /api/v1");
}

ServerState Daemon::server_state() const {
  ServerState state;
  if (const auto last = times_.last_end()) state.iteration_age = seconds_since(*last);
  state.up = seconds_since(started_);
  state.checkpoint_failing = checkpoints_ && (checkpoints_->failing() || checkpoints_->lost());
  state.memory_short = memory_is_short();
  return state;
}

ServerCounts Daemon::server_counts() const {
  ServerCounts counts;
  const auto over_http = static_cast<std::int64_t>(http_->connections());
  counts.commands = {static_cast<std::int64_t>(server_->connections()) - over_http,
                     served_.requests, server_->refused()};
  counts.http = {over_http, http_->requests(), http_->refused()};
  counts.event_streams = static_cast<std::int64_t>(http_->streams());
  counts.lines = lines_;
  counts.started = static_cast<double>(started_at_);
  counts.memory = resident_memory();
  return counts;
}

}  // namespace maui
