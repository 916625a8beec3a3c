// What clients and signals ask of the daemon itself: requests, parameters, reload, end.
#include <fmt/format.h>

#include <csignal>

#include "base/text.h"
#include "daemon/daemon.h"
#include "proto/reply_codec.h"
#include "proto/request_codec.h"

namespace maui {
namespace {

/// Commands that only look do not make a simulation that has nothing to do go on.
bool only_looks(const CommandRequest& request) {
  const std::string_view command = request.command;
  if (command.starts_with("show") || command.starts_with("check") || command == "diagnose" ||
      command == "mdiag" || request.has("dry-run"))
    return true;
  return (command == "mjobctl" && request.has("q")) ||
         (command == "schedctl" && (request.has("l") || request.has("n")));
}

std::string one_line(const CommandRequest& request) {
  std::string text = request.command;
  for (const auto& [flag, value] : request.flags)
    text += fmt::format(" {}{}{}{}", flag.size() == 1 ? "-" : "--", flag, value.empty() ? "" : " ",
                        value);
  for (const auto& operand : request.operands) text += " " + operand;
  return text;
}

}  // namespace

std::string Daemon::serve(const Caller& caller, std::string_view data) {
  auto request = decode_request(data);
  if (!request) return encode_reply(Refusal{request.error().what});
  request->user = caller.user;
  request->host = caller.host;
  const bool looks = only_looks(*request);
  const auto line =
      fmt::format("{} by user {} from {}", one_line(*request), caller.user, caller.address);
  log(looks ? 4 : 1, "fUI", line);
  if (!engine_->iterating()) world_->tick();
  const Reply reply = execute(*engine_, *this, *request);
  if (const auto* refusal = std::get_if<Refusal>(&reply)) {
    log(2, "fUI", fmt::format("{} refused: {}", request->command, refusal->reason));
  } else if (!looks) {
    log_.report(line);
    driver_->touch();
    if (checkpoint_) {  // what a client is told has happened is not lost any more
      server_->keep_replies();
      unsaved_ = true;
    }
  }
  return encode_reply(reply);
}

Status Daemon::change_parameter(std::string_view parameter,
                                const std::vector<std::string>& values) {
  Configuration next = configuration_;
  if (auto status = next.set(parameter, values, /*at_runtime=*/true); !status) return status;
  adopt(std::move(next));
  return Done{};
}

Status Daemon::reload() {
  std::vector<Diagnostic> diagnostics;
  auto next = Configuration::load(options_.home.config_file, diagnostics);
  for (const auto& diagnostic : diagnostics)
    log(0, "fCONFIG", (diagnostic.warning ? "" : "ERROR: ") + diagnostic.text());
  if (!next) {
    log(0, "fCONFIG", "ERROR: the configuration was not reloaded; every value stays as it was");
    std::vector<std::string> reasons;
    for (const auto& diagnostic : diagnostics)
      if (!diagnostic.warning) reasons.push_back(diagnostic.text());
    return Error{reasons.empty() ? next.error().what : join(reasons, "\n")};
  }
  awaiting_restart_ = next->keep_until_restart(configuration_);
  adopt(std::move(*next));
  log(0, "fCONFIG", "the configuration was reloaded");
  if (!awaiting_restart_.empty())
    log(0, "fCONFIG",
        fmt::format("WARNING: until the scheduler is restarted, these keep their old values: {}",
                    join(awaiting_restart_, " ")));
  return Done{};
}

void Daemon::adopt(Configuration next) {
  const LogSettings old_log = configuration_.settings().log;
  configuration_ = std::move(next);
  const Settings& settings = configuration_.settings();
  // A level set by a signal or -L stays until LOGLEVEL itself is changed.
  LogSettings log_settings = settings.log;
  if (log_settings.level == old_log.level) log_settings.level = log_.level();
  log_.configure(log_settings);
  prepare_for_faults();
  server_->configure(server_options());
  server_->known_hosts().resolve(settings.server.admin_hosts);
  programs_.configure(settings.jobs, options_.home.directory);
  engine_->set_settings(settings);
  world_->configure(settings);
  driver_->touch();
}

void Daemon::wake() {
  driver_->touch();
  resume_.cancel();
  const auto& rule = engine_->stop_rule();
  if (!rule.stopped || !rule.resume_at) return;
  // The simulation's clock stands still meanwhile, so the time is the wall's.
  const auto seconds = std::max((*rule.resume_at - engine_->now()).raw(), std::int64_t{0});
  resume_.expires_after(std::chrono::seconds(std::min(seconds, std::int64_t{1} << 31)));
  resume_.async_wait([this](boost::system::error_code error) {
    if (error) return;
    engine_->stop_rule().stopped = false;
    engine_->stop_rule().resume_at.reset();
  });
}

void Daemon::await_signal() {
  boost::system::error_code ignored;  // adding a signal twice is no error
  for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2})
    signals_.add(number, ignored);
  signals_.async_wait([this](boost::system::error_code error, int number) {
    if (error) return;
    on_signal(number);
    await_signal();
  });
}

void Daemon::on_signal(int number) {
  switch (number) {
    case SIGHUP: {
      [[maybe_unused]] const Status told = reload();  // it has said in the log what is wrong
      return;
    }
    case SIGUSR1:
    case SIGUSR2:
      log_.change_level(number == SIGUSR1 ? 1 : -1);
      log(0, "fCORE", fmt::format("LOGLEVEL is now {}", log_.level()));
      return;
    default:
      log(0, "fCORE", fmt::format("signal {} received", number));
      ending_ = true;
  }
}

}  // namespace maui
