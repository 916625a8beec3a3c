// Slurm's multifactor priority in the weights of maui.cfg.
//
// Slurm's factors lie between 0 and 1 and are weighted; here a weight counts for each minute,
// processor or point.  So weights are converted by what makes a factor 1, and all of them are
// multiplied by one scale, since weights are whole numbers.
#pragma once
#include "migrate/slurm_accounts.h"
#include "migrate/slurm_conf.h"
#include "migrate/writer.h"

namespace maui::migrate {

void write_slurm_priority(Writer& writer, const SlurmConf& conf, const SlurmAccounts& database);
/// The greatest PriorityJobFactor of a partition; 0 where none is said.
double most_job_factor(const SlurmConf& conf);

}  // namespace maui::migrate
