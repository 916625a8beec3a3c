#include "daemon/programs/node_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text.h"
#include "programs/inquiry.h"

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
  for (const NodeTasks& candidate : question.candidates)
    fmt::format_to(out, "node {} {}\n", cluster.node(candidate.node).name,
                   std::min(candidate.tasks, question.requirement.tasks));
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
  if (path_.empty()) return std::nullopt;
  if (question.now != iteration_) {
    iteration_ = question.now;
    left_ = kForAll;
    given_up_ = false;
    owed_.clear();
    answers_.clear();
  }
  // While a question is open, others are refused: they are asked again, perhaps with other nodes.
  if (owes()) return std::nullopt;
  auto text = question_text(cluster, question);
  if (const auto known = answers_.find(text); known != answers_.end()) {
    auto read = read_answer(cluster, known->second);
    if (read) return *std::move(read);
    answers_.erase(known);
    if (!given_up_) give_up(read.error().what);
  }
  if (given_up_) return std::nullopt;
  if (left_.count() <= 0) {
    give_up(fmt::format("its {} ms per iteration are used up", kForAll.count()));
    return std::nullopt;
  }
  owed_ = std::move(text);
  return std::nullopt;
}

void NodeProgram::find_out(std::function<void()> done) {
  const auto begun = std::chrono::steady_clock::now();
  inquire(io_, {path_}, owed_, {std::min(left_, kForOne), kMostAnswer},
          [this, begun, done = std::move(done)](Result<std::string> said) {
            left_ -= std::chrono::duration_cast<std::chrono::milliseconds>(
                std::chrono::steady_clock::now() - begun);
            const auto question = std::exchange(owed_, {});
            if (said)
              answers_.insert_or_assign(question, *std::move(said));
            else
              give_up(said.error().what);
            done();
          });
}

void NodeProgram::give_up(std::string_view why) {
  given_up_ = true;
  complain_(fmt::format("WARNING: {}: {}; nodes are chosen without it until the next iteration",
                        path_, why));
}

}  // namespace maui
