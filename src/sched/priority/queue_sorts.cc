#include "sched/priority/queue_sorts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace maui {
namespace {

constexpr std::size_t kFew = 512;  // fewer elements are sorted by comparison
constexpr unsigned kBits = 11;     // of a digit
constexpr std::uint32_t kDigit = (std::uint32_t{1} << kBits) - 1;

/// Sorts stably; fast for a handful of elements.
template <class Before>
void sort_few(std::span<std::uint32_t> turns, Before before) {
  constexpr std::size_t kHandful = 32;
  if (turns.size() > kHandful) return std::stable_sort(turns.begin(), turns.end(), before);
  for (std::size_t i = 1; i < turns.size(); ++i) {
    const auto moved = turns[i];
    std::size_t at = i;
    for (; at > 0 && before(moved, turns[at - 1]); --at) turns[at] = turns[at - 1];
    turns[at] = moved;
  }
}

/// The two leading digits of a number, and the index of that number.
struct Key {
  std::uint32_t digits, turn;
  std::size_t low() const { return digits & kDigit; }
  std::size_t high() const { return digits >> kBits; }
};

/// Sorts the keys stably, least significant digit first.
void sort_keys(std::vector<Key>& keys) {
  std::array<std::uint32_t, kDigit + 2> lows{}, highs{};
  for (const Key key : keys) ++lows[key.low() + 1], ++highs[key.high() + 1];
  std::partial_sum(lows.begin(), lows.end(), lows.begin());
  std::partial_sum(highs.begin(), highs.end(), highs.begin());
  std::vector<Key> sorted(keys.size());
  for (const Key key : keys) sorted[lows[key.low()]++] = key;
  for (const Key key : sorted) keys[highs[key.high()]++] = key;
}

}  // namespace

void sort_by_priority(std::vector<Plan::Ranked>& order) {
  const auto before = [](const Plan::Ranked& a, const Plan::Ranked& b) {
    return a.priority > b.priority;
  };
  if (std::is_sorted(order.begin(), order.end(), before)) return;
  const auto [least, most] = std::minmax_element(
      order.begin(), order.end(),
      [](const Plan::Ranked& a, const Plan::Ranked& b) { return a.priority < b.priority; });
  const std::int64_t highest = most->priority;
  const auto below = [highest](const Plan::Ranked& ranked) {
    return static_cast<std::uint64_t>(highest) - static_cast<std::uint64_t>(ranked.priority);
  };
  const std::uint64_t range = below(*least);
  if (order.size() < kFew || range >> (4 * kBits) != 0)
    return std::stable_sort(order.begin(), order.end(), before);
  // Least significant digit first.
  std::vector<Plan::Ranked> sorted(order.size());
  for (unsigned shift = 0; range >> shift != 0; shift += kBits) {
    const auto digit = [&](const Plan::Ranked& ranked) {
      return static_cast<std::size_t>(below(ranked) >> shift & kDigit);
    };
    std::array<std::size_t, kDigit + 2> begins{};
    for (const Plan::Ranked& ranked : order) ++begins[digit(ranked) + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    for (const Plan::Ranked& ranked : order) sorted[begins[digit(ranked)]++] = ranked;
    order.swap(sorted);
  }
}

void sort_by_number(std::vector<std::uint32_t>& turns, std::span<const std::uint64_t> numbers) {
  const auto before = [numbers](auto a, auto b) { return numbers[a] < numbers[b]; };
  if (std::is_sorted(turns.begin(), turns.end(), before)) return;
  if (turns.size() < kFew) return std::stable_sort(turns.begin(), turns.end(), before);
  // By the two leading digits of the distance from the least number; few numbers share both.
  const auto [least, most] = std::minmax_element(turns.begin(), turns.end(), before);
  const std::uint64_t first = numbers[*least];
  const auto width = static_cast<unsigned>(std::bit_width(numbers[*most] - first));
  const unsigned lowest = width > 2 * kBits ? width - 2 * kBits : 0;
  std::vector<Key> keys;
  keys.reserve(turns.size());
  for (const std::uint32_t turn : turns)
    keys.push_back({static_cast<std::uint32_t>((numbers[turn] - first) >> lowest), turn});
  sort_keys(keys);
  for (std::size_t i = 0; i < keys.size(); ++i) turns[i] = keys[i].turn;
  for (std::size_t begin = 0, end = 1; begin < keys.size(); begin = end++) {
    while (end < keys.size() && keys[end].digits == keys[begin].digits) ++end;
    if (end - begin > 1) sort_few(std::span(turns).subspan(begin, end - begin), before);
  }
}

}  // namespace maui
