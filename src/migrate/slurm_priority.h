// Translates Slurm's multifactor priority to the weights of maui.cfg.
//
// Slurm weighs factors between 0 and 1; a weight of maui.cfg applies to each minute, processor or
// point.  Each weight is therefore divided by the amount at which Slurm's factor is 1.  All are
// then multiplied by one scale, because weights are whole numbers.
#pragma once
#include "migrate/slurm_accounts.h"
#include "migrate/slurm_conf.h"
#include "migrate/writer.h"

namespace maui::migrate {

void write_slurm_priority(Writer& writer, const SlurmConf& conf, const SlurmAccounts& database);
/// Returns the greatest PriorityJobFactor of all partitions; 0 if none is set.
double most_job_factor(const SlurmConf& conf);

}  // namespace maui::migrate
