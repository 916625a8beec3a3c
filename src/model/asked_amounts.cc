#include "maui/asked_amounts.h"

#include <cassert>
#include <numeric>

namespace maui {
namespace {

/// Calls visit(consumable, amount per task, bound) for memory, swap and disk.
template <class Visit>
void each_amount(const Requirement& requirement, const Visit& visit) {
  visit(kMemory, requirement.per_task.memory(), requirement.memory);
  visit(kSwap, requirement.per_task.swap(), requirement.swap);
  visit(kDisk, requirement.per_task.disk(), requirement.disk);
}

bool sorts_by_memory(const Request& request) {
  return request.node_set && request.node_set->attribute == NodeSetAttribute::memory;
}

}  // namespace

void AskedAmounts::add(const Request& request) {
  if (sorts_by_memory(request)) ++asked_[kMemory.index()].comparisons;
  for (const auto& requirement : request.requirements)
    each_amount(requirement,
                [this](ConsumableId what, Resources::Quantity amount, const Bound& bound) {
                  auto& asked = asked_[what.index()];
                  if (bound.compare != Comparison::any) ++asked.comparisons;
                  if (amount > 0 && asked.times[amount]++ == 0)
                    asked.grain = std::gcd(asked.grain, amount);
                });
}

void AskedAmounts::remove(const Request& request) {
  if (sorts_by_memory(request)) --asked_[kMemory.index()].comparisons;
  for (const auto& requirement : request.requirements)
    each_amount(requirement,
                [this](ConsumableId what, Resources::Quantity amount, const Bound& bound) {
                  auto& asked = asked_[what.index()];
                  if (bound.compare != Comparison::any) --asked.comparisons;
                  if (amount <= 0) return;
                  const auto at = asked.times.find(amount);
                  assert(at != asked.times.end());
                  if (--at->second > 0) return;
                  asked.times.erase(at);
                  asked.grain = 0;
                  for (const auto& [other, times] : asked.times) {
                    asked.grain = std::gcd(asked.grain, other);
                    if (asked.grain == 1) break;
                  }
                });
}

}  // namespace maui
