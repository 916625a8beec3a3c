// The five kinds of credentials that policies apply to (paper 2.4), for code that treats all of
// them alike.
#pragma once
#include <array>
#include <cstdint>
#include <limits>

#include "maui/job.h"

namespace maui {

/// The kinds in the order in which reports show them.
enum class CredentialKind : std::uint8_t { user, group, account, qos, job_class };
inline constexpr std::array<CredentialKind, 5> kCredentialKinds{
    CredentialKind::user, CredentialKind::group, CredentialKind::account, CredentialKind::qos,
    CredentialKind::job_class};

/// A T for each kind.
template <class T>
class ByKind {
 public:
  T& operator[](CredentialKind kind) { return values_[static_cast<std::size_t>(kind)]; }
  const T& operator[](CredentialKind kind) const { return values_[static_cast<std::size_t>(kind)]; }
  friend bool operator==(const ByKind&, const ByKind&) = default;

 private:
  std::array<T, kCredentialKinds.size()> values_{};
};

inline constexpr std::uint32_t kNoCredential = std::numeric_limits<std::uint32_t>::max();

/// Returns the id of the credential of this kind, as an index into tables; kNoCredential if `who`
/// has none.
constexpr std::uint32_t number_of(const Credentials& who, CredentialKind kind) {
  switch (kind) {
    case CredentialKind::user:
      return who.user.raw();
    case CredentialKind::group:
      return who.group.raw();
    case CredentialKind::account:
      return who.account.raw();
    case CredentialKind::qos:
      return who.qos.raw();
    case CredentialKind::job_class:
      return who.job_class.raw();
  }
  return kNoCredential;
}
constexpr void set_number(Credentials& who, CredentialKind kind, std::uint32_t number) {
  switch (kind) {
    case CredentialKind::user:
      who.user = UserId(number);
      return;
    case CredentialKind::group:
      who.group = GroupId(number);
      return;
    case CredentialKind::account:
      who.account = AccountId(number);
      return;
    case CredentialKind::qos:
      who.qos = QosId(number);
      return;
    case CredentialKind::job_class:
      who.job_class = ClassId(number);
  }
}

}  // namespace maui
