// The entries of a *CFG table, indexed by credential id.
//
// Every name of a table is looked up once, so that queries for a queue of any length need no
// string.  A credential without an entry of its own has that of DEFAULT, if there is one (guide
// 6.2).
#pragma once
#include <vector>

#include "maui/names.h"
#include "maui/settings.h"

namespace maui {

template <class IdType>
class CredentialEntries {
 public:
  CredentialEntries(const CredentialTable& table, const Names<IdType>& names) {
    if (table.empty()) return;
    const auto fallback = table.find("DEFAULT");
    entries_.reserve(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
      auto at = table.find(names[IdType(i)]);
      if (at == table.end()) at = fallback;
      entries_.push_back(at == table.end() ? nullptr : &at->second);
    }
  }

  /// Returns nullptr if neither the credential nor DEFAULT has an entry.
  const CredentialSettings* operator[](IdType id) const {
    return id.valid() && id.index() < entries_.size() ? entries_[id.index()] : nullptr;
  }

 private:
  std::vector<const CredentialSettings*> entries_;
};

}  // namespace maui
