#include "model/credentials.h"

#include "base/enum_names.h"

namespace maui {
namespace {

constexpr EnumName<CredentialKind> kKindNames[] = {
    {CredentialKind::user, "user"},       {CredentialKind::group, "group"},
    {CredentialKind::account, "account"}, {CredentialKind::qos, "qos"},
    {CredentialKind::job_class, "class"},
};
constexpr std::span<const EnumName<CredentialKind>> kKinds(kKindNames);

template <class ClusterType, class Call>
auto with_names(ClusterType& cluster, CredentialKind kind, Call call) {
  switch (kind) {
    case CredentialKind::user:
      return call(cluster.users);
    case CredentialKind::group:
      return call(cluster.groups);
    case CredentialKind::account:
      return call(cluster.accounts);
    case CredentialKind::qos:
      return call(cluster.qos);
    case CredentialKind::job_class:
      break;
  }
  return call(cluster.classes);
}

}  // namespace

std::string_view kind_name(CredentialKind kind) { return name_of(kKinds, kind); }
std::optional<CredentialKind> kind_named(std::string_view name) { return value_of(kKinds, name); }

const std::vector<std::string>& names_of(const Cluster& cluster, CredentialKind kind) {
  return *with_names(cluster, kind, [](const auto& names) { return &names.all(); });
}

const std::string& credential_name(const Cluster& cluster, CredentialKind kind,
                                   std::uint32_t number) {
  static const std::string kNone = "[NONE]";
  const auto& names = names_of(cluster, kind);
  return number < names.size() ? names[number] : kNone;
}

std::uint32_t find(const Cluster& cluster, CredentialKind kind, std::string_view name) {
  return with_names(cluster, kind, [name](const auto& names) { return names.find(name).raw(); });
}

std::uint32_t intern(Cluster& cluster, CredentialKind kind, std::string_view name) {
  return with_names(cluster, kind, [name](auto& names) { return names.intern(name).raw(); });
}

const CredentialTable& table_of(const Settings& settings, CredentialKind kind) {
  switch (kind) {
    case CredentialKind::user:
      return settings.users;
    case CredentialKind::group:
      return settings.groups;
    case CredentialKind::account:
      return settings.accounts;
    case CredentialKind::qos:
      return settings.qos;
    case CredentialKind::job_class:
      break;
  }
  return settings.classes;
}

}  // namespace maui
