// The site's own program for NODEALLOCATIONPOLICY and TASKDISTRIBUTIONPOLICY
// LOCAL (docs/node-allocation.md has its format).
//
// It is run without a shell, once a question, and must answer within a second;
// all the questions of an iteration together may take two.  Who is late, fails
// or says what cannot be read is not asked again in that iteration.
#pragma once
#include <chrono>
#include <functional>
#include <string>

#include "maui/node_selector.h"
#include "maui/result.h"

namespace maui {

/// The text of a question to the program, a line a fact.
std::string question_text(const Cluster& cluster, const NodeQuestion& question);
/// Its answer: a node a line, perhaps with a number of tasks; an error names the line.
Result<std::vector<NodeTasks>> read_answer(const Cluster& cluster, std::string_view text);

class NodeProgram : public NodeSelector {
 public:
  using Complain = std::function<void(const std::string&)>;
  NodeProgram(std::string path, Complain complain)
      : path_(std::move(path)), complain_(std::move(complain)) {}

  /// Empty: there is none.
  void set_path(std::string path) { path_ = std::move(path); }

  std::optional<std::vector<NodeTasks>> select(const Cluster& cluster,
                                               const NodeQuestion& question) override;

 private:
  std::string path_;
  Complain complain_;
  Time iteration_{-1};
  std::chrono::milliseconds left_{0};
};

}  // namespace maui
