#include "daemon/program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
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
#include "config/check.h"
#include "config/manual.h"
#include "daemon/daemon.h"
#include "daemon/files/lock_file.h"
#include "daemon/files/private_directories.h"
#include "daemon/files/secret_file.h"
#include "daemon/files/trusted_places.h"
#include "daemon/history_command.h"
#include "daemon/memory_reserve.h"
#include "daemon/options.h"
#include "daemon/privileges.h"
#include "daemon/programs/background.h"
#include "daemon/programs/notify.h"
#include "daemon/start_check.h"
#include "migrate/migrate.h"
#include "profiler/command.h"
#include "proto/output.h"
#include "proto/reply_schema.h"

namespace maui {
namespace {

// For the log, the checkpoint, resource managers and programs, and a few clients.
constexpr std::size_t kLeastDescriptors = 64;

bool wants_foreground(const ProgramOptions& options) {
  return options.foreground || std::getenv("MAUIDEBUG") != nullptr;
}

int run_daemon(DaemonOptions options, Configuration configuration, Background& background) {
  const bool simulated = configuration.settings().server.mode == ServerMode::simulation;
  if (auto status = check_directories(options.home.directory, configuration.settings()); !status)
    return complain(status.error().what);
  if (!options.shared_home)
    if (auto status = check_places(options.home, configuration.settings()); !status)
      return complain(status.error().what);
  const auto lock = LockFile::take(options.home.directory + "/maui.pid");
  if (!lock) return complain(lock.error().what);
  for (const auto& warning : configuration.warnings()) warn_user("WARNING:  {}\n", warning);
  Daemon daemon(std::move(options), std::move(configuration));
  if (auto status = daemon.prepare(); !status) return complain(status.error().what);
  drop_capabilities();
  background.ready();
  notify_service_manager("READY=1");
  const auto give_up = [&daemon] {
    daemon.give_up_for_memory();
    return complain("there is not enough memory");
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
  if (!daemon.finished()) warn_user("WARNING:  ended early: the summary is of an unfinished run\n");
  const bool said = say("{}", daemon.summary());
  const World::Unused unused = daemon.unused_input();
  for (const auto line : split(unused.text, '\n'))
    if (!line.empty()) warn_user("WARNING:  {}\n", line);
  const Status saved = daemon.save_all(), summed_up = daemon.save_summary();
  if (!saved) warn_user("ERROR:    records of jobs are lost: {}\n", saved.error().what);
  if (!summed_up) warn_user("ERROR:    the summary is not kept: {}\n", summed_up.error().what);
  return said && saved && summed_up && !unused.lost ? 0 : 1;
}

/// Files are learned from once, not each time that the scheduler starts again by itself.
std::vector<std::string> to_start_again(std::span<const std::string> words) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--relearn")
      ++i;
    else if (!words[i].starts_with("--relearn="))
      kept.push_back(words[i]);
  }
  return kept;
}

int run_scheduler(const Home& home, const ProgramOptions& options,
                  std::span<const std::string> words) {
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
  if (!server.home.empty() && server.home != home.directory)
    warn_user("WARNING:  MAUIHOMEDIR {} in '{}' is not followed: the home directory is {}\n",
              server.home, home.config_file, home.directory);
  ::umask(027);  // what it writes names jobs and those whom they belong to
  raise_descriptor_limit();
  if (const auto limit = descriptor_limit(); limit < kLeastDescriptors)
    return complain(
        fmt::format("it may have {} files and connections open (ulimit -n), and needs {} at least",
                    limit, kLeastDescriptors));
  keep_memory_reserve();
  Background background;
  if (server.mode != ServerMode::simulation && !wants_foreground(options))
    if (auto status = background.go(); !status) return complain(status.error().what);
  return run_daemon({home, options.log_level, options.overrides, to_start_again(words),
                     options.shared_home, options.relearn},
                    std::move(reading.configuration), background);
}

/// A slurm.conf of the largest site is far below it.
constexpr std::uintmax_t kLargestMigration = 64 << 20;

/// --migrate: the new file to standard output or to -o, what it lacks to standard error.
int migrate_file(const ProgramOptions& options) {
  std::ifstream in(options.migrate, std::ios::binary);
  std::error_code error;
  if (!in || std::filesystem::is_directory(options.migrate, error))
    return complain(fmt::format("'{}' cannot be read", options.migrate));
  if (std::filesystem::file_size(options.migrate, error) > kLargestMigration && !error)
    return complain(fmt::format("'{}' is too large for a configuration", options.migrate));
  const std::string text(std::istreambuf_iterator<char>(in), {});
  const auto made = migrate::migrate(text, options.migrate);
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
    warn_user("{}{}: not taken over: {}: {}\n", options.migrate,
              loss.line > 0 ? fmt::format(":{}", loss.line) : "", loss.what, loss.why);
  warn_user("{}: a file of {}, {}\n", options.migrate, migrate::name_of(made->source),
            made->losses.empty() ? "all of it was taken over"
            : made->losses.size() == 1
                ? "1 thing was not taken over"
                : fmt::format("{} things were not taken over", made->losses.size()));
  return 0;
}

/// Where the standard streams are closed, they lead nowhere: else what is opened first, the lock
/// file, say, would get what is printed.
void open_standard_streams() {
  int file = 0;
  while (file >= 0 && file <= STDERR_FILENO) file = ::open("/dev/null", O_RDWR);
  if (file > STDERR_FILENO) ::close(file);
}

/// A command that asks no server.
struct OfflineCommand {
  std::string_view name;
  bool by_own_name;  // it may be what the program is called
  int (*run)(std::span<const std::string> words, std::string_view version);
};
constexpr OfflineCommand kOfflineCommands[] = {
    {"compare", false, compare::run_compare},
    {"history", false, run_history},
    {"mprof", true, profiler::run_profiler},
    {"profiler", true, profiler::run_profiler},
};

}  // namespace

int run_program(std::string_view called, std::span<const std::string> words,
                const Release& release) {
  const auto version = release.version;
  open_standard_streams();
  called.remove_prefix(called.rfind('/') + 1);
  for (const auto& command : kOfflineCommands) {
    if (command.by_own_name && called == command.name) return command.run(words, version);
    if (!words.empty() && words.front() == command.name)
      return command.run(words.subspan(1), version);
  }
  const auto options = parse_program_options(words);
  if (!options) {
    warn_user("ERROR:    {}\n{}", options.error().what, program_usage());
    return 2;
  }
  if (options->help) {
    return say("{}", program_usage()) ? 0 : 1;
  }
  if (options->version) {
    return say("maui server version {}\nbuilt with {}\n", version, release.built_with) ? 0 : 1;
  }
  if (options->about) {
    const Home home = find_home(options->config_file);
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
  const Home home = find_home(options->config_file);
  if (options->check_config) {
    std::ostringstream out;
    const int status = check_start(home, *options, out);
    return say("{}", out.str()) ? status : std::max(status, 1);
  }
  if (options->generate_key) {
    const auto path =
        (std::filesystem::path(home.config_file).parent_path() / "maui-private.cfg").string();
    if (auto status = generate_secret(path); !status) return complain(status.error().what);
    return say("a new secret is in '{}'; copy it to the clients' machines, readable to those who "
               "may use it there\n",
               path)
               ? 0
               : 1;
  }
  return run_scheduler(home, *options, words);
}

}  // namespace maui
