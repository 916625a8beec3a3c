// Credentials by kind: their names in a cluster, and their settings.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "maui/cluster.h"
#include "maui/credential_kind.h"
#include "maui/settings.h"

namespace maui {

std::string_view kind_name(CredentialKind kind);  // "user", "group", "account", "qos", "class"
std::optional<CredentialKind> kind_named(std::string_view name);  // ignores case
/// Indexed by number of the credential.
const std::vector<std::string>& names_of(const Cluster& cluster, CredentialKind kind);
/// Returns "[NONE]" if the number stands for no credential.
const std::string& credential_name(const Cluster& cluster, CredentialKind kind,
                                   std::uint32_t number);
/// Returns the number of the credential of that name, or kNoCredential.
std::uint32_t find(const Cluster& cluster, CredentialKind kind, std::string_view name);
/// Returns the number of the credential of that name; interns a new name.
std::uint32_t intern(Cluster& cluster, CredentialKind kind, std::string_view name);
/// Sets the members user, group, account, job_class and qos of `named`; leaves those unchanged that
/// the job does not have.
template <class Named>
void fill_names(const Cluster& cluster, const Credentials& credentials, Named& named) {
  if (credentials.user.valid()) named.user = cluster.users[credentials.user];
  if (credentials.group.valid()) named.group = cluster.groups[credentials.group];
  if (credentials.account.valid()) named.account = cluster.accounts[credentials.account];
  if (credentials.job_class.valid()) named.job_class = cluster.classes[credentials.job_class];
  if (credentials.qos.valid()) named.qos = cluster.qos[credentials.qos];
}
/// USERCFG, GROUPCFG, ACCOUNTCFG, QOSCFG or CLASSCFG.
const CredentialTable& table_of(const Settings& settings, CredentialKind kind);

}  // namespace maui
