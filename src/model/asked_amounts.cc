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

// `by`: 1 if the request comes, -1 if it goes.
void AskedAmounts::count(const Request& request, int by) {
  if (sorts_by_memory(request)) asked_[kMemory.index()].comparisons += by;
  for (const auto& requirement : request.requirements)
    each_amount(requirement,
                [&](ConsumableId what, Resources::Quantity amount, const Bound& bound) {
                  auto& asked = asked_[what.index()];
                  if (bound.compare != Comparison::any) asked.comparisons += by;
                  if (amount > 0) asked.count(amount, by);
                });
}

void AskedAmounts::Asked::count(Resources::Quantity amount, int by) {
  const auto at = times.try_emplace(amount, 0).first;
  const bool known = at->second > 0;
  at->second += by;
  assert(at->second >= 0);
  if (!known) grain = std::gcd(grain, amount);
  if (at->second > 0) return;
  times.erase(at);
  grain = 0;
  for (const auto& [other, requests] : times) {
    grain = std::gcd(grain, other);
    if (grain == 1) break;
  }
}

}  // namespace maui
