// Credentials by kind: their names in a cluster, and what settings say of them.
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
std::optional<CredentialKind> kind_named(std::string_view name);  // case-blind
/// By number of the credential.
const std::vector<std::string>& names_of(const Cluster& cluster, CredentialKind kind);
/// "[NONE]" where the number stands for no credential.
const std::string& credential_name(const Cluster& cluster, CredentialKind kind,
                                   std::uint32_t number);
/// The number of the credential of that name; kNoCredential where there is none.
std::uint32_t find(const Cluster& cluster, CredentialKind kind, std::string_view name);
/// The number of the credential of that name, made known now if it is new.
std::uint32_t intern(Cluster& cluster, CredentialKind kind, std::string_view name);
/// Fills in the members user, group, account, job_class and qos of `named`; those that a job does
/// not have stay as they are.
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
