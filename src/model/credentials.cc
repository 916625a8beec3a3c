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

template <class NamesType, class Call>
auto with_table(NamesType& names, CredentialKind kind, Call call) {
  switch (kind) {
    case CredentialKind::user:
      return call(names.users);
    case CredentialKind::group:
      return call(names.groups);
    case CredentialKind::account:
      return call(names.accounts);
    case CredentialKind::qos:
      return call(names.qos);
    case CredentialKind::job_class:
      break;
  }
  return call(names.classes);
}

}  // namespace

std::string_view kind_name(CredentialKind kind) { return name_of(kKinds, kind); }
std::optional<CredentialKind> kind_named(std::string_view name) { return value_of(kKinds, name); }

const std::vector<std::string>& names_of(const ClusterNames& names, CredentialKind kind) {
  return *with_table(names, kind, [](const auto& table) { return &table.all(); });
}

const std::string& credential_name(const ClusterNames& names, CredentialKind kind,
                                   std::uint32_t number) {
  static const std::string kNone = "[NONE]";
  const auto& all = names_of(names, kind);
  return number < all.size() ? all[number] : kNone;
}

std::uint32_t find(const ClusterNames& names, CredentialKind kind, std::string_view name) {
  return with_table(names, kind, [name](const auto& table) { return table.find(name).raw(); });
}

std::uint32_t intern(ClusterNames& names, CredentialKind kind, std::string_view name) {
  return with_table(names, kind, [name](auto& table) { return table.intern(name).raw(); });
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
