// Sorts of long queues: stable, and by radix where there is enough to sort, since a queue is sorted
// in each cycle and often is nearly sorted.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "maui/plan.h"

namespace maui {

/// Sorts stably by descending priority.
void sort_by_priority(std::vector<Plan::Ranked>& order);

/// Sorts indexes into `numbers` stably by ascending number.
void sort_by_number(std::vector<std::uint32_t>& turns, std::span<const std::uint64_t> numbers);

}  // namespace maui
