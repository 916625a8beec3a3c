#include "daemon/control/configuration_in_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "config/check.h"
#include "config/parameters.h"
#include "daemon/programs/munge_reader.h"
#include "daemon/start_check.h"

namespace maui {
namespace {

/// Succeeds if what the configuration says of resource managers is complete.
Status check_managers(const Configuration& configuration) {
  const auto problems = resource_manager_problems({configuration, {}, {}});
  return problems.empty() ? Status(Done{}) : Error{join(problems, "\n")};
}

}  // namespace

Result<Configuration> ConfigurationInUse::with_parameter(
    std::string_view parameter, const std::vector<std::string>& values) const {
  Configuration next = now_;
  if (auto status = next.set(parameter, values, /*at_runtime=*/true); !status)
    return status.error();
  if (auto status = check_next(next); !status) return status.error();
  return next;
}

Status ConfigurationInUse::change_parameter(std::string_view parameter,
                                            const std::vector<std::string>& values) {
  auto next = with_parameter(parameter, values);
  if (!next) return next.error();
  if (auto can = around_.can_keep(next->settings()); !can) return can;
  const auto known = now_.warnings();
  const auto* named = config::find_parameter(parameter);
  const bool level = named != nullptr && named->name == std::string_view("LOGLEVEL");
  adopt(*std::move(next), level ? Change::log_level : Change::parameter);
  Lines& lines = around_.lines;
  lines.write(2, "fCONFIG",
              fmt::format("parameter {} is changed to: {}", parameter, join(values, " ")));
  for (const auto& warning : now_.warnings_of_change(parameter, values, known))
    lines.write(0, "fCONFIG", "WARNING: " + warning);
  return Done{};
}

/// Succeeds if `configuration` can be run with: it keeps our user in ADMIN1, names only places that
/// others cannot change, and what it says of resource managers and clients is complete.  All that
/// could fail later is tried.
Status ConfigurationInUse::check_next(const Configuration& configuration) const {
  const Settings& next = configuration.settings();
  const auto is_ours = [user = effective_user()](const Settings& settings) {
    const auto& admins = settings.server.admins[0];
    return !admins.empty() && admins.front() == user;
  };
  if (is_ours(settings()) && !is_ours(next))
    return Error{
        fmt::format("ADMIN1: expected user '{}' first, who runs the scheduler", effective_user())};
  if (auto status = check_managers(configuration); !status) return status;
  if (auto status = check_munge(configuration.client_authentication()); !status) return status;
  if (auto status = check_its_places(configuration); !status) return status;
  return around_.can_adopt(configuration);
}

/// Succeeds if the places that `configuration` names are right, and those that it changes can be
/// used.
Status ConfigurationInUse::check_its_places(const Configuration& configuration) const {
  const Home& home = around_.home;
  if (auto status = check_all_places(home, around_.shared_home, configuration); !status)
    return status;
  return check_new_places(home, settings(), configuration.settings());
}

Result<ServerControl::Reread> ConfigurationInUse::reread(
    std::vector<Diagnostic>& diagnostics) const {
  auto next = Configuration::load(around_.home.config_file, diagnostics, around_.overrides);
  if (!next) {
    std::vector<std::string> reasons;
    for (const auto& diagnostic : diagnostics)
      if (!diagnostic.warning) reasons.push_back(diagnostic.text());
    return Error{reasons.empty() ? next.error().what : join(reasons, "\n")};
  }
  // A file with which the scheduler would not start is not for now either.
  if (auto status = check_managers(*next); !status) return status.error();
  if (auto status = check_its_places(*next); !status) return status.error();
  auto awaiting_restart = next->keep_until_restart(now_);
  if (auto status = check_next(*next); !status) return status.error();
  return ServerControl::Reread{*std::move(next), std::move(awaiting_restart)};
}

Status ConfigurationInUse::reload() {
  Lines& lines = around_.lines;
  [[maybe_unused]] const Status at_once = around_.log.reopen();  // what follows is for the new file
  std::vector<Diagnostic> diagnostics;
  auto next = reread(diagnostics);
  if (next)
    if (const auto can = around_.can_keep(next->configuration.settings()); !can) next = can.error();
  for (const auto& diagnostic : diagnostics)
    lines.write(0, "fCONFIG", (diagnostic.warning ? "" : "ERROR: ") + diagnostic.text());
  if (!next) {
    if (std::all_of(diagnostics.begin(), diagnostics.end(),
                    [](const Diagnostic& diagnostic) { return diagnostic.warning; }))
      lines.write(0, "fCONFIG", "ERROR: " + on_one_line(next.error().what));
    lines.write(0, "fCONFIG",
                "ERROR: the configuration was not reloaded; all values are unchanged");
    return next.error();
  }
  awaiting_restart_ = std::move(next->awaiting_restart);
  for (const auto& warning : next->configuration.warnings())
    lines.write(0, "fCONFIG", "WARNING: " + warning);
  adopt(std::move(next->configuration), Change::file);
  lines.write(0, "fCONFIG", "the configuration was reloaded");
  if (!awaiting_restart_.empty())
    lines.write(0, "fCONFIG",
                fmt::format("WARNING: until the scheduler is restarted, these keep their old "
                            "values: {}",
                            join(awaiting_restart_, " ")));
  if (const auto opened = around_.log.reopen(); !opened)
    return Error{"the configuration was reloaded, but " + opened.error().what};
  return Done{};
}

void ConfigurationInUse::adopt(Configuration next, Change change) {
  const Settings old = settings();
  now_ = std::move(next);
  around_.adopt(old, change);
}

}  // namespace maui
