#include "daemon/node_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "daemon/inquiry.h"

namespace maui {
namespace {

constexpr std::chrono::milliseconds kForOne{1000}, kForAll{2000};
constexpr std::size_t kMostAnswer = std::size_t{1} << 20;

}  // namespace

std::string question_text(const Cluster& cluster, const NodeQuestion& question) {
  std::string text;
  const auto out = std::back_inserter(text);
  const auto& who = question.job.credentials;
  fmt::format_to(out, "job {}\n", question.job.name.empty() ? "-" : question.job.name);
  if (who.user.valid()) fmt::format_to(out, "user {}\n", cluster.users[who.user]);
  if (who.job_class.valid()) fmt::format_to(out, "class {}\n", cluster.classes[who.job_class]);
  fmt::format_to(out, "now {}\nstart {}\nlimit {}\ntasks {}\nnodes {}\n", question.now.raw(),
                 question.start.raw(), question.request.limit.raw(), question.requirement.tasks,
                 question.requirement.nodes);
  for (const NodeTasks& one : question.candidates)
    fmt::format_to(out, "node {} {}\n", cluster.node(one.node).name,
                   std::min(one.tasks, question.requirement.tasks));
  return text;
}

Result<std::vector<NodeTasks>> read_answer(const Cluster& cluster, std::string_view text) {
  std::vector<NodeTasks> answer;
  int line = 0;
  for (const auto whole : split(text, '\n')) {
    ++line;
    const auto parts = words(whole);
    if (parts.empty()) continue;
    const NodeId node = cluster.find_node(parts[0]);
    if (!node.valid()) return Error{fmt::format("line {}: no node '{}'", line, parts[0])};
    const auto tasks = parts.size() == 2 ? parse_integer<int>(parts[1]) : std::optional<int>(0);
    if (parts.size() > 2 || !tasks || *tasks < 0)
      return Error{fmt::format("line {}: expected NODE or NODE TASKS", line)};
    answer.push_back({node, *tasks, 0});
  }
  return answer;
}

std::optional<std::vector<NodeTasks>> NodeProgram::select(const Cluster& cluster,
                                                          const NodeQuestion& question) {
  if (question.now != iteration_) {
    iteration_ = question.now;
    left_ = kForAll;
  }
  if (path_.empty() || left_.count() <= 0) return std::nullopt;
  const auto begun = std::chrono::steady_clock::now();
  const auto answered = inquire_and_wait({path_}, question_text(cluster, question),
                                         {std::min(left_, kForOne), kMostAnswer});
  const auto read =
      answered ? read_answer(cluster, *answered) : Result<std::vector<NodeTasks>>(answered.error());
  left_ -= std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                                 begun);
  if (read) return *read;
  complain_(fmt::format("WARNING: {}: {}; nodes are chosen without it until the next iteration",
                        path_, read.error().what));
  left_ = {};
  return std::nullopt;
}

}  // namespace maui
