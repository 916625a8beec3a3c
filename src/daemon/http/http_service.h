// The scheduler's answers over HTTP: its health, its metrics, replies to commands that change
// nothing, events, and the web page that shows these.
#pragma once
#include <boost/asio/io_context.hpp>
#include <functional>
#include <string>

#include "daemon/clients/client_server.h"
#include "daemon/clients/patient_port.h"
#include "daemon/clients/serving.h"
#include "daemon/http/cached_reply.h"
#include "daemon/http/event_stream.h"
#include "daemon/http/http_server.h"
#include "daemon/http/monitoring.h"
#include "http/request.h"
#include "http/response.h"
#include "maui/result.h"

namespace maui {

class HttpService {
 public:
  /// All must outlive the service.
  struct Surroundings {
    boost::asio::io_context& io;
    const Serving& serving;
    ClientServer& commands;  // HTTP clients take turns with its clients, and have the same limits
    std::function<std::int64_t()> commands_served;
    Monitoring::Sources monitored;
  };

  explicit HttpService(Surroundings surroundings);

  /// Listens at HTTPSOCKET, a relative path in `home`, and at HTTPPORT, or there as soon as no
  /// other program has the port.
  Status listen(const std::string& home);
  /// Adopts changed settings, after the server for commands has.
  void configure();

  /// Receives the events of EngineObserver.
  void begins(Phase phase) { monitoring_.begins(phase); }
  void iteration_ended();
  /// Something that clients are shown has changed.
  void changed();

  /// Keeps all answers until send_answers(): the changes that they show are not on the disk yet.
  void keep_answers() { server_.keep_answers(); }
  void send_answers() { server_.send_answers(); }
  /// Creates the socket again if its file was lost.
  void look_after_socket() { server_.look_after_socket(); }
  /// Stops listening; requests under way continue.
  void finish();

 private:
  const HttpSettings& settings() const { return around_.serving.settings().http; }
  HttpServerOptions options() const;
  Status listen_at_port();
  HttpServer::Work serve(const Caller& caller, const HttpRequest& request);
  HttpServer::Work serve_api(const Caller& caller, const HttpRequest& request);
  HttpResponse begin_stream(const Caller& caller);
  HttpResponse answer(const HttpRequest& request) const;
  ServerCounts client_counts() const;

  Surroundings around_;
  Monitoring monitoring_;
  CachedReply cached_reply_;
  PatientPort port_;
  HttpServer server_;
  EventStream events_;
};

}  // namespace maui
