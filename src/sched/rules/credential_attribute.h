// One attribute of the *CFG parameters, indexed by credential number.
//
// A credential whose entry does not set the attribute has the value of DEFAULT (guide
// 6.2), or else of SYSCFG.  Every name is looked up once, so that queries need no
// string.
#pragma once
#include <optional>
#include <vector>

#include "maui/cluster.h"
#include "model/credentials.h"

namespace maui {

template <class T>
class CredentialAttribute {
 public:
  using Member = std::optional<T> CredentialSettings::*;

  CredentialAttribute() = default;
  CredentialAttribute(const Cluster& cluster, const Settings& settings, Member member,
                      const std::optional<T>& of_system = {}) {
    for (const auto kind : kCredentialKinds) fill(cluster, settings, kind, member, of_system);
  }

  /// True if some credential has the attribute.
  bool any() const { return any_; }
  const std::optional<T>& of(CredentialKind kind, std::uint32_t number) const {
    static const std::optional<T> kNone;
    const auto& all = values_[kind];
    return number < all.size() ? all[number] : kNone;
  }
  /// By number of the credential; empty if no credential of that kind has the attribute.
  const std::vector<std::optional<T>>& of(CredentialKind kind) const { return values_[kind]; }
  const std::optional<T>& of(CredentialKind kind, const Credentials& who) const {
    return of(kind, number_of(who, kind));
  }

 private:
  void fill(const Cluster& cluster, const Settings& settings, CredentialKind kind, Member member,
            std::optional<T> fallback) {
    const auto& table = table_of(settings, kind);
    if (table.empty() && !fallback) return;
    if (const auto at = table.find("DEFAULT"); at != table.end() && at->second.*member)
      fallback = at->second.*member;
    bool used = fallback.has_value();
    for (const auto& entry : table) used = used || (entry.second.*member).has_value();
    if (!used) return;
    any_ = true;
    auto& values = values_[kind];
    values.assign(names_of(cluster, kind).size(), fallback);
    for (const auto& [name, entry] : table) {
      if (!(entry.*member)) continue;
      if (const auto number = find(cluster, kind, name); number != kNoCredential)
        values[number] = entry.*member;
    }
  }

  ByKind<std::vector<std::optional<T>>> values_;
  bool any_ = false;
};

/// Returns the smallest of the targets that `of(kind)` gives for the kinds of credentials, else
/// that of the system; targets of 0 or less count as none.
template <class T, class Of>
std::optional<T> tightest(Of of, const std::optional<T>& of_system) {
  std::optional<T> least;
  for (const auto kind : kCredentialKinds)
    if (const std::optional<T> target = of(kind);
        target && *target > T{} && (!least || *target < *least))
      least = target;
  return !least && of_system && *of_system > T{} ? of_system : least;
}

}  // namespace maui
