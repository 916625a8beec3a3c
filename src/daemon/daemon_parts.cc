// How the daemon's parts know of each other: those that serve clients, those that control the
// scheduler, and all that a change of the configuration concerns.
#include <fmt/format.h>

#include "daemon/daemon.h"
#include "daemon/programs/background.h"
#include "daemon/programs/program_settings.h"

namespace maui {

void Daemon::open_service() {
  control_.emplace(SchedulerControl::Surroundings{
      io_, configuration_, *engine_, *driver_, records_, log_, [this] { return service(); },
      [this] { return unaccepted_loss(); }, [this] { accept_loss(); }, [this] { end_mark_.show(); },
      options_.generation > 0});
  serving_.emplace(Serving{*engine_, *control_, lines_, [this] { world_->tick(); }});
  changes_.emplace(around_changes());
  const auto changed = [this](const CommandRequest& request) {
    if (http_) http_->changed();
    if (serving_->is_administrators(request))
      driver_->touch();
    else
      users_changes_.ask();
  };
  commands_.emplace(CommandService::Surroundings{*serving_, *changes_, changed,
                                                 [this] { return reception_->server().sync(); }});
  reception_.emplace(io_, configuration_.now(), lines_, options_.home.directory,
                     [this](const Caller& caller, std::string_view data) {
                       return commands_->serve(caller, data);
                     });
  if (!configuration_.settings().http.on()) return;
  const auto checkpoint_failing = [this] {
    return checkpoints_ && (checkpoints_->failing() || checkpoints_->lost());
  };
  http_.emplace(HttpService::Surroundings{
      io_,
      *serving_,
      reception_->server(),
      [this] { return commands_->served().requests; },
      {*engine_, lines_.counts(), checkpoint_failing, started_, started_at_}});
}

UnsavedChanges::Surroundings Daemon::around_changes() {
  return {
      io_, *engine_, checkpoints_ ? &*checkpoints_ : nullptr,
      [this] {
        reception_->server().keep_replies();
        if (http_) http_->keep_answers();
      },
      [this](const ClientServer::Revision& of_changes, std::chrono::steady_clock::duration took) {
        if (http_) http_->send_answers();
        reception_->server().send_replies(of_changes, took);
      }};
}

Status Daemon::listen() {
  const auto earlier = checkpoints_ ? checkpoints_->earlier() : std::nullopt;
  if (auto status = reception_->listen(earlier); !status) return status;
  if (http_)
    if (auto status = http_->listen(options_.home.directory); !status) return status;
  reception_->resolve_hosts();
  return Done{};
}

ServiceReply Daemon::service() const {
  ServiceReply reply = commands_->served();
  const ClientServer& server = reception_->server();
  reply.socket = true;
  reply.port = server.port() > 0;
  reply.connections = server.taken();
  reply.failures = server.refused();
  return reply;
}

ConfigurationInUse::Surroundings Daemon::around_configuration() {
  return {options_.home,
          options_.overrides,
          options_.shared_home,
          log_,
          lines_,
          [this](const Configuration& next) { return world_->can_adopt(next); },
          [this](const Settings& next) { return can_keep_with(next); },
          [this](const Settings& old, ConfigurationInUse::Change change) { adopt(old, change); }};
}

SignalControl::Surroundings Daemon::around_signals() {
  return {io_,
          log_,
          lines_,
          has_terminal,
          [this] { serving_->update_clock(); },
          [this] {
            [[maybe_unused]] const Status reloaded = configuration_.reload();  // errors are logged
          }};
}

HomeWatch::Surroundings Daemon::around_home() {
  return {io_,
          options_.home.directory,
          options_.shared_home,
          simulated(),
          lock_,
          log_,
          lines_,
          [this] {
            reception_->server().look_after_socket();
            if (http_) http_->look_after_socket();
          },
          [this] { begin_anew_in_new_home(); }};
}

void Daemon::adopt(const Settings& old, ConfigurationInUse::Change change) {
  flush_files();  // to their old places
  const Settings& settings = configuration_.settings();
  // A level set by a signal or -L stays until LOGLEVEL itself is set, or the file changes it.
  LogSettings log_settings = settings.log;
  if (change != ConfigurationInUse::Change::log_level && log_settings.level == old.log.level)
    log_settings.level = log_.level();
  adopt_files(old);
  log_.configure(log_settings);
  lines_.configure(log_settings);
  prepare_for_faults();
  reception_->configure();
  if (http_) http_->configure();
  programs_.configure(settings.jobs, options_.home.directory);
  local_programs_.configure(settings.local, options_.home.directory);
  engine_->set_settings(engine_settings());
  world_->configure(configuration_.now());
  adviser_.look_again();
  driver_->touch();
  if (change == ConfigurationInUse::Change::file) reception_->look_up_hosts_again();
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

}  // namespace maui
