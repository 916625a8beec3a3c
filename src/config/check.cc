#include "config/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/text.h"
#include "config/configuration.h"

namespace maui {
namespace {

std::string counted_or_no(std::ptrdiff_t n, std::string_view what) {
  return n == 0 ? fmt::format("no {}s", what) : counted(n, what);
}

constexpr std::string_view kDriven =
    "WIKI (docs/resource-managers.md), SLURM, PBS, or NATIVE (programs of the site)";

std::string mode_name(ServerMode mode) { return mode == ServerMode::test ? "TEST" : "NORMAL"; }

/// True if the resource manager is configured only by parameters without an index (RMPORT etc.)
/// while there are several others that they may be meant for.
bool is_nobody(const std::string& index, const ResourceManagerSettings& manager,
               const Configuration& configuration) {
  return index == "base" && manager.type == ResourceManagerSettings().type &&
         !configuration.says("RMTYPE") && configuration.settings().resource_managers.size() > 1;
}

bool has_no_type(const std::string& index, const ResourceManagerSettings& manager,
                 const Configuration& configuration) {
  return manager.type == ResourceManagerSettings().type &&
         !configuration.says("RMCFG", index, "TYPE") &&
         !configuration.says("RMTYPE", index == "base" ? "0" : index);
}

/// A resource manager as its lines name it: RMCFG[INDEX], or RMTYPE[INDEX] and the like.
class WrittenManager {
 public:
  WrittenManager(const std::string& index, const Configuration& configuration)
      : object_(fmt::format("RMCFG[{}]", index)), number_(index == "base" ? "0" : index) {
    if (configuration.says("RMCFG", index)) return;
    for (const std::string_view parameter :
         {"RMTYPE", "RMSERVER", "RMPORT", "RMNAME", "RMAUTHTYPE", "RMTIMEOUT"})
      for (const auto& written : {number_, index})
        if (first_.empty() && configuration.says(parameter, written)) {
          number_ = written;
          first_ = fmt::format("{}[{}]", parameter, written);
        }
  }

  std::string name() const { return by_object() ? object_ : first_; }
  /// The attribute, which RMCFG writes without RM before it.
  std::string of(std::string_view attribute) const {
    return by_object() ? fmt::format("{} {}", object_, attribute)
                       : fmt::format("RM{}[{}]", attribute, number_);
  }
  std::string of(std::string_view attribute, std::string_view value) const {
    return fmt::format("{}{}{}", of(attribute), by_object() ? '=' : ' ', value);
  }
  /// The same for an expected value: "AUTHTYPE=NONE".
  std::string wanted(std::string_view attribute, std::string_view value) const {
    return by_object() ? fmt::format("{}={}", attribute, value) : of(attribute, value);
  }
  bool by_object() const { return first_.empty(); }
  const std::string& object() const { return object_; }

