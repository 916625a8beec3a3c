// Who holds a job in Slurm.
#pragma once
#include <cstdint>

#include "slurm/cluster.h"

namespace maui::slurm {

/// Returns bits of HoldBit.  The gate keeps those of the jobs that passed it, where a priority of 0
/// means that they wait for us; a job from before the gate has a priority of 0 only because
/// somebody holds it.
std::uint32_t holds_of(const Job& job);

}  // namespace maui::slurm
