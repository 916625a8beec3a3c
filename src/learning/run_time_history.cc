#include "learning/run_time_history.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <tuple>

#include "maui/hash.h"

namespace maui {
namespace {

std::int32_t clamped(Seconds time, std::int32_t least) {
  return static_cast<std::int32_t>(
      std::clamp<std::int64_t>(time.raw(), least, std::numeric_limits<std::int32_t>::max()));
}
std::int32_t limit_of(Seconds limit) { return clamped(limit, 1); }

int logarithm(std::int32_t number) {
  return static_cast<int>(std::bit_width(static_cast<std::uint32_t>(number))) - 1;
}

// `weight`: of a run by its age; `total`: of all runs of a ring by its size.
struct Fading {
  std::array<double, RunRing::kKept> weight{};
  std::array<double, RunRing::kKept + 1> total{};
};
constexpr Fading fading() {
  constexpr double kFading = 0.7;
  Fading made;
  double weight = 1;
  for (std::size_t age = 0; age < RunRing::kKept; ++age) {
    made.weight[age] = weight;
    made.total[age + 1] = made.total[age] + weight;
    weight *= kFading;
  }
  return made;
}

// Gathers the values of a mixture, ring by ring from the narrowest.
class Mixture {
 public:
  explicit Mixture(std::int32_t limit) : limit_(limit) { values_.reserve(RunRing::kKept * 7 + 1); }

  /// With `relative`, scales runs to this limit, since the ring holds runs with other limits.
  void add(const RunRing& ring, bool relative) {
    constexpr double kEnough = 0.01;
    constexpr Fading kFading = fading();
    if (enough_ || ring.size() == 0) return;
    const double total = kFading.total[ring.size()];
    const double share = rest_ * total / (total + 1);
    for (std::size_t age = 0; age < ring.size(); ++age) {
      const PastRun& past = ring[age];
      const double seconds = relative ? static_cast<double>(past.run) / past.limit * limit_
                                      : std::min(past.run, limit_);
      values_.push_back({std::max(seconds, 1.0), share * kFading.weight[age] / total});
    }
    rest_ -= share;
    enough_ = rest_ < kEnough;
  }

  /// Assigns the rest, which no ring covers, to runs as long as the limit.
  std::vector<RunDistribution::Value> finished() {
    constexpr double kLeast = 0.001;
    values_.push_back({static_cast<double>(limit_), std::max(rest_, kLeast)});
    return std::move(values_);
  }

