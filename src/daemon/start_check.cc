#include "daemon/start_check.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/un.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "base/server_places.h"
#include "base/text.h"
#include "config/check.h"
#include "config/files.h"
#include "config/release_3_3.h"
#include "daemon/clients/client_hosts.h"
#include "daemon/clients/client_server.h"
#include "daemon/clients/unused_socket.h"
#include "daemon/files/checkpoint_file.h"
#include "daemon/files/distinct_files.h"
#include "daemon/files/lock_file.h"
#include "daemon/files/private_directories.h"
#include "daemon/files/trusted_places.h"
#include "daemon/http/http_server.h"
#include "daemon/lease/lease_file.h"
#include "daemon/programs/helper_link.h"
#include "daemon/programs/munge_reader.h"
#include "daemon/programs/program_settings.h"
#include "daemon/site_advice.h"
#include "daemon/start_warnings.h"
#include "daemon/worlds/world.h"
#include "engine/actions/resource_rules.h"
#include "engine/checkpoint/checkpoint.h"
#include "engine/engine.h"
#include "net/port_holder.h"
#include "programs/inquiry.h"

namespace maui {
namespace {

namespace fs = std::filesystem;

enum class PlaceKind {
  file,      // the file itself is written to
  replaced,  // a new file replaces it
  directory
};

Error what_failed() { return Error{std::generic_category().message(errno)}; }

/// Creates an entry in that directory and removes it.  Some directories, like /proc, accept nothing
/// whatever their mode.
Status try_to_make_in(const fs::path& directory) {
  auto name = ((directory.empty() ? "." : directory) / ".check.XXXXXX").string();
  return ::mkdtemp(name.data()) != nullptr && ::rmdir(name.c_str()) == 0 ? Status(Done{})
                                                                         : what_failed();
}

/// The scheduler follows no link to a file that it writes.
Status try_to_open(const fs::path& file) {
  const int opened =
      ::open(file.c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  return opened >= 0 && ::close(opened) == 0 ? Status(Done{}) : what_failed();
}

/// Succeeds if a file or directory can be written or created there.
Status try_to_write(const fs::path& path, PlaceKind kind) {
  std::error_code error;
  auto at = path;
  auto type = fs::symlink_status(at, error).type();
  if (type == fs::file_type::none) return Error{error.message()};
  if (type != fs::file_type::not_found && kind != PlaceKind::directory) {
    if (auto can = try_to_open(path); !can || kind == PlaceKind::file) return can;
    return try_to_make_in(path.parent_path());
  }
  while (type == fs::file_type::not_found && at.has_parent_path() && at != at.parent_path()) {
    at = at.parent_path();
    type = fs::symlink_status(at, error).type();
  }
  return try_to_make_in(at);
}

/// A file or directory that a parameter names and that the scheduler writes.
struct WrittenPlace {
  const char* parameter;
  fs::path path;
  PlaceKind kind;
  Status check() const {
    const auto can = try_to_write(path, kind);
    return can ? can
               : Error{fmt::format("{}: '{}' cannot be written: {}", parameter, path.string(),
                                   can.error().what)};
  }
};

WrittenPlace log_place(const fs::path& home, const Settings& settings) {
  return {"LOGFILE", home / settings.log.directory / settings.log.file, PlaceKind::file};
}

WrittenPlace statistics_place(const fs::path& home, const Settings& settings) {
  return {"STATDIR", home / settings.server.stat_dir, PlaceKind::directory};
}

/// Succeeds if the scheduler could listen at HTTPSOCKET, or does.
Status check_http_socket(const Home& home, const HttpSettings& settings) {
  if (settings.socket.empty()) return Done{};
  const auto path = fs::path(home.directory) / settings.socket;
  const auto refused = [](const std::string& why) { return Error{"HTTPSOCKET: " + why}; };
  if (const auto unused = check_unused(path, home.directory); !unused)
    return refused(unused.error().what);
  constexpr auto kLongest = sizeof(sockaddr_un::sun_path) - 1;
  if (path.native().size() > kLongest)
    return refused(fmt::format("the path '{}' is too long for a socket: expected at most {} bytes",
                               path.string(), kLongest));
  if (const auto can = try_to_make_in(path.parent_path()); !can)
    return refused(fmt::format("cannot make a socket in the directory '{}': {}",
                               path.parent_path().string(), can.error().what));
  return Done{};
}

/// True if the first word stands for every user, none of whom the scheduler could run as.
bool begins_with_all(const std::vector<std::string>& admins) {
  return !admins.empty() && admins.front() == "ALL";
}

/// True if the name is a user's, so that this user of ADMIN1 could start the scheduler at all.
bool is_user(const std::string& name) {
  return ::getpwnam(name.c_str()) != nullptr || parse_integer<unsigned>(name);
}

class StartCheck {
 public:
  /// `of_3_3`: the warnings about a file of release 3.3 have been given.
  StartCheck(const Home& home, bool shared, bool of_3_3, const Configuration& configuration,
             ConfigCheck& check)
      : home_(home),
        shared_(shared),
        of_3_3_(of_3_3),
        configuration_(configuration),
        settings_(configuration.settings()),
        check_(check) {}

  void run() {
    if (const auto status = check_user(settings_.server); !status) {
      is_owner_ = false;
      const auto& owners = settings_.server.admins[0];
      if (begins_with_all(owners)) return check_.error(status.error().what);
      if (!owners.empty() && !is_user(owners.front()))
        check_.error(
            fmt::format("unknown user '{}' on this machine, the first of ADMIN1: the "
                        "scheduler must run as that user",
                        owners.front()));
      check_.warning(fmt::format("checked by another user, whose permissions may differ: {}",
                                 status.error().what));
    }
    if (const auto status = check_files_differ(home_, settings_); !status)
      check_.error(status.error().what);
    fail_unless(check_directories(home_.directory, settings_));
    if (settings_.server.mode == ServerMode::normal &&
        settings_.server.host.find(',') != std::string::npos)
      fail_unless(LeaseFile(lease_path(home_.directory)).prepared());
    if (!shared_)
      fail_unless(check_places(home_, settings_, configuration_.client_authentication()));
    auto lock = take_lock();
    check_files();
    if (lock && settings_.server.mode == ServerMode::normal) check_that_checkpoint_is_ours(*lock);
    check_programs();
    if (const auto status = check_munge(configuration_.client_authentication()); !status)
      check_.error(status.error().what);
    check_hosts();
    check_world();
    if (lock)
      check_sockets();
    else if (running_)
      check_places_of_sockets();
  }

 private:
  /// Adds a fault that prevents a start, but only a warning if the checking user is not the owner.
  void fail_unless(const Status& status) {
    if (status) return;
    is_owner_ ? check_.error(status.error().what) : check_.warning(status.error().what);
  }

  /// Returns nothing if a scheduler runs here, whose sockets and ports are then in use.
  std::optional<LockFile> take_lock() {
    auto lock = LockFile::take(home_.directory + "/maui.pid");
    if (lock && !lock->stranger().empty())
      check_.warning(fmt::format("{} has locked the directory '{}': the scheduler starts anyway",
                                 lock->stranger(), home_.directory));
    if (lock) return *std::move(lock);
    running_ = lock.error().what.starts_with("a scheduler is already running");
    if (running_)
      check_.warning(fmt::format("{}: its ports were not checked", lock.error().what));
    else
      fail_unless(lock.error());
    return std::nullopt;
  }

  void check_files() {
    const fs::path base = home_.directory;
    const auto& server = settings_.server;
    const WrittenPlace places[] = {
        log_place(base, settings_),
        statistics_place(base, settings_),
        {"CHECKPOINTFILE", base / server.checkpoint_file, PlaceKind::replaced}};
    for (const auto& place : places)
      if (const auto can = place.check(); !can) check_.warning(can.error().what);
    if (server.mode == ServerMode::normal) check_checkpoint(base / server.checkpoint_file);
  }

  void check_that_checkpoint_is_ours(LockFile& lock) {
    const auto path = fs::path(home_.directory) / settings_.server.checkpoint_file;
    if (const auto covered = lock.cover_checkpoint(path); !covered)
      fail_unless(Error{"CHECKPOINTFILE: " + covered.error().what});
  }

  void check_checkpoint(const fs::path& path) {
    constexpr std::string_view kAlert = "ALERT: ";
    const auto reader = [this](const std::string& text) -> Status {
      Cluster names;
      const auto known = read_checkpoint_text(text, settings_.display.plot, names);
      return known ? Status(Done{}) : Status(known.error());
    };
    const auto warn = [this, kAlert](std::string_view line) {
      if (line.starts_with(kAlert)) line.remove_prefix(kAlert.size());
      check_.warning(fmt::format("CHECKPOINTFILE: {}", line));
    };
    if (is_checkpoint_of_3_3(path.string()))
      return check_.warning(fmt::format(
          "CHECKPOINTFILE: checkpoint '{}' is of release 3.3 and is not read: the start "
          "renames it; its holds, priorities and reservations must be set again",
          path.string()));
    const auto left_behind = checkpoint_left_behind(path.string(), home_.directory);
    if (left_behind) check_.warning(*left_behind);
    if (left_behind ||
        CheckpointFile(path.string()).look(reader, warn) == CheckpointFile::Found::unusable)
      check_.warning(
          "CHECKPOINTFILE: none is usable: the scheduler would start no jobs until the "
          "loss is accepted with schedctl -r");
  }

  void check_programs() {
    for (const auto& setting : program_settings(settings_, home_.directory))
      if (const auto place = first_usable(setting); !place)
        check_.warning(fmt::format("{} has no effect: {}", setting.parameter, place.error().what));
  }

  /// A host whose name cannot be resolved is treated like any other host.
  void check_hosts() {
    ClientHosts hosts(io_, [this](std::string_view line) { warn_of(line); });
    hosts.resolve(settings_.server.admin_hosts, configuration_.client_authentication().hosts());
    for (const auto& warning : start_warnings(home_, configuration_)) check_.add(warning);
  }

  /// Adds a line of the log if it is a warning.
  void warn_of(std::string_view line) {
    constexpr std::string_view kWarning = "WARNING: ";
    if (line.starts_with(kWarning)) check_.warning(line.substr(kWarning.size()));
  }

  /// Returns the configuration without event ports, which a running scheduler may have in use.
  Configuration without_ports() const {
    auto configuration = configuration_;
    for (const auto& [index, manager] : settings_.resource_managers)
      [[maybe_unused]] const Status set =
          configuration.set(fmt::format("RMCFG[{}]", index), {"EPORT=0"}, /*at_runtime=*/false);
    return configuration;
  }

  void check_world() {
    const WorldLog line{[this](int, std::string_view, std::string_view text) { warn_of(text); }};
    const auto tried = running_ ? without_ports() : configuration_;
    const auto world = settings_.server.mode == ServerMode::simulation
                           ? open_simulation(settings_, home_.directory, line)
                           : open_live(io_, tried, home_.directory, 0, line, [] {}, {});
    if (!world) return check_.error(world.error().what);
    if (settings_.server.mode == ServerMode::simulation)
      look_at_nodes(**world);
    else
      check_live();
  }

  /// The nodes of live resource managers are not known: most have several processors.
  void check_live() {
    if (const auto advice = sharing_advice(configuration_); advice && !of_3_3_)
      check_.warning(*advice);
    check_slurm();
  }

  /// Warns of problems that the first iteration of a simulation shows.
  void look_at_nodes(World& world) {
    struct Nobody final : EngineObserver {
      bool wants(int) const override { return false; }
      void log(int, std::string_view, std::string_view) override {}
      void job_ended(const Cluster&, JobId, int) override {}
    } nobody;
    Engine engine(settings_, world.take_manager(), world.clock(), nobody);
    engine.iterate([] {});
    for (const auto& line : site_advice(configuration_, engine.cluster()))
      if (!of_3_3_ || line != sharing_advice(configuration_)) check_.warning(line);
  }

  /// Warns of what slurm.conf lacks: the gate, and data on jobs' resource use if policies need it.
  /// (A WIKI server may report the use of jobs or not.)
  void check_slurm() {
    const auto parameters = parameters_on_use(settings_);
    for (const auto& [index, manager] : settings_.resource_managers) {
      const auto helper = program_beside_this("maui-rm-slurm");
      if (manager.type != "SLURM" || !helper) continue;
      const auto answer =
          inquire_and_wait({*helper, {"--check"}, Whose::ours}, "", {std::chrono::seconds(10)});
      if (!answer) {
        check_.warning(
            fmt::format("RMCFG[{}]: slurm.conf was not checked: {}", index, answer.error().what));
        continue;
      }
      for (const auto line : split(*answer, '\n')) {
        const auto lack = trimmed(line.substr(std::min(line.size(), line.find(':') + 1)));
        if (line.starts_with("gate:")) check_.warning(fmt::format("RMCFG[{}]: {}", index, lack));
        if (line.starts_with("use:") && !parameters.empty())
          check_.warning(
              fmt::format("RMCFG[{}]: {} cannot act on its jobs: {}", index, parameters, lack));
      }
    }
  }

  /// The sockets of the scheduler that runs are in their places, or can be made there.
  void check_places_of_sockets() {
    fail_unless(check_unused(home_.directory + "/maui.sock", home_.directory));
    fail_unless(check_http_socket(home_, settings_.http));
  }

  void check_sockets() {
    ClientServer server(
        io_, {}, [](const Caller&, std::string_view) { return ClientServer::Work(); },
        [](int, const std::string&, std::string_view) {});
    fail_unless(server.listen_at(home_.directory + "/maui.sock"));
    const auto clients = configuration_.client_authentication();
    const auto own = own_place(settings_.server.host, settings_.server.port);
    if (!configuration_.secret().empty() || clients.needs_no_secret())
      check_port(server.listen_at(own.host, own.port), server, own.port);
    HttpServer http(
        io_, server.turns(), {},
        [](const Caller&, const HttpRequest&) { return HttpServer::Work(); },
        [](int, const std::string&, std::string_view) {});
    fail_unless(http.listen_at_socket(settings_.http, home_.directory));
    check_port(http.listen_at_port(settings_.http), http, settings_.http.port);
  }

  /// The scheduler starts without a port that is in use, and listens there once it is free.
  template <class Server>
  void check_port(const Status& listening, const Server& server, int port) {
    if (listening) return;
    if (!server.port_is_taken()) return fail_unless(listening);
    check_.warning(fmt::format("{}; {}", listening.error().what, port_holder(port)));
  }

  const Home& home_;
  const bool shared_;  // --shared-home
  const bool of_3_3_;  // the file is release 3.3's
  const Configuration& configuration_;
  const Settings& settings_;
  ConfigCheck& check_;
  boost::asio::io_context io_{1};
  bool is_owner_ = true, running_ = false;
};

}  // namespace

std::string effective_user() {
  const auto* entry = ::getpwuid(::geteuid());
  return entry != nullptr ? entry->pw_name : std::to_string(::geteuid());
}

Status check_all_places(const Home& home, bool shared, const Configuration& configuration) {
  const Settings& settings = configuration.settings();
  if (auto status = check_files_differ(home, settings); !status) return status;
  if (auto status = check_directories(home.directory, settings); !status) return status;
  return shared ? Status(Done{})
                : check_places(home, settings, configuration.client_authentication());
}

Status check_new_places(const Home& home, const Settings& now, const Settings& next) {
  for (const auto place_of : {log_place, statistics_place}) {
    const auto place = place_of(home.directory, next);
    if (place.path == place_of(home.directory, now).path) continue;
    if (auto can = place.check(); !can) return can;
  }
  return next.http.socket == now.http.socket ? Status(Done{}) : check_http_socket(home, next.http);
}

Status check_user(const ServerSettings& settings) {
  const auto user = effective_user();
  const auto& admins = settings.admins[0];
  if (!admins.empty() && admins.front() == user) return Done{};
  if (begins_with_all(admins))
    return Error{fmt::format(
        "ADMIN1 begins with ALL: expected a user's name before it, as in ADMIN1 {} ALL, since the "
        "scheduler runs as the first of ADMIN1",
        user)};
  return Error{fmt::format("the scheduler must run as user '{}', the first of ADMIN1, not as '{}'",
                           admins.empty() ? "" : admins.front(), user)};
}

int check_start(const Home& home, const ProgramOptions& options, std::ostream& out) {
  ConfigCheck check(home.config_file);
  const auto text = config::read_file(home.config_file);
  const bool printed = text && config::is_showconfig_of_3_3(*text);
  const auto reading = Configuration::read(home.config_file, options.overrides);
  const auto& configuration = reading.configuration;
  if (printed)
    check.error(
        "this is the output of showconfig of release 3.3: maui --migrate makes a maui.cfg of it");
  else
    check.add(reading);
  if (text && !printed)
    for (const auto& warning : config::warnings_of_3_3(
             *text, [&](std::string_view name) { return configuration.says(name); }))
      check.warning(warning);
  // A wrong line may be the one that a further check would miss.
  if (check.passed())
    StartCheck(home, options.shared_home, text && config::is_of_3_3(*text), configuration, check)
        .run();
  for (const auto& line : check.lines()) out << line << '\n';
  out << check.verdict() << '\n';
  return check.passed() ? 0 : 1;
}

}  // namespace maui
