// Generic resources, GPUs first of all, and licences, as Slurm writes them.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace maui::slurm {

using Counted = std::vector<std::pair<std::string, int>>;

/// "gpu:a100:4(S:0-1),gres/tape:2": each kind with its number, and each type beside its kind:
/// {gpu, 4}, {gpu_a100, 4}, {tape, 2}.
Counted generic_resources(std::string_view text);

/// "matlab:2,tape@server"
Counted licenses(std::string_view text);

}  // namespace maui::slurm
