#include "slurm/gate.h"

#include <algorithm>

#include "base/text.h"

namespace maui::slurm {

std::string no_gate_in(std::string_view job_submit_plugins) {
  const auto plugins = split(job_submit_plugins, ',');
  const bool uses_lua = std::any_of(plugins.begin(), plugins.end(), [](std::string_view plugin) {
    return trimmed(plugin) == "lua" || trimmed(plugin) == "job_submit/lua";
  });
  if (uses_lua) return {};
  return "slurm.conf has no JobSubmitPlugins=lua with maui's gate: Slurm starts jobs by itself";
}

}  // namespace maui::slurm
