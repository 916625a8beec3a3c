// A job script while its options are read: what it asks for, and amounts that one option gives and
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
  JobReport asked;                   // limit 0: the script names none
  std::vector<std::string> unknown;  // options that do not count
};

class ScriptReading {
 public:
  /// The most that a number of a script may be.
  static constexpr int kMostTasks = 100'000'000;

  /// Numbers of tasks and nodes.
  struct Amounts {
    std::optional<int> tasks, nodes, most_nodes, tasks_per_node;
    int procs_per_task = 1;
    std::optional<int> memory_per_node, memory_per_proc, memory;  // MB
    std::vector<std::pair<std::string, int>> per_task;            // generic
  };

  /// Its lists may name so many hosts.
  explicit ScriptReading(std::uint64_t most_hosts);

  JobReport& asked() { return script_.asked; }
  /// Parts of a requirement.
  std::vector<std::string>& features(std::size_t requirement = 0);
  Amounts& amounts() { return amounts_; }
  /// Notes an option that does not count.
  void pass_over(std::string_view option);

  Status set_limit(const Result<Seconds>& limit, std::string_view value);
  Status add_hosts(std::vector<std::string>& into, std::string_view value);
  /// All of them are asked for.
  Status add_features(std::string_view value);

  /// Settles what the amounts say together, as Slurm has it: without tasks one for each node.
  Result<JobScript> settled();

 private:
  Status settle_tasks(Requirement& requirement) const;
  void settle_memory(Requirement& requirement) const;

  JobScript script_;
  Amounts amounts_;
  std::uint64_t hosts_left_;
};

/// A number of an option; an error says what was expected.
Result<int> script_count(std::string_view value, int least = 1);
/// Megabytes; kilobytes and bytes as PBS writes them: 4gb, 512mb.
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
