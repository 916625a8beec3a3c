// Which of many things changed, for readers who each remember how far they have read.
//
// Only the last changes are kept: who is further behind must look at everything.
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
  /// How many changes there were ever; it only grows.
  std::uint64_t revision() const { return begin_ + ids_.size(); }
  /// The changes after that revision, in order, the same id perhaps several times; nothing where
  /// they are not known any more.
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
