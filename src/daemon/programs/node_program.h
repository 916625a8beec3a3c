// The site's own program for NODEALLOCATIONPOLICY and TASKDISTRIBUTIONPOLICY
// LOCAL (docs/node-allocation.md describes its format).
//
// It is run without a shell, once per question, while the scheduler continues to
// serve clients.  It must answer within a second; all questions of an iteration
// together may take two.  If an answer is late, fails or cannot be parsed, no
// further questions are asked in that iteration.
#pragma once
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <string>
#include <unordered_map>

#include "maui/node_selector.h"
#include "maui/result.h"

namespace maui {

/// Returns the text of a question to the program, one line per fact.
std::string question_text(const Cluster& cluster, const NodeQuestion& question);
/// Parses the answer: one node per line, with an optional number of tasks; an error names the line.
Result<std::vector<NodeTasks>> read_answer(const Cluster& cluster, std::string_view text);

class NodeProgram : public NodeSelector {
 public:
  using Complain = std::function<void(const std::string&)>;
  NodeProgram(boost::asio::io_context& io, std::string path, Complain complain)
      : io_(io), path_(std::move(path)), complain_(std::move(complain)) {}

  /// Empty: no program.
  void set_path(std::string path) { path_ = std::move(path); }

  std::optional<std::vector<NodeTasks>> select(const Cluster& cluster,
                                               const NodeQuestion& question) override;
  bool owes() const override { return !owed_.empty(); }
  void find_out(std::function<void()> done) override;

 private:
  void give_up(std::string_view why);

  boost::asio::io_context& io_;
  std::string path_;
  Complain complain_;
  Time iteration_{-1};
  std::chrono::milliseconds left_{0};                     // left for this iteration
  bool given_up_ = false;                                 // in this iteration
  std::string owed_;                                      // the question; empty: none
  std::unordered_map<std::string, std::string> answers_;  // of this iteration, by question
};

}  // namespace maui
