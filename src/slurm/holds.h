// Determines who holds a job in Slurm.
#pragma once
#include <cstdint>

#include "slurm/cluster.h"

namespace maui::slurm {

/// Returns bits of HoldBit.  The gate stores the holds of jobs that passed it; for these jobs, a
/// priority of 0 means that they wait for maui.  A priority of 0 is a hold for two kinds of jobs:
/// those submitted before the gate was installed, and those that somebody requeued into a hold,
/// which the gate does not see.  A start removes the gate's marks; a later release or hold of such
/// a job sets them again, and then takes precedence.
std::uint32_t holds_of(const Job& job);

/// Returns true if Slurm found no nodes for a start, or failed to launch the job there (in its
/// prolog, for example), and closed the gate by itself: nobody holds the job.
bool given_up_by_slurm(const Job& job);

}  // namespace maui::slurm