 private:
  std::string object_, number_;
  std::string first_;  // the parameter that configures it, if no RMCFG does
};

/// Returns the error for a missing TYPE; the name may be a misspelling of another name.
std::string without_type(const std::string& index, const Configuration& configuration) {
  std::string others;
  for (const auto& [name, manager] : configuration.settings().resource_managers)
    if (!has_no_type(name, manager, configuration))
      others += (others.empty() ? "" : " or ") + WrittenManager(name, configuration).name();
  const WrittenManager written(index, configuration);
  const auto lacks = written.by_object()
                         ? written.name() + " has no TYPE"
                         : fmt::format("{} stands without {}", written.name(), written.of("TYPE"));
  if (others.empty()) return fmt::format("{}: expected {}", lacks, kDriven);
  return fmt::format("{} (did you mean {}?)", lacks, others);
}

std::string problem_of(const std::string& index, const ResourceManagerSettings& manager,
                       const Configuration& configuration) {
  if (is_nobody(index, manager, configuration))
    return "RMHOST, RMPORT or similar without an index, with several resource managers: expected "
           "attributes of one of them, as in RMCFG[NAME] HOST=... PORT=..., or a TYPE for "
           "RMCFG[base], to which they apply";
  if (has_no_type(index, manager, configuration)) return without_type(index, configuration);
  const std::string kind = manager.type.substr(0, manager.type.find(':'));
  if (kind == "SLURM") return {};
  const WrittenManager written(index, configuration);
  if (kind == "NATIVE") {
    if (manager.urls.contains("GETNODES") || manager.urls.contains("GETJOBS")) return {};
    return fmt::format(
        "{}: expected {}CLUSTERQUERYURL= or WORKLOADQUERYURL=", written.of("TYPE", "NATIVE"),
        written.by_object() ? "" : written.object() + " ");
  }
  if (kind == "PBS") {
    if (manager.auth != "PKI") return {};
    return fmt::format(
        "{}: expected SECUREPORT, TRQAUTHD, MUNGE or NONE; by default, reserved ports as root, "
        "otherwise trqauthd",
        written.of("AUTHTYPE", manager.auth));
  }
  if (kind != "WIKI")
    return fmt::format("{}: this release does not support it; expected {}",
                       written.of("TYPE", manager.type), kDriven);
  if (manager.port == 0)
    return fmt::format("{}: no {}; WIKI has no default port", written.name(),
                       written.by_object() ? "PORT" : written.of("PORT"));
  if (manager.auth == "NONE") return {};
  const auto auth = written.of("AUTHTYPE", manager.auth);
  if (manager.auth != "CHECKSUM") return fmt::format("{}: expected CHECKSUM or NONE", auth);
  const auto& name = manager.name.empty() ? index : manager.name;
  if (!configuration.key_of(name).empty() || !configuration.key_of(index).empty()) return {};
  return fmt::format("{}: no key: expected CLIENTCFG[RM:{}] KEY=... in maui-private.cfg, or {}",
                     written.by_object() ? auth : fmt::format("{} ({})", written.name(), auth),
                     name, written.wanted("AUTHTYPE", "NONE"));
}

bool doubtful(const Reading& reading) {
  return std::any_of(reading.doubtful.begin(), reading.doubtful.end(), [](const std::string& name) {
    return name == "SERVERMODE" || name == "SERVERPORT" || name.starts_with("RM");
  });
}

}  // namespace

std::vector<std::string> resource_manager_problems(const Reading& reading) {
  const Configuration& configuration = reading.configuration;
  const Settings& settings = configuration.settings();
  if (settings.server.mode == ServerMode::simulation || doubtful(reading)) return {};
  if (settings.resource_managers.empty() && configuration.says("RMTYPE"))  // LL, the default
    return {fmt::format("RMTYPE[0] {}: this release does not support it; expected {}",
                        ResourceManagerSettings().type, kDriven)};
  if (settings.resource_managers.empty())
    return {
        fmt::format("SERVERMODE {} needs a resource manager: expected RMCFG[NAME] TYPE=... with "
                    "{}; SERVERMODE SIMULATION runs on traces",
                    mode_name(settings.server.mode), kDriven)};
  std::vector<std::string> problems;
  std::map<std::string, std::string> names;
  std::map<int, std::string> ports{{settings.server.port, "SERVERPORT"},
                                   {settings.http.port, "HTTPPORT"}};
  for (const auto& [index, manager] : settings.resource_managers) {
    if (auto problem = problem_of(index, manager, configuration); !problem.empty())
      problems.push_back(std::move(problem));
    const auto [at, is_new] = names.emplace(manager.name.empty() ? index : manager.name, index);
    if (!is_new)
      problems.push_back(fmt::format("{} and {} are both called '{}': expected different names",
                                     WrittenManager(at->second, configuration).name(),
                                     WrittenManager(index, configuration).name(), at->first));
    if (manager.event_port == 0) continue;
    const auto own = fmt::format("RMCFG[{}] EPORT", index);
    const auto [port, is_free] = ports.emplace(manager.event_port, own);
    if (!is_free)
      problems.push_back(fmt::format("{}={} is also {}: expected another port", own,
                                     manager.event_port, port->second));
  }
  return problems;
}

void ConfigCheck::add(const Reading& reading) {
  for (const auto& diagnostic : reading.diagnostics) add(diagnostic);
  if (!reading.found) return;
  for (const auto& problem : resource_manager_problems(reading)) error(problem);
  for (const auto& [line, text] : reading.configuration.numbered_warnings()) warning(text, line);
}

void ConfigCheck::add(const Diagnostic& diagnostic) {
  lines_.push_back(diagnostic.text());
  ++(diagnostic.warning ? warnings_ : errors_);
}

void ConfigCheck::error(std::string_view what) {
  ++errors_;
  lines_.push_back(fmt::format("{}: {}", path_, what));
}

void ConfigCheck::warning(std::string_view what, int line) {
  ++warnings_;
  lines_.push_back(Diagnostic{path_, line, std::string(what), true}.text());
}

std::string ConfigCheck::verdict() const {
  return fmt::format("{}: {}, {}: the scheduler would {}", path_, counted_or_no(errors_, "error"),
                     counted_or_no(warnings_, "warning"), passed() ? "start with it" : "refuse it");
}

}  // namespace maui
