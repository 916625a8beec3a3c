// A log of the ids of changed objects, for readers that each keep their own read position.
//
// The log keeps only the latest changes: a reader that is further behind must check every object.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace maui {

template <class IdType>
class ChangeLog {
 public:
  void note(IdType id) {
    if (ids_.size() >= 2 * kKept) {
      ids_.erase(ids_.begin(), ids_.begin() + kKept);
      begin_ += kKept;
    }
    ids_.push_back(id);
  }
  /// The number of changes ever noted; never decreases.
  std::uint64_t revision() const { return begin_ + ids_.size(); }
  /// Returns the changes after `revision` in order (an id may occur several times), or nullopt if
  /// the log no longer holds all of them.
  std::optional<std::span<const IdType>> since(std::uint64_t revision) const {
    if (revision < begin_) return std::nullopt;
    return std::span<const IdType>(ids_).subspan(static_cast<std::size_t>(revision - begin_));
  }

 private:
  static constexpr std::ptrdiff_t kKept = 1 << 15;

  std::vector<IdType> ids_;
  std::uint64_t begin_ = 0;
};

}  // namespace maui
