// The server's comments on waiting jobs: what users see in qstat of when maui plans to start a job,
// or why it holds it.
//
// A change costs the server a request, so they are few at a time, and planned starts are rounded to
// ten minutes.
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
  /// Takes what the scheduler wants to be seen (NOTEJOBS).
  void take(const WikiRequest& notes);
  /// The state of a job that may have a comment.  One whose start was asked for keeps its comment
  /// until the server reports what came of it.
  enum class Does : std::uint8_t { wait, start, neither };
  /// The changes to make now: jobs that wait, as `does` says, and their comments.  What is handed
  /// out counts as made.
  std::vector<std::pair<std::string, std::string>> changes(
      std::size_t most, const std::function<Does(const std::string& job)>& does);
  /// The comment that was given to a job, which is about to be wrong: it starts; empty: none.
  std::string forget(const std::string& job);

 private:
  using ByJob = std::map<std::string, std::string, std::less<>>;
  ByJob wanted_, shown_;
};

}  // namespace maui::pbs
