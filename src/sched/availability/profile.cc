#include "sched/availability/profile.h"

#include <algorithm>

#include "maui/hash.h"

namespace maui {
namespace {

template <class Visit>
void each_amount(const Resources& amount, Visit visit) {
  visit(0U, amount.procs());
  visit(1U, amount.memory());
  visit(2U, amount.swap());
  visit(3U, amount.disk());
  for (const auto& [what, quantity] : amount.extra()) visit(what.raw(), quantity);
}

}  // namespace

TaskSize task_size(const Resources& task) {
  TaskSize size;
  each_amount(task, [&](std::uint32_t what, Resources::Quantity amount) {
    if (amount > 0) size.emplace_back(what, amount);
  });
  return size;
}

void Profile::reset(Time now, const Resources& configured, std::size_t consumables) {
  width_ = consumables;
  levels_.clear();
  free_.clear();
  append(now, {}, configured);
}

void Profile::append(Time from, const Presence& presence, std::span<const Quantity> free) {
  levels_.push_back({from, presence});
  free_.insert(free_.end(), free.begin(), free.end());
}

void Profile::append(Time from, const Presence& presence, const Resources& free) {
  levels_.push_back({from, presence});
  free_.resize(free_.size() + width_, 0);
  auto* here = free_.data() + free_.size() - width_;
  each_amount(free, [&](std::uint32_t what, Quantity amount) { here[what] = amount; });
}

Profile Profile::first_level() const {
  Profile first;
  first.width_ = width_;
  first.levels_.assign(1, levels_.front());
  first.free_.assign(free_.begin(), free_.begin() + static_cast<std::ptrdiff_t>(width_));
  return first;
}

std::size_t Profile::at(Time when) const {
  constexpr std::size_t kFew = 16;  // nearly every node has so few levels
  if (levels_.size() <= kFew) {
    std::size_t i = 0;
    while (i + 1 < levels_.size() && levels_[i + 1].from <= when) ++i;
    return i;
  }
  const auto after = std::upper_bound(levels_.begin(), levels_.end(), when,
                                      [](Time t, const Level& level) { return t < level.from; });
  return after == levels_.begin() ? 0 : static_cast<std::size_t>(after - levels_.begin()) - 1;
}

std::size_t Profile::split(Time when) {
  const auto i = at(when);
  if (levels_[i].from >= when) return i;
  const auto place = static_cast<std::ptrdiff_t>(i + 1);
  levels_.insert(levels_.begin() + place, {when, levels_[i].presence});
  const auto width = static_cast<std::ptrdiff_t>(width_);
  free_.insert(free_.begin() + place * width, width_, 0);
  std::copy_n(free_.begin() + (place - 1) * width, width, free_.begin() + place * width);
  return i + 1;
}

void Profile::join(std::size_t i) {
  if (i == 0 || i >= levels_.size() || !(levels_[i].presence == levels_[i - 1].presence)) return;
  const auto here = free(i), before = free(i - 1);
  if (!std::equal(here.begin(), here.end(), before.begin())) return;
  const auto place = static_cast<std::ptrdiff_t>(i), width = static_cast<std::ptrdiff_t>(width_);
  levels_.erase(levels_.begin() + place);
  free_.erase(free_.begin() + place * width, free_.begin() + (place + 1) * width);
}

void Profile::change(Time start, Time end, const Resources& amount, int sign, bool exclusive,
                     bool limited) {
  if (end <= levels_.front().from) return;
  const auto first = split(start);
  const auto last = split(end);
  for (auto i = first; i < last; ++i) {
    auto* here = free_.data() + i * width_;
    each_amount(amount, [&](std::uint32_t what, Quantity quantity) {
      here[what] = Resources::sum(here[what], quantity, sign);
    });
    levels_[i].presence.jobs -= sign;
    if (exclusive) levels_[i].presence.exclusive -= sign;
    if (limited) levels_[i].presence.limited -= sign;
  }
  join(last);
  join(first);
}

void Profile::set_to_worst_of(const Profile& other) {
  width_ = other.width_;
  levels_.assign(1, other.levels_.front());
  free_.assign(other.free_.begin(), other.free_.begin() + static_cast<std::ptrdiff_t>(width_));
  auto& first = levels_.front().presence;
  first.jobs = std::min(first.jobs, 1);
  first.exclusive = std::min(first.exclusive, 1);
  if (first.several) first.user = UserId();
  for (std::size_t i = 1; i < other.size(); ++i) {
    Presence worst = levels_.back().presence;
    const Presence& next = other.levels_[i].presence;
    if (next.jobs > 0) worst.jobs = 1;
    if (next.exclusive > 0) worst.exclusive = 1;
    worst.limited = std::max(worst.limited, next.limited);
    // Two users in turn: neither was alone there.  Two owners: nobody can stay.
    worst.several = worst.several || next.several ||
                    (worst.user.valid() && next.user.valid() && worst.user != next.user);
    // Among several users the last one does not matter.
    if (worst.several)
      worst.user = UserId();
    else if (next.user.valid())
      worst.user = next.user;
    if (worst.owner.valid() && next.owner.valid() && worst.owner != next.owner) worst.exclusive = 1;
    if (next.owner.valid()) worst.owner = next.owner;
    const auto row = (levels_.size() - 1) * width_;
    bool lower = !(worst == levels_.back().presence);
    for (std::size_t what = 0; what < width_ && !lower; ++what)
      lower = other.free(i)[what] < free_[row + what];
    if (!lower) continue;
    levels_.push_back({other.levels_[i].from, worst});
    free_.resize(free_.size() + width_);
    for (std::size_t what = 0; what < width_; ++what)
      free_[row + width_ + what] = std::min(free_[row + what], other.free(i)[what]);
  }
}

std::uint64_t Profile::hash() const {
  std::uint64_t hash = levels_.size();
  for (const auto& level : levels_) {
    hash = mix(hash, static_cast<std::uint64_t>(level.from.raw()));
    hash = mix(hash, static_cast<std::uint64_t>(level.presence.jobs) << 32 |
                         static_cast<std::uint32_t>(level.presence.exclusive +
                                                    (level.presence.limited << 16)));
    hash = mix(hash, std::uint64_t{level.presence.user.raw()} << 32 | level.presence.owner.raw());
  }
  for (const auto amount : free_) hash = mix(hash, static_cast<std::uint32_t>(amount));
  return hash;
}

bool Profile::check() const {
  if (levels_.empty() || free_.size() != levels_.size() * width_) return false;
  for (std::size_t i = 1; i < levels_.size(); ++i) {
    if (levels_[i].from <= levels_[i - 1].from) return false;
    const auto here = free(i), before = free(i - 1);
    if (levels_[i].presence == levels_[i - 1].presence &&
        std::equal(here.begin(), here.end(), before.begin()))
      return false;
  }
  return true;
}

}  // namespace maui
