// The site's own program for NODEALLOCATIONPOLICY and TASKDISTRIBUTIONPOLICY
// LOCAL (docs/node-allocation.md has its format).
//
// It is run without a shell, once a question, while the scheduler goes on
// serving its clients, and must answer within a second; all the questions of an
// iteration together may take two.  Where one is late, fails or says what
// cannot be read, it is not asked again in that iteration.
#pragma once
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <string>
#include <unordered_map>

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
  NodeProgram(boost::asio::io_context& io, std::string path, Complain complain)
      : io_(io), path_(std::move(path)), complain_(std::move(complain)) {}

  /// Empty: there is none.
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
  std::chrono::milliseconds left_{0};                     // for this iteration
  bool given_up_ = false;                                 // in this iteration
  std::string owed_;                                      // the question; empty: none
  std::unordered_map<std::string, std::string> answers_;  // of this iteration, by question
};

}  // namespace maui
