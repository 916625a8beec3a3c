// Job arrays: Slurm has one record for all waiting tasks; maui has a separate job for each task.
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

/// Returns the first `most` numbers of "0-4,7,10-20:5%2"; nullopt if the text is malformed.
std::optional<std::vector<std::uint32_t>> array_tasks(std::string_view text, std::size_t most);

/// Returns true if the text contains that task.
bool has_array_task(std::string_view text, std::uint32_t task);

/// Returns "17", or "20_3" for a task, even if it has no record of its own: Slurm takes both names.
std::string job_name(const Job& job);

/// Returns the jobs of a record: the job itself, or each task as if it had its own record.
std::vector<Job> separated(const Job& job);

}  // namespace maui::slurm
