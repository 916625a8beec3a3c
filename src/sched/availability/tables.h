// The values that node timelines refer to by number: amounts of resources, sets of reservations,
// kinds of nodes.  Each value is stored once, and numbers are never reused.  If amounts vary
// endlessly, as loads do, a long-lived caller should start with new tables now and then
// (Availability::clear).
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "maui/resources.h"

namespace maui {
enum class NodeAccess : std::uint8_t;
}

namespace maui::availability {

/// The values that all nodes of a kind have in common.
struct NodeKind {
  /// The caller's number for all that requests can ask about, including the partition.
  std::uint32_t attributes = 0;
  Resources whole;                   // all that jobs can have of a node
  std::optional<NodeAccess> access;  // the node's own policy
  int max_jobs = 0;                  // MAXJOB; 0: no limit
  int max_jobs_per_user = 0;         // MAXJOBPERUSER; 0: no limit
  friend bool operator==(const NodeKind&, const NodeKind&) = default;
};

/// The number and quantity of one consumable in an amount.
using Part = std::pair<std::uint32_t, Resources::Quantity>;

class Tables {
 public:
  Tables();

  std::uint32_t amount(const Resources& amount);
  const Resources& amount_of(std::uint32_t number) const { return amounts_[number]; }
  /// Returns the nonzero consumables.
  std::span<const Part> parts(std::uint32_t amount) const { return parts_[amount]; }

  /// The empty set has number 0.
  std::uint32_t reservations(std::vector<std::uint32_t> set);
  bool contains(std::uint32_t set, std::uint32_t reservation) const;
  std::span<const std::uint32_t> reservations_of(std::uint32_t set) const {
    return reservations_[set];
  }

  std::uint32_t kind(const NodeKind& kind);
  const NodeKind& kind_of(std::uint32_t number) const { return kinds_[number]; }
  /// The resources `whole` of the kind as a dense vector by consumable.
  std::span<const Resources::Quantity> whole(std::uint32_t kind) const { return whole_[kind]; }

  /// The number of consumables that occur.
  std::size_t consumables() const { return consumables_; }
  /// The number of stored values.
  std::size_t size() const { return amounts_.size() + reservations_.size() + kinds_.size(); }

 private:
  std::vector<Resources> amounts_;
  std::vector<std::vector<Part>> parts_;
  std::vector<std::vector<std::uint32_t>> reservations_;
  std::vector<NodeKind> kinds_;
  using Numbers = std::unordered_multimap<std::uint64_t, std::uint32_t>;  // by hash
  Numbers amount_numbers_, reservation_numbers_, kind_numbers_;
  std::vector<std::vector<Resources::Quantity>> whole_;
  std::size_t consumables_ = kElementary;
};

}  // namespace maui::availability
