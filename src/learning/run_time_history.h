// The run times of the last jobs of each kind, and the expected run times that follow from them.
//
// A job belongs to up to seven rings, from the narrowest to the widest: jobs of its user with the
// same name, processors and limit; without the name; with the same limit; with the same processors;
// all jobs of its user; jobs of anybody with similar processors and limit; all jobs.  Each ring
// keeps its last eight runs.  The distribution of a job's run time is a mixture of its rings: the
// more and newer runs a ring has, the less weight is left for wider rings.
//
// Names are stored as text, since credentials that are no longer in use lose their numbers.
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

/// Everything about a job that its expected run time depends on.
struct JobTraits {
  std::string_view user, name;  // an empty name: none
  int procs = 1;
  Seconds limit{1};
};

/// The run time of an ended job, and its limit.
struct PastRun {
  std::int32_t run = 0, limit = 0;
  friend bool operator==(const PastRun&, const PastRun&) = default;
};

/// The last runs of one kind of job.
class RunRing {
 public:
  static constexpr std::size_t kKept = 8;

  void add(PastRun run, Time ended);
  std::size_t size() const { return size_; }
  /// Returns a run by age; the newest has age 0.
  const PastRun& operator[](std::size_t age) const {
    return runs_[(next_ + 2 * kKept - 1 - age) % kKept];
  }
  Time last() const { return last_; }  // the end of the latest run

 private:
  std::array<PastRun, kKept> runs_{};
  std::uint8_t next_ = 0, size_ = 0;
  Time last_{0};
};

class RunTimeHistory {
 public:
  /// The most rings of one user; beyond it, the rings without additions for the longest time are
  /// dropped.
  static constexpr std::size_t kMostRings = 4096;
  /// The most rings of all users together, since each checkpoint writes all of them.
  static constexpr std::size_t kMostRingsOfUsers = 100'000;

  /// Learns from a job that has ended.
  void learn(const JobTraits& job, Seconds run, Time ended);
  RunDistribution expect(const JobTraits& job) const;
  /// Returns the distribution if only the limit is known.
  static RunDistribution by_limit(Seconds limit);
  /// Drops rings, and users, without additions since then.
  void forget_before(Time when);

  std::size_t users() const { return users_.size(); }
  std::size_t rings() const;

  // --- for the checkpoint ---------------------------------------------------
  enum class Of : std::uint8_t { user, size, site };
  /// A ring in a checkpoint.  In a ring of a user, an empty name, 0 processors or limit 0 stand for
  /// all; a ring of a size has logarithms of processors and limit, that of the site nothing.
  struct Kept {
    Of of = Of::user;
    std::string user, name;
    std::int32_t procs = 0, limit = 0;
    Time last{0};
    std::vector<PastRun> runs;  // oldest first
    friend bool operator==(const Kept&, const Kept&) = default;
  };
  /// Returns all rings, in an order that is independent of their history.
  std::vector<Kept> kept() const;
  void restore(const Kept& ring);

 private:
  struct Key {
    std::string name;
    std::int32_t procs = 0, limit = 0;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;  // not noexcept: so the container caches the hash
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
  /// Updates rings_of_users_ after rings were dropped.
  void count_rings_of_users();
  Time oldest_addition() const;

  std::unordered_map<std::string, UserRings, TextHash, std::equal_to<>> users_;
  std::size_t rings_of_users_ = 0;
  Time oldest_ = kForever;  // no ring has been without additions since before then
  std::map<std::pair<int, int>, RunRing> sizes_;
  RunRing site_;
};

}  // namespace maui