 private:
  std::int32_t limit_;
  double rest_ = 1;
  bool enough_ = false;
  std::vector<RunDistribution::Value> values_;
};

}  // namespace

void RunRing::add(PastRun run, Time ended) {
  runs_[next_] = run;
  next_ = static_cast<std::uint8_t>((next_ + 1) % kKept);
  size_ = static_cast<std::uint8_t>(std::min<std::size_t>(size_ + 1U, kKept));
  last_ = std::max(last_, ended);
}

std::size_t RunTimeHistory::Hash::operator()(const Key& key) const {
  std::uint64_t hash = key.name.empty() ? 0 : std::hash<std::string>()(key.name);
  for (const std::int32_t number : {key.procs, key.limit})
    hash = mix(hash, static_cast<std::uint32_t>(number));
  return hash;
}

// 0 and an empty name stand for all.
std::array<RunTimeHistory::Key, RunTimeHistory::kOwnRings> RunTimeHistory::keys_of(
    const JobTraits& job) {
  const std::int32_t limit = limit_of(job.limit), procs = std::max(job.procs, 1);
  return {{{std::string(job.name), procs, limit},
           {{}, procs, limit},
           {{}, 0, limit},
           {{}, procs, 0},
           {{}, 0, 0}}};
}

std::pair<int, int> RunTimeHistory::size_of(const JobTraits& job) {
  return {logarithm(limit_of(job.limit)), logarithm(std::max(job.procs, 1))};
}

void RunTimeHistory::learn(const JobTraits& job, Seconds run, Time ended) {
  const std::int32_t limit = limit_of(job.limit);
  const PastRun past{std::min(clamped(run, 0), limit), limit};
  auto user = users_.find(job.user);
  if (user == users_.end()) user = users_.emplace(std::string(job.user), UserRings()).first;
  auto keys = keys_of(job);
  const std::size_t before = user->second.size();
  for (std::size_t i = job.name.empty() ? 1 : 0; i < keys.size(); ++i)
    user->second[std::move(keys[i])].add(past, ended);
  rings_of_users_ += user->second.size() - before;
  if (user->second.size() > kMostRings) {
    forget_oldest(user->second);
    count_rings_of_users();
  }
  if (rings_of_users_ > kMostRingsOfUsers) forget_oldest_of_users();
  sizes_[size_of(job)].add(past, ended);
  site_.add(past, ended);
  oldest_ = std::min(oldest_, ended);
}

RunDistribution RunTimeHistory::expect(const JobTraits& job) const {
  Mixture mixture(limit_of(job.limit));
  std::size_t similar = 0;
  if (const auto user = users_.find(job.user); user != users_.end()) {
    const auto keys = keys_of(job);
    for (std::size_t i = job.name.empty() ? 1 : 0; i < keys.size(); ++i) {
      const auto ring = user->second.find(keys[i]);
      if (ring == user->second.end()) continue;
      if (i <= 1) similar = std::max(similar, ring->second.size());
      mixture.add(ring->second, false);
    }
  }
  if (const auto ring = sizes_.find(size_of(job)); ring != sizes_.end())
    mixture.add(ring->second, true);
  mixture.add(site_, true);
  return {mixture.finished(), job.limit, static_cast<int>(similar)};
}

RunDistribution RunTimeHistory::by_limit(Seconds limit) {
  return {Mixture(limit_of(limit)).finished(), limit, 0};
}

void RunTimeHistory::forget_oldest(UserRings& rings) {
  std::vector<Time> lasts;
  lasts.reserve(rings.size());
  for (const auto& [key, ring] : rings) lasts.push_back(ring.last());
  const auto middle = lasts.begin() + static_cast<std::ptrdiff_t>(lasts.size() / 2);
  std::nth_element(lasts.begin(), middle, lasts.end());
  // Among many rings with the same time, drops those with the greatest keys.
  std::size_t left = rings.size() / 2;
  std::erase_if(rings, [&](const auto& entry) { return entry.second.last() < *middle; });
  std::vector<Key> equal;
  for (const auto& [key, ring] : rings)
    if (ring.last() == *middle) equal.push_back(key);
  std::sort(equal.begin(), equal.end());
  for (auto key = equal.rbegin(); key != equal.rend() && rings.size() > left + 1; ++key)
    if (*key != Key{}) rings.erase(*key);
}

// Drops the oldest quarter; if too many rings have the same time for that, drops half of the rings
// of each user.
void RunTimeHistory::forget_oldest_of_users() {
  std::vector<Time> lasts;
  lasts.reserve(rings_of_users_);
  for (const auto& [name, rings] : users_)
    for (const auto& [key, ring] : rings) lasts.push_back(ring.last());
  const auto quarter = lasts.begin() + static_cast<std::ptrdiff_t>(lasts.size() / 4);
  std::nth_element(lasts.begin(), quarter, lasts.end());
  forget_users_before(*quarter);
  if (rings_of_users_ <= kMostRingsOfUsers) return;
  for (auto& [name, rings] : users_)
    if (rings.size() > kOwnRings) forget_oldest(rings);
  count_rings_of_users();
}

void RunTimeHistory::count_rings_of_users() {
  rings_of_users_ = 0;
  for (const auto& [name, rings] : users_) rings_of_users_ += rings.size();
}

void RunTimeHistory::forget_users_before(Time when) {
  for (auto& [name, rings] : users_)
    std::erase_if(rings, [when](const auto& entry) { return entry.second.last() < when; });
  std::erase_if(users_, [](const auto& user) { return user.second.empty(); });
  count_rings_of_users();
}

Time RunTimeHistory::oldest_addition() const {
  Time oldest = site_.size() > 0 ? site_.last() : kForever;
  for (const auto& [size, ring] : sizes_) oldest = std::min(oldest, ring.last());
  for (const auto& [name, rings] : users_)
    for (const auto& [key, ring] : rings) oldest = std::min(oldest, ring.last());
  return oldest;
}

void RunTimeHistory::forget_before(Time when) {
  if (when <= oldest_) return;
  const auto old = [when](const auto& entry) { return entry.second.last() < when; };
  forget_users_before(when);
  std::erase_if(sizes_, old);
  if (site_.last() < when) site_ = {};
  oldest_ = oldest_addition();
}

std::size_t RunTimeHistory::rings() const {
  return rings_of_users_ + sizes_.size() + (site_.size() > 0 ? 1 : 0);
}

std::vector<RunTimeHistory::Kept> RunTimeHistory::kept() const {
  std::vector<Kept> all;
  const auto add = [&all](Kept made, const RunRing& ring) {
    made.last = ring.last();
    for (std::size_t age = ring.size(); age > 0; --age) made.runs.push_back(ring[age - 1]);
    all.push_back(std::move(made));
  };
  for (const auto& [user, rings] : users_)
    for (const auto& [key, ring] : rings)
      add({Of::user, user, key.name, key.procs, key.limit, {}, {}}, ring);
  std::sort(all.begin(), all.end(), [](const Kept& a, const Kept& b) {
    return std::tie(a.user, a.name, a.procs, a.limit) < std::tie(b.user, b.name, b.procs, b.limit);
  });
  for (const auto& [size, ring] : sizes_)
    add({Of::size, {}, {}, size.second, size.first, {}, {}}, ring);
  if (site_.size() > 0) add({Of::site, {}, {}, 0, 0, {}, {}}, site_);
  return all;
}

void RunTimeHistory::restore(const Kept& kept) {
  RunRing ring;
  for (const PastRun& past : kept.runs) {
    const std::int32_t limit = std::max(past.limit, 1);
    ring.add({std::clamp(past.run, 0, limit), limit}, kept.last);
  }
  if (ring.size() == 0) return;
  oldest_ = std::min(oldest_, kept.last);
  switch (kept.of) {
    case Of::user:
      rings_of_users_ +=
          users_[kept.user].insert_or_assign({kept.name, kept.procs, kept.limit}, ring).second ? 1
                                                                                               : 0;
      return;
    case Of::size:
      sizes_[{kept.limit, kept.procs}] = ring;
      return;
    case Of::site:
      site_ = ring;
      return;
  }
}

}  // namespace maui
