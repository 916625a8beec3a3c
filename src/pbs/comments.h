// Job comments in the server: users see in qstat when maui plans to start a waiting job, or why
// maui holds it.
//
// Each change costs the server a request, so only a few are made at a time, and planned starts are
// rounded to ten minutes.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rm/wiki_message.h"

namespace maui::pbs {

class Comments {
 public:
  /// Takes the notices that the scheduler wants users to see (NOTEJOBS).
  void take(const WikiRequest& notes);
  /// The state of a job that may have a comment.  A job whose start was requested keeps its comment
  /// until the server reports the result.
  enum class Does : std::uint8_t { wait, start, neither };
  /// Returns at most `most` changes to make now: waiting jobs (according to `does`) and their
  /// comments. The caller must make these changes: they count as made.
  std::vector<std::pair<std::string, std::string>> changes(
      std::size_t most, const std::function<Does(const std::string& job)>& does);
  /// Removes and returns the comment of a job that is about to start; empty if it had none.
  std::string forget(const std::string& job);

 private:
  using ByJob = std::map<std::string, std::string, std::less<>>;
  ByJob wanted_, shown_;
};

}  // namespace maui::pbs
