#include "daemon/program.h"

#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "base/text.h"
#include "config/check.h"
#include "config/manual.h"
#include "daemon/background.h"
#include "daemon/daemon.h"
#include "daemon/lock_file.h"
#include "daemon/notify.h"
#include "daemon/options.h"
#include "daemon/private_directories.h"
#include "daemon/privileges.h"
#include "daemon/secret_file.h"

namespace maui {
namespace {

int complain(std::string_view text, int status = 1) {
  fmt::print(stderr, "ERROR:    {}\n", text);
  return status;
}

std::string effective_user() {
  const auto* entry = ::getpwuid(::geteuid());
  return entry != nullptr ? entry->pw_name : std::to_string(::geteuid());
}

/// The scheduler acts with its user's rights, so it is the site's word that it may (guide, ADMIN1).
Status check_user(const ServerSettings& settings) {
  const auto user = effective_user();
  const auto& admins = settings.admins[0];
  if (!admins.empty() && admins.front() == user) return Done{};
  return Error{fmt::format("the scheduler must run as user '{}', the first of ADMIN1, not as '{}'",
                           admins.empty() ? "" : admins.front(), user)};
}

Status check_resource_managers(const Configuration& configuration) {
  const auto problems = resource_manager_problems(configuration);
  return problems.empty() ? Status(Done{}) : Error{join(problems, "\nERROR:    ")};
}

bool wants_foreground(const ProgramOptions& options) {
  return options.foreground || std::getenv("MAUIDEBUG") != nullptr;
}

int run_daemon(DaemonOptions options, Configuration configuration, Background& background) {
  const bool simulated = configuration.settings().server.mode == ServerMode::simulation;
  if (auto status = check_directories(options.home.directory, configuration.settings()); !status)
    return complain(status.error().what);
  const auto lock = LockFile::take(options.home.directory + "/maui.pid");
  if (!lock) return complain(lock.error().what);
  for (const auto& name : configuration.without_effect())
    fmt::print(stderr, "WARNING:  {} is set, but has no effect in this release\n", name);
  Daemon daemon(std::move(options), std::move(configuration));
  if (auto status = daemon.prepare(); !status) return complain(status.error().what);
  drop_capabilities();
  background.ready();
  notify_service_manager("READY=1");
  daemon.run();
  notify_service_manager("STOPPING=1");
  if (simulated) fmt::print("{}", daemon.summary());
  return 0;
}

int run_scheduler(const Home& home, const ProgramOptions& options,
                  std::span<const std::string> words) {
  std::vector<Diagnostic> diagnostics;
  auto configuration = Configuration::load(home.config_file, diagnostics);
  for (const auto& diagnostic : diagnostics)
    fmt::print(stderr, "{}{}\n", diagnostic.warning ? "" : "ERROR:    ", diagnostic.text());
  if (!configuration)
    return diagnostics.empty() ? complain(configuration.error().what)
                               : complain(
                                     "the configuration is not usable; the scheduler does not "
                                     "start");
  const auto& server = configuration->settings().server;
  if (auto status = check_resource_managers(*configuration); !status)
    return complain(status.error().what);
  if (auto status = check_user(server); !status) return complain(status.error().what);
  if (!server.home.empty() && server.home != home.directory)
    fmt::print(stderr,
               "WARNING:  MAUIHOMEDIR {} in '{}' is not followed: the home directory is {}\n",
               server.home, home.config_file, home.directory);
  ::umask(027);  // what it writes names jobs and those whom they belong to
  raise_descriptor_limit();
  Background background;
  if (server.mode != ServerMode::simulation && !wants_foreground(options))
    if (auto status = background.go(); !status) return complain(status.error().what);
  return run_daemon({home, options.log_level, {words.begin(), words.end()}},
                    *std::move(configuration), background);
}

}  // namespace

int run_program(std::span<const std::string> words, std::string_view version) {
  const auto options = parse_program_options(words);
  if (!options) {
    fmt::print(stderr, "ERROR:    {}\n{}", options.error().what, program_usage());
    return 2;
  }
  if (options->help) {
    fmt::print("{}", program_usage());
    return 0;
  }
  if (options->version) {
    fmt::print("maui server version {}\n", version);
    return 0;
  }
  if (!options->manual.empty()) {
    fmt::print("{}", options->manual == "maui" ? program_manual(version)
                                               : parameters_manual_page(version));
    return 0;
  }
  const Home home = find_home(options->config_file);
  if (options->check_config) return check_config(home.config_file, std::cout);
  if (options->generate_key) {
    const auto path = home.directory + "/maui-private.cfg";
    if (auto status = generate_secret(path); !status) return complain(status.error().what);
    fmt::print(
        "a new secret is in '{}'; copy it to the clients' machines, readable to those who "
        "may use it there\n",
        path);
    return 0;
  }
  return run_scheduler(home, *options, words);
}

}  // namespace maui
