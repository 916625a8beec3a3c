// Finds who holds a job in Slurm.
#pragma once
#include <cstdint>

#include "slurm/cluster.h"

namespace maui::slurm {

/// Returns bits of HoldBit.  The gate keeps those of the jobs that passed it, where a priority of 0
/// means that they wait for us.  Two kinds of jobs have it only because somebody holds them: those
/// from before the gate, and those that somebody requeued to be held, of which the gate does not
/// hear.  A start takes the gate's marks away, so that a release or a hold of such a job, which
/// sets them again, is the later word.
std::uint32_t holds_of(const Job& job);

/// Slurm has found no nodes for a start, or could not begin the job on them (its prolog failed,
/// say), and closes the gate by itself: nobody holds the job.
bool given_up_by_slurm(const Job& job);

}  // namespace maui::slurm
