// Job arrays: one record in Slurm for all tasks that wait, a job of its own here for each.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "slurm/cluster.h"

namespace maui::slurm {

/// The most waiting tasks of one array that are reported at once; more follow as these start.
inline constexpr std::size_t kArrayWindow = 1000;

/// The first `most` numbers of "0-4,7,10-20:5%2".  Nothing if it is no such text.
std::optional<std::vector<std::uint32_t>> array_tasks(std::string_view text, std::size_t most);

/// True if the text names that task.
bool has_array_task(std::string_view text, std::uint32_t task);

/// "17", or "20_3" for a task, whether it has a record of its own or not: Slurm takes both names.
std::string job_name(const Job& job);

/// The jobs that a record stands for: itself, or its tasks, each as if it had a record of its own.
std::vector<Job> separated(const Job& job);

}  // namespace maui::slurm
