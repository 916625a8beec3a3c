#include "sched/availability/tables.h"

#include <algorithm>

#include "base/sorted.h"
#include "maui/hash.h"

namespace maui::availability {
namespace {

std::vector<Part> parts_of(const Resources& amount) {
  std::vector<Part> parts;
  for (const auto what : {kProcs, kMemory, kSwap, kDisk})
    if (amount.get(what) != 0) parts.emplace_back(what.raw(), amount.get(what));
  for (const auto& [what, quantity] : amount.extra()) parts.emplace_back(what.raw(), quantity);
  return parts;
}

std::uint64_t hash_of(std::span<const Part> parts) {
  std::uint64_t hash = parts.size();
  for (const auto& [what, quantity] : parts)
    hash = mix(hash, std::uint64_t{what} << 32 | static_cast<std::uint32_t>(quantity));
  return hash;
}

/// Returns the number of an equal value in `values`, or the size of `values` if there is none.
template <class Value>
std::uint32_t find(const std::unordered_multimap<std::uint64_t, std::uint32_t>& numbers,
                   std::uint64_t hash, const std::vector<Value>& values, const Value& wanted) {
  const auto [first, last] = numbers.equal_range(hash);
  for (auto at = first; at != last; ++at)
    if (values[at->second] == wanted) return at->second;
  return static_cast<std::uint32_t>(values.size());
}

}  // namespace

Tables::Tables() : reservations_(1) {}

std::uint32_t Tables::amount(const Resources& amount) {
  auto parts = parts_of(amount);
  const auto hash = hash_of(parts);
  const auto number = find(amount_numbers_, hash, parts_, parts);
  if (number < amounts_.size()) return number;
  for (const auto& part : parts)
    consumables_ = std::max(consumables_, static_cast<std::size_t>(part.first) + 1);
  amounts_.push_back(amount);
  parts_.push_back(std::move(parts));
  amount_numbers_.emplace(hash, number);
  return number;
}

std::uint32_t Tables::reservations(std::vector<std::uint32_t> set) {
  sort_unique(set);
  if (set.empty()) return 0;
  std::uint64_t hash = 0;
  for (const auto reservation : set) hash = mix(hash, reservation);
  const auto number = find(reservation_numbers_, hash, reservations_, set);
  if (number < reservations_.size()) return number;
  reservations_.push_back(std::move(set));
  reservation_numbers_.emplace(hash, number);
  return number;
}

bool Tables::contains(std::uint32_t set, std::uint32_t reservation) const {
  if (set == 0) return false;
  const auto& all = reservations_[set];
  return std::binary_search(all.begin(), all.end(), reservation);
}

std::uint32_t Tables::kind(const NodeKind& kind) {
  auto hash = mix(kind.attributes, hash_of(parts_of(kind.whole)));
  hash = mix(hash, static_cast<std::uint64_t>(kind.max_jobs) << 32 |
                       static_cast<std::uint32_t>(kind.max_jobs_per_user));
  const auto number = find(kind_numbers_, hash, kinds_, kind);
  if (number < kinds_.size()) return number;
  kinds_.push_back(kind);
  kind_numbers_.emplace(hash, number);
  std::vector<Resources::Quantity> dense(kElementary, 0);
  for (const auto& [what, quantity] : parts_of(kind.whole)) {
    if (what >= dense.size()) dense.resize(what + 1, 0);
    dense[what] = quantity;
  }
  consumables_ = std::max(consumables_, dense.size());
  whole_.push_back(std::move(dense));
  return number;
}

}  // namespace maui::availability
