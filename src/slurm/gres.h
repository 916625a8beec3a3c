// Generic resources, mainly GPUs, and licences, in Slurm's notation.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace maui::slurm {

using Counted = std::vector<std::pair<std::string, int>>;

/// Parses "gpu:a100:4(S:0-1),gres/tape:2": each kind with its count, and each type in addition:
/// {gpu, 4}, {gpu_a100, 4}, {tape, 2}.  Counts beyond 2147483647 become that number.
Counted generic_resources(std::string_view text);
/// Returns the kinds whose counts are beyond 2147483647.
std::vector<std::string> too_many_to_count(std::string_view text);

/// Parses "matlab:2,tape@server".
Counted licenses(std::string_view text);

}  // namespace maui::slurm
