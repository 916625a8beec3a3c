// Whether slurmctld uses maui's gate (etc/slurm/job_submit.lua).
#pragma once
#include <string>
#include <string_view>

namespace maui::slurm {

/// Returns that slurm.conf does not use the gate, by its JobSubmitPlugins; empty if it does.
std::string no_gate_in(std::string_view job_submit_plugins);

}  // namespace maui::slurm
