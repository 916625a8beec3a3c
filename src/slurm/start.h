// How jobs are started in Slurm, and how a start is taken back.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "maui/result.h"
#include "slurm/controller.h"
#include "slurm/hindrance.h"

namespace maui::slurm {

/// The one change that starts `job`, a record of its own or a task of an array, on exactly these
/// nodes: a name for each task.  Refuses what is not to be started, with the reason.
/// `generation`: of the lease, for the note; 0: there is none.
Result<Change> start_change(const Job& job, std::span<const std::string> task_list,
                            const Surroundings& all, std::int64_t generation = 0);

/// True if Slurm has carried `start` out, whatever it answered: of an update that breaks a limit of
/// the partition it keeps the nodes and the priority, and answers with an error.
bool carried_out(const Change& start, const Job& job);

/// The changes that make jobs wait for us again: a start that came to nothing in `patience`, or of
/// which Slurm says that it comes to nothing, is taken back, with Slurm's reason in the note; a job
/// that came back is held and put as it was asked for, and a job that Slurm might start itself is
/// held.  A hold that the gate does not know of is made known to it.  A job that runs is left
/// alone: held, it would have no eligible time, and Slurm's accounting leaves out those that have
/// none.
std::vector<Change> repairs(const Cluster& cluster, Time now, Seconds patience);

/// The one who keeps a waiting job of priority 0 from starting: the gate alone, or an
/// administrator, too.
enum class HeldBy : std::uint8_t { gate, administrator };
/// Records of waiting jobs that are held so, as scontrol names them: "7", "9_2", "9_[0-1,3]".
std::vector<std::string> waiting_records(const Cluster& cluster, HeldBy by);

}  // namespace maui::slurm
