// The five kinds of credentials that policies are about (paper 2.4), for what is the same for
// each of them.
#pragma once
#include <array>
#include <cstdint>
#include <limits>

#include "maui/job.h"

namespace maui {

/// In the order in which reports show them.
enum class CredentialKind : std::uint8_t { user, group, account, qos, job_class };
inline constexpr std::array<CredentialKind, 5> kCredentialKinds{
    CredentialKind::user, CredentialKind::group, CredentialKind::account, CredentialKind::qos,
    CredentialKind::job_class};

/// One T for each kind.
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

/// The number of the job's credential of this kind, an index into tables by id; kNoCredential where
/// it has none.
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

}  // namespace maui
