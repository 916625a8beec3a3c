// Credentials by kind: their names in a cluster, and their settings.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "maui/cluster_names.h"
#include "maui/credential_kind.h"
#include "maui/job.h"
#include "maui/settings.h"

namespace maui {

std::string_view kind_name(CredentialKind kind);  // "user", "group", "account", "qos", "class"
std::optional<CredentialKind> kind_named(std::string_view name);  // ignores case
/// Indexed by number of the credential.
const std::vector<std::string>& names_of(const ClusterNames& names, CredentialKind kind);
/// Returns "[NONE]" if the number stands for no credential.
const std::string& credential_name(const ClusterNames& names, CredentialKind kind,
                                   std::uint32_t number);
/// Returns the number of the credential of that name, or kNoCredential.
std::uint32_t find(const ClusterNames& names, CredentialKind kind, std::string_view name);
/// Returns the number of the credential of that name; interns a new name.
std::uint32_t intern(ClusterNames& names, CredentialKind kind, std::string_view name);
/// Sets the members user, group, account, job_class and qos of `named`; leaves those unchanged that
/// the job does not have.
template <class Named>
void fill_names(const ClusterNames& names, const Credentials& credentials, Named& named) {
  if (credentials.user.valid()) named.user = names.users[credentials.user];
  if (credentials.group.valid()) named.group = names.groups[credentials.group];
  if (credentials.account.valid()) named.account = names.accounts[credentials.account];
  if (credentials.job_class.valid()) named.job_class = names.classes[credentials.job_class];
  if (credentials.qos.valid()) named.qos = names.qos[credentials.qos];
}
/// USERCFG, GROUPCFG, ACCOUNTCFG, QOSCFG or CLASSCFG.
const CredentialTable& table_of(const Settings& settings, CredentialKind kind);

}  // namespace maui
