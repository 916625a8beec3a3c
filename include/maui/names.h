// A two-way table between names and the ids that stand for them.
//
// Ids count from 0 in order of first mention, so they can index vectors.  An id
// that has been given up names nothing until intern() reuses it for a new name.
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
  /// Returns the id of `name`, and assigns one if the name is new.
  IdType intern(std::string_view name) {
    if (const auto known = find(name); known.valid()) return known;
    IdType id(names_.size());
    if (free_.empty()) {
      names_.emplace_back(name);
    } else {
      id = free_.back();
      free_.pop_back();
      names_[id.index()] = name;
    }
    ids_.emplace(name, id);
    return id;
  }

  /// Frees the id for reuse.  Requires that nothing refers to the id.
  void give_up(IdType id) {
    if (ids_.erase(names_[id.index()]) == 0) return;
    std::string().swap(names_[id.index()]);
    free_.push_back(id);
  }

  /// Returns the id of `name`, or an invalid id.
  IdType find(std::string_view name) const {
    const auto at = ids_.find(std::string(name));
    return at == ids_.end() ? IdType() : at->second;
  }

  /// Returns the name of `id`, or "[NONE]" for an invalid id.
  const std::string& operator[](IdType id) const {
    static const std::string kNone = "[NONE]";
    return id.valid() ? names_[id.index()] : kNone;
  }

  /// An upper bound: every id is less than size().
  std::size_t size() const { return names_.size(); }
  /// The number of ids in use.
  std::size_t known() const { return ids_.size(); }
  /// All names, indexed by id; empty for ids that have been given up.
  const std::vector<std::string>& all() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, IdType> ids_;
  std::vector<IdType> free_;
};

}  // namespace maui
