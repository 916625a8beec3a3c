#include "engine/accounts/service_targets.h"

#include "model/credentials.h"
#include "sched/rules/credential_attribute.h"

namespace maui {
namespace {

/// Returns the value of `attribute` for a credential of that name, or else for DEFAULT.
template <class T>
std::optional<T> setting(const CredentialTable& table, std::string_view name,
                         std::optional<T> CredentialSettings::*attribute) {
  for (const std::string_view key : {name, std::string_view("DEFAULT")})
    if (const auto at = table.find(key); at != table.end() && at->second.*attribute)
      return at->second.*attribute;
  return std::nullopt;
}

template <class T, class NameOf>
std::optional<T> target(const Settings& settings, const NameOf& name_of,
                        std::optional<T> CredentialSettings::*attribute) {
  const auto of = [&](CredentialKind kind) -> std::optional<T> {
    const auto& table = table_of(settings, kind);
    if (table.empty()) return std::nullopt;
    const std::string_view name = name_of(kind);
    return name.empty() ? std::nullopt : setting(table, name, attribute);
  };
  return tightest<T>(of, settings.system.*attribute);
}

}  // namespace

bool ServiceTargets::met_by(const JobRun& run) const {
  return (!queue_time || run.queue <= static_cast<double>(queue_time->raw())) &&
         (!xfactor || run.xfactor() <= *xfactor);
}

ServiceTargets service_targets(const Settings& settings,
                               const std::function<std::string_view(CredentialKind)>& name) {
  using C = CredentialSettings;
  return {target(settings, name, &C::queue_time_target),
          target(settings, name, &C::xfactor_target)};
}

}  // namespace maui
