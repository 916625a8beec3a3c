#include "daemon/program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <sstream>
#include <system_error>

#include "base/text.h"
#include "base/write_all.h"
#include "cmd/execution.h"
#include "compare/command.h"
#include "compare/options.h"
#include "config/check.h"
#include "config/files.h"
#include "config/manual.h"
#include "daemon/awaited_signals.h"
#include "daemon/daemon.h"
#include "daemon/faults.h"
#include "daemon/files/checkpoint_file.h"
#include "daemon/files/end_mark.h"
#include "daemon/files/lock_file.h"
#include "daemon/files/secret_file.h"
#include "daemon/history_command.h"
#include "daemon/lease/lease_file.h"
#include "daemon/lease/other_scheduler.h"
#include "daemon/lease/standby.h"
#include "daemon/memory_reserve.h"
#include "daemon/options.h"
#include "daemon/privileges.h"
#include "daemon/process_limits.h"
#include "daemon/programs/background.h"
#include "daemon/programs/notify.h"
#include "daemon/start_check.h"
#include "daemon/start_warnings.h"
#include "migrate/migrate.h"
#include "profiler/command.h"
#include "profiler/options.h"
#include "proto/output.h"
#include "proto/reply_schema.h"

namespace maui {
namespace {

// For the log, the checkpoint, resource managers, programs, and a few clients.
constexpr std::size_t kLeastDescriptors = 64;
// An exit status with which service managers start the scheduler again (see etc/maui.service).
constexpr int kTryAgain = 75;
// The time limit for the end of the scheduler before, which is shorter unless it hangs.
constexpr std::chrono::seconds kLongestEnd{30};

bool wants_foreground(const ProgramOptions& options) {
  return options.foreground || std::getenv("MAUIDEBUG") != nullptr;
}

/// Reports the failure; a standby that took over runs in the background and uses the system log.
int cannot_start(const DaemonOptions& options, const Error& why) {
  if (options.generation == 0) return complain(why.what);
  announce(true, "the scheduler does not start: " + why.what);
  return 1;
}

Home home_of(const ProgramOptions& options) {
  if (options.home.empty()) return find_home(options.config_file);
  const auto usual = (std::filesystem::path(options.home) / "maui.cfg").string();
  return {options.home, options.config_file.empty() ? usual : options.config_file};
}

std::string checkpoint_path(const Home& home, const ServerSettings& server) {
  return (std::filesystem::path(home.directory) / server.checkpoint_file).string();
}

/// A PBS server authenticates root by a reserved port, unless AUTH names another way.
ReservedPorts ports_for(const Settings& settings) {
  for (const auto& [index, manager] : settings.resource_managers)
    if (manager.type.starts_with("PBS") && manager.auth != "TRQAUTHD" && manager.auth != "MUNGE" &&
        manager.auth != "NONE")
      return ReservedPorts::needed;
  return ReservedPorts::unused;
}

/// Returns the scheduler, ready to run.
Result<std::unique_ptr<Daemon>> prepared(const DaemonOptions& options, Configuration configuration,
                                         LockFile& lock, EndMark& end_mark) {
  try {
    auto daemon = std::make_unique<Daemon>(options, std::move(configuration), lock, end_mark);
    if (auto status = daemon->prepare(); !status) return status.error();
    return daemon;
  } catch (const boost::system::system_error& problem) {
    return Error{fmt::format("the system refuses what it needs: {}", problem.what())};
  }
}

int run_daemon(DaemonOptions options, Configuration configuration, EndMark& end_mark,
               Background& background) {
  const bool simulated = configuration.settings().server.mode == ServerMode::simulation;
  const auto ports = simulated ? ReservedPorts::unused : ports_for(configuration.settings());
  if (auto status = check_all_places(options.home, options.shared_home, configuration); !status)
    return cannot_start(options, status.error());
  const auto with =
      options.generation > 0 ? LockFile::With::holders_of_leases : LockFile::With::nobody;
  auto lock = LockFile::take(options.home.directory + "/maui.pid", with);
  if (!lock) return cannot_start(options, lock.error());
  for (const auto& warning : configuration.warnings()) warn_user("WARNING:  {}\n", warning);
  options.warnings = start_warnings(options.home, configuration);
  if (configuration.settings().server.mode == ServerMode::normal)
    if (auto note = set_aside_checkpoint_of_3_3(
            checkpoint_path(options.home, configuration.settings().server)))
      options.warnings.push_back({"", 0, *std::move(note), true});
  for (const auto& warning : options.warnings) warn_user("{}\n", warning.text());
  const auto ready = prepared(options, std::move(configuration), *lock, end_mark);
  if (!ready) return cannot_start(options, ready.error());
  Daemon& daemon = **ready;
  drop_capabilities(ports);
  // A new program would have no right to reserved ports.
  if (ports == ReservedPorts::needed) never_begin_anew();
  background.ready();
  notify_service_manager("READY=1\nSTATUS=Scheduling");
  const auto give_up = [&daemon]() -> int {
    daemon.give_up_for_memory();
    const int status = complain("there is not enough memory");
    // Cleaning up would also need memory.  After an iteration, a service manager may try again.
    std::_Exit(has_survived_iteration() ? kTryAgain : status);
  };
  try {
    daemon.run();
  } catch (const std::bad_alloc&) {
    return give_up();
  } catch (const HalfDone&) {
    return give_up();
  }
  notify_service_manager("STOPPING=1");
  if (!simulated) return 0;
  if (!daemon.finished())
    warn_user("WARNING:  ended early: the summary covers an unfinished run\n");
  const bool said = say("{}", daemon.summary());
  if (const auto left = daemon.jobs_left(); !left.empty()) warn_user("WARNING:  {}\n", left);
  const World::Unused unused = daemon.unused_input();
  for (const auto line : split(unused.text, '\n'))
    if (!line.empty()) warn_user("WARNING:  {}\n", line);
  const Status saved = daemon.save_all(), summed_up = daemon.save_summary();
  if (!saved) warn_user("ERROR:    records of jobs are lost: {}\n", saved.error().what);
  if (!summed_up) warn_user("ERROR:    the summary cannot be saved: {}\n", summed_up.error().what);
  return said && saved && summed_up && !unused.lost ? 0 : 1;
}

/// True if several hosts may schedule for this home directory: --standby was given, SERVERHOST
/// names several, or a lease exists.
bool wants_lease(const Home& home, const ProgramOptions& options, const ServerSettings& server) {
  if (server.mode != ServerMode::normal) return false;
  std::error_code unknown;
  return options.stand_by || server.host.find(',') != std::string::npos ||
         std::filesystem::exists(lease_path(home.directory), unknown);
}

/// Returns nullptr if a signal ended the wait.
Result<std::unique_ptr<LeaseKeeper>> wait_for_lease(const Home& home, bool stand_by,
                                                    const Configuration& configuration,
                                                    Background& background) {
  const ServerSettings& server = configuration.settings().server;
  LeaseTerms terms;
  terms.stand_by = stand_by;
  terms.time = server.lease_time;
  terms.at_least = [&] { return CheckpointFile::newest_generation(checkpoint_path(home, server)); };
  terms.waiting = [&] {
    background.ready();
    notify_service_manager("READY=1\nSTATUS=Standing by");
  };
  terms.elsewhere = [&] { return place_that_answers(server.host, server.port); };
  return take_lease(std::make_unique<LeaseFile>(lease_path(home.directory)), terms);
}

/// Reads the configuration again when the standby takes over; keeps the old one if it is unusable.
void read_again(const Home& home, const ProgramOptions& options, Configuration& configuration) {
  auto reading = Configuration::read(home.config_file, options.overrides);
  const bool same_mode = reading.configuration.settings().server.mode == ServerMode::normal;
  if (reading.found && reading.usable() && same_mode && resource_manager_problems(reading).empty())
    configuration = std::move(reading.configuration);
  else
    announce(true, fmt::format("'{}' is no longer usable: its previous settings remain in use",
                               home.config_file));
}

int run_scheduler(const Home& home, const ProgramOptions& options,
                  std::span<const std::string> words) {
  std::array<char, 200> text;
  if (const auto low = low_limit_of_process(text); !low.empty()) return complain(low);
  keep_signals_waiting();  // Daemon::prepare() lets them arrive
  ignore_meaningless_signals();
  auto reading = Configuration::read(home.config_file, options.overrides);
  for (const auto& diagnostic : reading.diagnostics)
    warn_user("{}{}\n", diagnostic.warning ? "" : "ERROR:    ", diagnostic.text());
  const auto problems =
      reading.found ? resource_manager_problems(reading) : std::vector<std::string>{};
  for (const auto& problem : problems) complain(problem);
  if (!reading.usable() || !problems.empty())
    return complain("the configuration is not usable; the scheduler does not start");
  const auto& server = reading.configuration.settings().server;
  if (auto status = check_user(server); !status) return complain(status.error().what);
  if (options.stand_by && server.mode != ServerMode::normal)
    return complain("--standby: expected SERVERMODE NORMAL");
  ::umask(027);  // its files name jobs and their owners
  raise_descriptor_limit();
  if (const auto limit = descriptor_limit(); limit < kLeastDescriptors)
    return complain(fmt::format(
        "the limit of {} open files and connections (ulimit -n) is too low: expected at least {}",
        limit, kLeastDescriptors));
  keep_memory_reserve();
  Background background;
  if (server.mode != ServerMode::simulation && !wants_foreground(options))
    if (auto status = background.go(); !status) return complain(status.error().what);
  auto& configuration = reading.configuration;
  if (!options.stand_by)
    await_end(home.directory, kLongestEnd,
              [] { warn_user("the scheduler that ran here is ending: waiting for that\n"); });
  EndMark end_mark(home.directory);  // outlives the lease and the lock
  std::unique_ptr<LeaseKeeper> lease;
  if (wants_lease(home, options, server)) {
    if (auto status = check_all_places(home, options.shared_home, configuration); !status)
      return complain(status.error().what);
    auto taken = wait_for_lease(home, options.stand_by, configuration, background);
    if (!taken) return complain(taken.error().what);
    lease = *std::move(taken);
    if (lease == nullptr) return 0;
    read_again(home, options, configuration);
  }
  return run_daemon({home, options.log_level, options.overrides, words_to_start_again(words),
                     options.shared_home, options.relearn, lease ? lease->generation() : 0},
                    std::move(configuration), end_mark, background);
}

Result<migrate::NamedText> read_to_migrate(const std::string& name) {
  constexpr std::size_t kLargest = 64 << 20;  // accounts of a large site with all their users
  auto text = config::read_file(name, kLargest);
  if (!text) return Error{fmt::format("'{}' {}", name, text.error().what)};
  return migrate::NamedText{name, *std::move(text)};
}

/// --migrate: prints the new file to standard output or -o, and warnings to standard error.
int migrate_file(const ProgramOptions& options) {
  const auto old = read_to_migrate(options.migrate);
  if (!old) return complain(old.error().what);
  std::vector<migrate::NamedText> beside;
  for (const auto& name : options.sacctmgr) {
    auto dump = read_to_migrate(name);
    if (!dump) return complain(dump.error().what);
    beside.push_back(*std::move(dump));
  }
  const auto made = migrate::migrate(old->text, options.migrate, beside);
  if (!made) return complain(made.error().what);
  if (options.output.empty()) {
    if (!say("{}", made->configuration)) return 1;
  } else {
    const int file = ::open(options.output.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file < 0)
      return complain(fmt::format("'{}' cannot be made: {}", options.output,
                                  std::generic_category().message(errno)));
    const bool written = write_all(file, made->configuration);
    if (::close(file) != 0 || !written)
      return complain(fmt::format("'{}' could not be written", options.output));
  }
  for (const auto& loss : made->losses)
    warn_user("{}{}: not taken over: {}: {}\n", loss.file.empty() ? options.migrate : loss.file,
              loss.line > 0 ? fmt::format(":{}", loss.line) : "", loss.what, loss.why);
  for (const auto& change : made->changes)
    warn_user("{}:{}: acts otherwise here: {}: {}\n", options.migrate, change.line, change.what,
              change.why);
  warn_user("{}: a file of {}, {}\n", options.migrate, migrate::name_of(made->source),
            made->losses.empty() ? "all of it was taken over"
            : made->losses.size() == 1
                ? "1 thing was not taken over"
                : fmt::format("{} things were not taken over", made->losses.size()));
  return 0;
}

/// Opens closed standard streams to /dev/null; otherwise the next file opened, such as the lock
/// file, would receive the output.
void open_standard_streams() {
  int file = 0;
  while (file >= 0 && file <= STDERR_FILENO) file = ::open("/dev/null", O_RDWR);
  if (file > STDERR_FILENO) ::close(file);
}

/// A command that needs no server.
struct OfflineCommand {
  std::string_view name;
  std::string_view help;
  bool by_own_name;  // the program may be called by this name
  int (*run)(std::span<const std::string> words, std::string_view version);
  Suggestions (*suggestions)();
};
constexpr OfflineCommand kOfflineCommands[] = {
    {"compare", "replay a workload under several configurations", false, compare::run_compare,
     compare::suggestions},
    {"history", "show what the history contains, or rebuild it", false, run_history,
     history_suggestions},
    {"mprof", "another name of profiler", true, profiler::run_profiler, profiler::suggestions},
    {"profiler", "report what ran, from records of jobs that ended", true, profiler::run_profiler,
     profiler::suggestions},
};

/// Completion for shells: options of the program, or of the command before the word being typed,
/// and the names of commands at their place.
int complete(std::span<const std::string> words) {
  const auto request = completion_request(words);
  const auto before =
      request.words.empty() ? request.words : request.words.first(request.words.size() - 1);
  Suggestions (*options)() = program_suggestions;
  const auto choose = [&](std::string_view name, bool is_program) {
    for (const auto& command : kOfflineCommands)
      if (command.name == name && (command.by_own_name || !is_program))
        options = command.suggestions;
  };
  if (!before.empty()) choose(program_name(before[0]), true);
  if (options == program_suggestions && before.size() > 1) choose(before[1], false);
  Suggestions all;
  if (request.begun().starts_with('-'))
    all = options();
  else if (options == program_suggestions && before.size() == 1)
    for (const auto& command : kOfflineCommands)
      all.push_back({std::string(command.name), std::string(command.help)});
  return say("{}", suggestions_text(request, std::move(all))) ? 0 : 1;
}

}  // namespace

int run_program(std::string_view called, std::span<const std::string> words,
                const Release& release) {
  const auto version = release.version;
  open_standard_streams();
  called = program_name(called);
  if (!words.empty() && words.front() == "--complete") return complete(words.subspan(1));
  for (const auto& command : kOfflineCommands) {
    if (command.by_own_name && called == command.name) return command.run(words, version);
    if (!words.empty() && words.front() == command.name)
      return command.run(words.subspan(1), version);
  }
  const auto options = parse_program_options(words);
  if (!options) {
    warn_user("ERROR:    {}\nTry 'maui --help'.\n", options.error().what);
    return 2;
  }
  if (options->help) {
    return say("{}", program_usage()) ? 0 : 1;
  }
  if (options->version) {
    return say("maui server version {}\nbuilt with {}\n", version, release.built_with) ? 0 : 1;
  }
  if (options->about) {
    const Home home = home_of(*options);
    return say("maui server version {}\ndefaults:  homedir={}  configfile={}\n", version,
               home.directory, home.config_file)
               ? 0
               : 1;
  }
  if (!options->manual.empty()) {
    return say("{}", options->manual == "maui" ? program_manual(version)
                                               : parameters_manual_page(version))
               ? 0
               : 1;
  }
  if (!options->migrate.empty()) return migrate_file(*options);
  if (options->print_schema) return say("{}", reply_schema()) ? 0 : 1;
  const Home home = home_of(*options);
  if (options->check_config) {
    std::ostringstream out;
    const int status = check_start(home, *options, out);
    return say("{}", out.str()) ? status : std::max(status, 1);
  }
  if (options->create_lease) {
    const auto made = create_lease(home.directory);
    if (!made) return complain(made.error().what);
    return say("'{}' {}\n", lease_path(home.directory),
               *made
                   ? "is created: the hosts that share this directory can take over from each other"
                   : "exists already; nothing was changed")
               ? 0
               : 1;
  }
  if (options->generate_key) {
    const auto path =
        (std::filesystem::path(home.config_file).parent_path() / "maui-private.cfg").string();
    if (auto status = generate_secret(path); !status) return complain(status.error().what);
    return say("wrote a new secret to '{}'; copy it to the clients' machines, readable by the "
               "users who may use it there\n",
               path)
               ? 0
               : 1;
  }
  return run_scheduler(home, *options, words);
}

}  // namespace maui
