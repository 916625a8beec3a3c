// Starts jobs in Slurm, and reverts starts that fail.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "maui/result.h"
#include "slurm/controller.h"
#include "slurm/hindrance.h"

namespace maui::slurm {

/// Returns the one change that starts `job` (a record, or a task of an array) on exactly these
/// nodes: a name for each task.  Fails with the reason if the job must not start. `generation`: of
/// the scheduler's lease, for the note; 0: no lease.
Result<Change> start_change(const Job& job, std::span<const std::string> task_list,
                            const Surroundings& all, std::int64_t generation = 0);

/// Returns true if Slurm carried out `start`, whatever it answered: if an update breaks a limit of
/// the partition, Slurm answers with an error but keeps the nodes and the priority.
bool carried_out(const Change& start, const Job& job);

/// Returns the changes that put jobs back into maui's queue.  A start that did not succeed within
/// `patience`, or that Slurm reports as failed, is reverted, with Slurm's reason in the note.  A
/// job that came back is held and gets its original request again.  A job that Slurm might start by
/// itself is held.  A hold unknown to the gate is passed to it.  Running jobs are not changed: if
/// they were held, they would have no eligible time, and Slurm's accounting omits jobs without
/// eligible time.
std::vector<Change> repairs(const Cluster& cluster, Time now, Seconds patience);

/// The reason why a waiting job of priority 0 does not start: the gate alone, or a hold of an
/// administrator in addition.
enum class HeldBy : std::uint8_t { gate, administrator };
/// Returns the records of waiting jobs held by `by`, in scontrol's notation: "7", "9_2", "9_[0-3]".
std::vector<std::string> waiting_records(const Cluster& cluster, HeldBy by);

}  // namespace maui::slurm
