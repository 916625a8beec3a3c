// The daemon's reactions to clients and signals: requests, parameters, reload, end.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <initializer_list>
#include <new>

#include "base/outside_text.h"
#include "base/text.h"
#include "cmd/access.h"
#include "cmd/dry_run.h"
#include "cmd/execution.h"
#include "cmd/operands.h"
#include "config/check.h"
#include "config/parameters.h"
#include "daemon/clients/reply_under_way.h"
#include "daemon/daemon.h"
#include "daemon/files/distinct_files.h"
#include "daemon/files/private_directories.h"
#include "daemon/files/trusted_places.h"
#include "daemon/memory_reserve.h"
#include "daemon/programs/program_settings.h"
#include "daemon/start_check.h"
#include "proto/reply_codec.h"
#include "proto/request_codec.h"

namespace maui {
namespace {

template <class Names = std::initializer_list<std::string_view>>
bool is_one_of(std::string_view word, const Names& names) {
  return std::find(names.begin(), names.end(), word) != names.end();
}

/// True for commands to the scheduler itself: their changes last until it ends, not in checkpoints.
bool controls(std::string_view command) { return is_one_of(command, {"changeparam", "schedctl"}); }

bool acts_on_jobs(std::string_view command) {
  return is_one_of(
      command, {"canceljob", "mjobctl", "releasehold", "runjob", "sethold", "setqos", "setspri"});
}

bool acts_on_reservations(std::string_view command) {
  return is_one_of(command, {"setres", "releaseres"});
}

std::string one_line(const CommandRequest& request) {
  std::string text = request.command;
  for (const auto& [flag, value] : request.flags)
    text += fmt::format(" {}{}{}{}", flag.size() == 1 ? "-" : "--", flag, value.empty() ? "" : " ",
                        value);
  for (const auto& operand : request.operands) {
    if (text.size() > kLongestValue) break;
    text += " " + operand;
  }
  return shortened(text);
}

/// Does `step` of a request.  Throws HalfDone if memory runs out after something may have changed.
template <class Step>
void all_or_half_done(const CommandRequest& request, Step step) {
  try {
    step();
  } catch (const std::bad_alloc&) {
    if (only_looks(request)) throw;
    throw HalfDone();
  }
}

}  // namespace

ClientServer::Work Daemon::serve(const Caller& caller, std::string_view data) {
  auto request = decode_request(data);
  if (!request)
    return [reply = encode_reply(Refusal{request.error().what})] { return std::optional(reply); };
  request->user = caller.user;
  request->host = caller.host;
  if (memory_is_short() && admin_level(configuration_.settings(), *request) == 0) {
    log_request(*request, 0, "ALERT: memory is short: requests of ordinary users are refused");
    return [reply = encode_reply(Refusal{"the scheduler is short of memory; try again later"})] {
      return std::optional(reply);
    };
  }
  ++served_.requests;
  served_.job_requests += acts_on_jobs(request->command) ? 1 : 0;
  served_.reservation_requests += acts_on_reservations(request->command) ? 1 : 0;
  auto line = fmt::format("{} by user {} from {}", one_line(*request), caller.user, caller.address);
  log_request(*request, only_looks(*request) ? 4 : 1, line);
  if (wants(8))
    log_request(*request, 8, fmt::format("{} bytes from {}", data.size(), caller.address));
  ServerControl& server = *this;
  const auto execution = std::make_shared<Execution>(*engine_, server, *std::move(request));
  std::optional<std::string> lost;  // why a change is not saved, once known; empty: it is saved
  return [this, execution, lost, changed = false, encoded = std::shared_ptr<ReplyUnderWay>(),
          line = std::move(line),
          address = caller.address]() mutable -> std::optional<std::string> {
    const auto& asked = execution->request();
    const auto end = std::chrono::steady_clock::now() + kSlice;
    const auto enough = [end] { return std::chrono::steady_clock::now() >= end; };
    if (only_looks(asked)) server_->only_looks();
    if (!encoded) {
      if (!engine_->iterating()) world_->tick();
      if (!lost) {
        auto why = why_not_kept(asked);
        if (!why) return encode_reply(Refusal{why.error().what});
        lost = *std::move(why);
      }
      auto reply = execution->go_on(enough);
      const auto* refusal = reply ? std::get_if<Refusal>(&*reply) : nullptr;
      changed = execution->has_changed() && refusal == nullptr;
      all_or_half_done(asked, [&] {
        if (refusal != nullptr) log_refusal(asked, *refusal);
        if (changed) note_change(std::exchange(line, {}));
      });
      if (!reply) {
        if (changed && keeps(asked)) checkpoint_outdated();  // its client may go away
        if (execution->is_large()) server_->finish_first();
        return std::nullopt;
      }
      if (refusal != nullptr) lost->clear();
      all_or_half_done(asked, [&] {
        auto remarks = remarks_on(asked, *reply);
        remarks.not_kept = *lost;
        encoded = std::make_shared<ReplyUnderWay>(*std::move(reply), std::move(remarks));
      });
    }
    bool complete = false;
    all_or_half_done(asked, [&] { complete = encoded->encoder.go_on(enough); });
    if (!complete) {
      if (changed && keeps(asked)) checkpoint_outdated();
      server_->finish_first();
      return std::nullopt;
    }
    if (changed) confirm_change(asked, lost->empty());
    auto text = encoded->encoder.take();
    if (wants(7))
      log_request(asked, 7,
                  fmt::format("{} answered: {} bytes to {}", asked.command, text.size(), address));
    return text;
  };
}

/// Warns that resource managers have not reported yet, so that an empty list may be incomplete, or
/// that scheduling is stopped, so that the data is old, or that nothing is scheduled for a lost
/// checkpoint.
ReplyRemarks Daemon::remarks_on(const CommandRequest& request, const Reply& reply) const {
  ReplyRemarks remarks;
  if (simulated() || controls(request.command) || request.command == "showconfig" ||
      std::holds_alternative<Refusal>(reply))
    return remarks;
  if (request.command != "diagnose" || !request.has("R"))
    remarks.not_reported = engine_->managers_not_heard();
  remarks.stopped = unaccepted_loss().value_or(stopped_scheduling(*engine_));
  return remarks;
}

bool Daemon::keeps(const CommandRequest& request) const {
  return checkpoints_ && !only_looks(request) && !controls(request.command);
}

/// Returns why the change that the command is about to make will not be saved; empty if it will be,
/// or if nothing needs saving.  An error means that the change must not be made.
Result<std::string> Daemon::why_not_kept(const CommandRequest& request) {
  if (!keeps(request)) return std::string();
  if (const auto loss = unaccepted_loss()) return *loss;
  if (unsaved_) return std::string();  // the next checkpoint includes this change, too
  const auto can = checkpoints_->can_keep();
  if (can) return std::string();
  if (configuration_.settings().server.checkpoint_failure == CheckpointFailure::refuse)
    return Error{
        fmt::format("nothing was changed, since it cannot be saved: {}", can.error().what)};
  return can.error().what;
}

void Daemon::log_request(const CommandRequest& request, int level, std::string_view text) {
  if (admin_level(configuration_.settings(), request) != 0)
    log(level, "fUI", text);
  else
    log_of(LineCause::client, "user " + request.user, level, "fUI", text);
}

void Daemon::log_refusal(const CommandRequest& request, const Refusal& refusal) {
  log_request(request, 2,
              fmt::format("{}{} refused: {}", request.command,
                          is_dry_run(request) ? " --dry-run" : "", shortened(refusal.reason)));
}

/// Handles that the client is about to be told of a change.
void Daemon::confirm_change(const CommandRequest& request, bool kept) {
  if (kept && keeps(request)) return keep_replies();  // a confirmed change must not be lost
  // A replay of this request after a loss of power must be refused all the same.
  if (const auto status = server_->sync(); !status)
    log(0, "fSOCK",
        "ALERT: replayed messages may be accepted after a loss of power: " + status.error().what);
}

/// Handles the consequences of a change, or of a part of one.  `line` reports it; empty: it has
/// been reported.
void Daemon::note_change(const std::string& line) {
  if (!line.empty()) log_.report(line);
  cached_reply_.forget();
  if (events_) events_->changed();
  driver_->touch();
}

/// Keeps all replies until the next checkpoint is written.
void Daemon::keep_replies() {
  server_->keep_replies();
  if (http_ != nullptr) http_->keep_answers();
  unsaved_ = true;
}

ServiceReply Daemon::service() const {
  ServiceReply reply = served_;
  reply.socket = server_ != nullptr;
  reply.port = server_ != nullptr && server_->port() > 0;
  if (server_ == nullptr) return reply;
  reply.connections = server_->taken();
  reply.failures = server_->refused();
  return reply;
}

Result<Configuration> Daemon::with_parameter(std::string_view parameter,
                                             const std::vector<std::string>& values) const {
  Configuration next = configuration_;
  if (auto status = next.set(parameter, values, /*at_runtime=*/true); !status)
    return status.error();
  if (auto status = check_next(next); !status) return status.error();
  return next;
}

Status Daemon::change_parameter(std::string_view parameter,
                                const std::vector<std::string>& values) {
  auto next = with_parameter(parameter, values);
  if (!next) return next.error();
  if (auto can = can_keep_with(next->settings()); !can) return can;
  const auto known = configuration_.warnings();
  const auto* named = config::find_parameter(parameter);
  adopt(*std::move(next), named != nullptr && named->name == std::string_view("LOGLEVEL"));
  log(2, "fCONFIG", fmt::format("parameter {} is changed to: {}", parameter, join(values, " ")));
  for (const auto& warning : configuration_.warnings_besides(known))
    log(0, "fCONFIG", "WARNING: " + warning);
  return Done{};
}

/// Succeeds if what the configuration says of resource managers is complete.
Status check_managers(const Configuration& configuration) {
  const auto problems = resource_manager_problems({configuration, {}, {}});
  return problems.empty() ? Status(Done{}) : Error{join(problems, "\n")};
}

/// Succeeds if `next` can be run with: it keeps our user in ADMIN1, names only places that others
/// cannot change, and what it says of resource managers and clients is complete.  All that could
/// fail later is tried, since a change is made as a whole or not at all.
Status Daemon::check_next(const Configuration& configuration) const {
  const Settings& next = configuration.settings();
  const auto& now = configuration_.settings().server.admins[0];
  const auto& then = next.server.admins[0];
  const auto names_us = [user = effective_user()](const std::vector<std::string>& admins) {
    return is_one_of(user, admins) || is_one_of("ALL", admins);
  };
  if (names_us(now) && !names_us(then))
    return Error{fmt::format("ADMIN1: expected to include user '{}', who runs the scheduler",
                             effective_user())};
  if (auto status = check_managers(configuration); !status) return status;
  if (auto status = check_munge(configuration.client_authentication()); !status) return status;
  if (auto status = check_files_differ(options_.home, next); !status) return status;
  if (auto status = check_directories(options_.home.directory, next); !status) return status;
  if (auto status = check_new_places(options_.home, configuration_.settings(), next); !status)
    return status;
  if (auto status = world_->can_adopt(configuration); !status) return status;
  return options_.shared_home ? Status(Done{}) : check_places(options_.home, next);
}

Result<ServerControl::Reread> Daemon::reread(std::vector<Diagnostic>& diagnostics) const {
  auto next = Configuration::load(options_.home.config_file, diagnostics, options_.overrides);
  if (!next) {
    std::vector<std::string> reasons;
    for (const auto& diagnostic : diagnostics)
      if (!diagnostic.warning) reasons.push_back(diagnostic.text());
    return Error{reasons.empty() ? next.error().what : join(reasons, "\n")};
  }
  // A file with which the scheduler would not start is not for now either.
  if (auto status = check_managers(*next); !status) return status.error();
  auto awaiting_restart = next->keep_until_restart(configuration_);
  if (auto status = check_next(*next); !status) return status.error();
  return Reread{*std::move(next), std::move(awaiting_restart)};
}

Status Daemon::reload() {
  [[maybe_unused]] const Status at_once = log_.reopen();  // what follows is for the new file
  std::vector<Diagnostic> diagnostics;
  auto next = reread(diagnostics);
  if (next)
    if (const auto can = can_keep_with(next->configuration.settings()); !can) next = can.error();
  for (const auto& diagnostic : diagnostics)
    log(0, "fCONFIG", (diagnostic.warning ? "" : "ERROR: ") + diagnostic.text());
  if (!next) {
    if (std::all_of(diagnostics.begin(), diagnostics.end(),
                    [](const Diagnostic& diagnostic) { return diagnostic.warning; }))
      log(0, "fCONFIG", "ERROR: " + next.error().what);
    log(0, "fCONFIG", "ERROR: the configuration was not reloaded; all values are unchanged");
    return next.error();
  }
  awaiting_restart_ = std::move(next->awaiting_restart);
  for (const auto& warning : next->configuration.warnings())
    log(0, "fCONFIG", "WARNING: " + warning);
  adopt(std::move(next->configuration));
  hosts_.look_up_again();
  log(0, "fCONFIG", "the configuration was reloaded");
  if (!awaiting_restart_.empty())
    log(0, "fCONFIG",
        fmt::format("WARNING: until the scheduler is restarted, these keep their old values: {}",
                    join(awaiting_restart_, " ")));
  if (const auto opened = log_.reopen(); !opened)
    return Error{"the configuration was reloaded, but " + opened.error().what};
  return Done{};
}

void Daemon::adopt(Configuration next, bool sets_level) {
  const Settings old = configuration_.settings();
  const LogSettings& old_log = old.log;
  cached_reply_.forget();
  flush_files();  // to their old places
  configuration_ = std::move(next);
  const Settings& settings = configuration_.settings();
  // A level set by a signal or -L stays until LOGLEVEL itself is set, or the file changes it.
  LogSettings log_settings = settings.log;
  if (!sets_level && log_settings.level == old_log.level) log_settings.level = log_.level();
  adopt_files(old);
  log_.configure(log_settings);
  bounded_lines_.configure(log_settings);
  prepare_for_faults();
  adopt_clients();
  server_->configure(server_options());
  if (http_ != nullptr) http_->configure(http_options());
  resolve_hosts();
  if (const auto status = listen_to_network(); !status)
    log(0, "fSOCK", "ALERT: " + status.error().what);
  programs_.configure(settings.jobs, options_.home.directory);
  local_programs_.configure(settings.local, options_.home.directory);
  engine_->set_settings(engine_settings());
  world_->configure(configuration_);
  adviser_.look_again();
  driver_->touch();
}

/// Switches files to the places in the new configuration.
void Daemon::adopt_files(const Settings& old) {
  const Settings& settings = configuration_.settings();
  if (settings.log.directory != old.log.directory || settings.log.file != old.log.file) {
    log(0, "fCORE",
        fmt::format("the log continues in {}/{}", settings.log.directory, settings.log.file));
    open_log();
  }
  const bool moved = settings.server.stat_dir != old.server.stat_dir;
  if (moved) {
    open_records();
    records_.write_fairshare(*engine_, engine_->fairshare().windows.size());
  }
  if (moved || settings.allocations != old.allocations) open_bank();
  if (checkpoints_ && settings.server.checkpoint_file != old.server.checkpoint_file)
    checkpoints_->move_to(checkpoint_of(settings));
  node_program_->set_path(node_program_path(settings, options_.home.directory));
}

void Daemon::wake() {
  driver_->touch();
  resume_.cancel();
  const auto& rule = engine_->stop_rule();
  if (!rule.stopped || !rule.resume_at) return;
  // The simulation's clock stands still while stopped, so this waits in real time.
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
  if (!engine_->iterating()) world_->tick();
  switch (number) {
    case SIGHUP: {
      if (had_terminal_ && !has_terminal()) {  // the terminal was closed; not a reload
        log(0, "fCORE", "the terminal was closed");
        ending_ = true;
        return;
      }
      [[maybe_unused]] const Status reloaded = reload();  // errors are in the log already
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
