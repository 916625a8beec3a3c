// A two-way table between names and the ids that stand for them.
//
// Ids count from 0 in order of first mention and are never reused, so they can
// index vectors.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "maui/units.h"

namespace maui {

template <class IdType>
class Names {
 public:
  /// The id of `name`, made now if it is new.
  IdType intern(std::string_view name) {
    if (const auto known = find(name); known.valid()) return known;
    const IdType id(names_.size());
    names_.emplace_back(name);
    ids_.emplace(names_.back(), id);
    return id;
  }

  /// The id of `name`, or an invalid one.
  IdType find(std::string_view name) const {
    const auto at = ids_.find(std::string(name));
    return at == ids_.end() ? IdType() : at->second;
  }

  /// The name of `id`; "[NONE]" for an id that names nothing.
  const std::string& operator[](IdType id) const {
    static const std::string kNone = "[NONE]";
    return id.valid() ? names_[id.index()] : kNone;
  }

  std::size_t size() const { return names_.size(); }
  const std::vector<std::string>& all() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, IdType> ids_;
};

}  // namespace maui
