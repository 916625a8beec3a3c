// The run times of the last jobs of each kind, and what they let expect of the next one.
//
// A job belongs to up to seven rings, from the narrowest to the widest: jobs of its user with the
// same name, processors and limit; without the name; with the same limit; with the same processors;
// all of its user; jobs of anybody with about as many processors and about its limit; all jobs.
// Each keeps its last eight runs.  The distribution of a job's run time is a mixture of its rings:
// the more runs a ring has and the newer they are, the less is left for the wider ones.
//
// Names are kept as text: credentials that nobody has any more lose their numbers.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "learning/run_distribution.h"
#include "maui/units.h"

namespace maui {

/// All of a job that its run time is expected by.
struct JobTraits {
  std::string_view user, name;  // an empty name: it has none
  int procs = 1;
  Seconds limit{1};
};

/// How long a job ran, of how long it might have.
struct PastRun {
  std::int32_t run = 0, limit = 0;
  friend bool operator==(const PastRun&, const PastRun&) = default;
};

/// The last runs of one kind of jobs.
class RunRing {
 public:
  static constexpr std::size_t kKept = 8;

  void add(PastRun run, Time ended);
  std::size_t size() const { return size_; }
  /// The newest is number 0.
  const PastRun& operator[](std::size_t age) const {
    return runs_[(next_ + 2 * kKept - 1 - age) % kKept];
  }
  Time last() const { return last_; }  // when one was added

 private:
  std::array<PastRun, kKept> runs_{};
  std::uint8_t next_ = 0, size_ = 0;
  Time last_{0};
};

class RunTimeHistory {
 public:
  /// Rings that a user may have: beyond it, those to which nothing has been added for the longest
  /// time are forgotten.
  static constexpr std::size_t kMostRings = 4096;
  /// That all users may have together, likewise: each checkpoint writes all of them.
  static constexpr std::size_t kMostRingsOfUsers = 100'000;

  /// Learns from a job that has ended.
  void learn(const JobTraits& job, Seconds run, Time ended);
  RunDistribution expect(const JobTraits& job) const;
  /// Nothing is known but the limit.
  static RunDistribution by_limit(Seconds limit);
  /// Forgets rings, and users, to which nothing has been added since.
  void forget_before(Time when);

  std::size_t users() const { return users_.size(); }
  std::size_t rings() const;

  // --- for the checkpoint ---------------------------------------------------
  enum class Of : std::uint8_t { user, size, site };
  /// A ring as it is kept.  In one of a user an empty name, 0 processors or limit 0 stand for all;
  /// one of a size has the logarithms of processors and limit, one of the site nothing.
  struct Kept {
    Of of = Of::user;
    std::string user, name;
    std::int32_t procs = 0, limit = 0;
    Time last{0};
    std::vector<PastRun> runs;  // oldest first
    friend bool operator==(const Kept&, const Kept&) = default;
  };
  /// All rings, in an order that does not depend on how they came about.
  std::vector<Kept> kept() const;
  void restore(const Kept& ring);

 private:
  struct Key {
    std::string name;
    std::int32_t procs = 0, limit = 0;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;  // not noexcept: so it is kept with each ring
  };
  using UserRings = std::unordered_map<Key, RunRing, Hash>;
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>()(text);
    }
  };

  static constexpr int kOwnRings = 5;
  static std::array<Key, kOwnRings> keys_of(const JobTraits& job);
  static std::pair<int, int> size_of(const JobTraits& job);
  static void forget_oldest(UserRings& rings);
  void forget_oldest_of_users();
  void forget_users_before(Time when);
  /// After any of their rings were forgotten.
  void count_rings_of_users();

  std::unordered_map<std::string, UserRings, TextHash, std::equal_to<>> users_;
  std::size_t rings_of_users_ = 0;
  std::map<std::pair<int, int>, RunRing> sizes_;
  RunRing site_;
};

}  // namespace maui
