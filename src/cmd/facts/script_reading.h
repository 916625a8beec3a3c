// The state while a job script is read: its request so far, and amounts that one option gives and
// another completes.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "maui/resource_manager.h"
#include "maui/result.h"

namespace maui {

/// The request of a script.
struct JobScript {
  JobReport asked;                   // limit 0: not in the script
  std::vector<std::string> unknown;  // options without effect here
};

class ScriptReading {
 public:
  /// The highest number that a script may contain.
  static constexpr int kMostTasks = 100'000'000;

  /// Numbers of tasks and nodes.
  struct Amounts {
    std::optional<int> tasks, nodes, most_nodes, tasks_per_node;
    int procs_per_task = 1;
    std::optional<int> memory_per_node, memory_per_proc, memory;  // MB
    std::vector<std::pair<std::string, int>> per_task;            // generic
  };

  /// `most_hosts`: the number of hosts that the lists of the script may name.
  explicit ScriptReading(std::uint64_t most_hosts);

  JobReport& asked() { return script_.asked; }
  /// Returns the features of a requirement.
  std::vector<std::string>& features(std::size_t requirement = 0);
  Amounts& amounts() { return amounts_; }
  /// Notes an option that has no effect here.
  void pass_over(std::string_view option);

  Status set_limit(const Result<Seconds>& limit, std::string_view value);
  Status add_hosts(std::vector<std::string>& into, std::string_view value);
  /// Adds features, all of which are required.
  Status add_features(std::string_view value);

  /// Combines the amounts as Slurm does, e.g. one task per node if no number of tasks is given.
  Result<JobScript> settled();

 private:
  Status settle_tasks(Requirement& requirement) const;
  void settle_memory(Requirement& requirement) const;

  JobScript script_;
  Amounts amounts_;
  std::uint64_t hosts_left_;
};

/// Parses a number in an option; an error says what was expected.
Result<int> script_count(std::string_view value, int least = 1);
/// Parses an amount in PBS notation (4gb, 512mb, also kilobytes and bytes) to megabytes.
Result<int> script_megabytes(std::string_view value);

template <class Into>
Status set_count(Into& into, std::string_view value, int least = 1) {
  const auto count = script_count(value, least);
  if (!count) return count.error();
  into = *count;
  return Done{};
}
Status set_megabytes(std::optional<int>& into, std::string_view value);

}  // namespace maui
