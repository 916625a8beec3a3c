#include "sched/availability/node_timeline.h"

#include <algorithm>

#include "maui/hash.h"

namespace maui::availability {
namespace {

template <class Entry>
void insert(std::vector<Entry>& entries, const Entry& entry) {
  entries.insert(std::upper_bound(entries.begin(), entries.end(), entry), entry);
}

template <class Entry>
bool erase(std::vector<Entry>& entries, const Entry& entry) {
  const auto at = std::lower_bound(entries.begin(), entries.end(), entry);
  if (at == entries.end() || *at != entry) return false;
  entries.erase(at);
  return true;
}

std::uint64_t raw(Time when) { return static_cast<std::uint64_t>(when.raw()); }

}  // namespace

Use at_time(Use use, Time now) {
  if (use.start <= now) use.start = kAlways;
  if (use.end <= now) use.end = kOverdue;
  return use;
}

Block at_time(Block block, Time now) {
  if (block.start <= now) block.start = kAlways;
  return block;
}

void NodeTimeline::add(const Use& use) { insert(uses_, use); }
void NodeTimeline::add(const Block& block) { insert(blocks_, block); }
bool NodeTimeline::remove(const Use& use) { return erase(uses_, use); }
bool NodeTimeline::remove(const Block& block) { return erase(blocks_, block); }

bool NodeTimeline::begins() const {
  const auto later = [](const auto& entry) { return entry.start > kAlways; };
  return std::any_of(uses_.begin(), uses_.end(), later) ||
         std::any_of(blocks_.begin(), blocks_.end(), later);
}

Time NodeTimeline::first_moment() const {
  Time first = kForever;
  const auto look_at = [&](Time when) {
    if (when > kOverdue) first = std::min(first, when);
  };
  for (const auto& use : uses_) look_at(use.start), look_at(use.end);
  for (const auto& block : blocks_) look_at(block.start), look_at(block.end);
  return first;
}

void NodeTimeline::advance(Time now) {
  for (auto& use : uses_) use = at_time(use, now);
  std::sort(uses_.begin(), uses_.end());
  std::erase_if(blocks_, [&](const Block& block) { return block.end <= now; });
  for (auto& block : blocks_) block = at_time(block, now);
  std::sort(blocks_.begin(), blocks_.end());
}

std::uint64_t NodeTimeline::hash() const {
  auto hash = mix(mix(0, kind), static_cast<std::uint64_t>(closed.raw()));
  for (const auto& use : uses_) {
    hash = mix(mix(hash, raw(use.start)), raw(use.end));
    hash = mix(hash, std::uint64_t{use.amount} << 32 | use.inside);
    hash = mix(hash, std::uint64_t{use.user.raw()} << 32 |
                         static_cast<std::uint64_t>(use.access) << 1 | (use.own ? 1U : 0U));
  }
  for (const auto& block : blocks_) {
    hash = mix(mix(hash, raw(block.start)), raw(block.end));
    hash = mix(hash, std::uint64_t{block.reservation} << 32 | block.amount);
  }
  return hash;
}

}  // namespace maui::availability
