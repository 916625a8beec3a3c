// The programs of the site that wait until fewer of them run.
//
// Programs of triggers come first, and any number of them may wait: only administrators configure
// them.  The others wait for a limited number of places in all.  Whoever causes them has a party;
// those of the scheduler itself have every other turn, and all other parties take turns.  If all
// places are taken, the party that has most of them gives way.
#pragma once
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace maui {

struct SiteCall {
  std::string program;  // an absolute path
  std::vector<std::string> arguments;
  std::string cause;                      // for the log, such as "JOBHOLD"
  std::string party = {};                 // empty: the scheduler itself
  std::function<void()> begun = nullptr;  // called once it was started, or could not be
  bool urgent = false;                    // the program of a trigger
  bool once = false;                      // equal calls that still wait are one
};

/// Numbers of calls by cause.
using ProgramCounts = std::map<std::string, std::size_t>;

class ProgramQueue {
 public:
  explicit ProgramQueue(std::size_t places) : places_(places) {}

  enum class Place { taken, merged, refused };
  /// Queues a call.  If it takes the place of another, or finds none, that is counted in
  /// left_out().
  Place add(SiteCall call);
  /// Removes and returns the next call; `urgent_only`: of a trigger.  None: there is none.
  std::optional<SiteCall> next(bool urgent_only);
  bool empty() const { return size() == 0; }
  std::size_t size() const { return urgent_.size() + ordinary_; }
  /// Removes and returns all calls: those of triggers first.
  std::vector<SiteCall> take_all();
  /// Returns the numbers of calls that found no place since the last call of this function, by
  /// party.
  ProgramCounts take_left_out();
  /// Returns their number.
  std::size_t left_out() const { return left_out_count_; }

 private:
  using Parties = std::map<std::string, std::deque<SiteCall>>;  // none of them empty
  void leave_out(const std::string& party);
  SiteCall take_of(Parties::iterator party);

  std::size_t places_;
  std::deque<SiteCall> urgent_;
  Parties parties_;
  std::size_t ordinary_ = 0;    // calls of all parties
  std::string served_;          // the party, other than the scheduler's, that had the last turn
  bool scheduler_had_ = false;  // the last turn
  ProgramCounts left_out_;
  std::size_t left_out_count_ = 0;
};

}  // namespace maui
