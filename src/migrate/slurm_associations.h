// Shares, priorities and limits of Slurm's accounts, users and QOS in the words of maui.cfg.
#pragma once
#include "migrate/slurm_accounts.h"
#include "migrate/writer.h"

namespace maui::migrate {

/// The parts of them that slurm.conf makes count.
struct SlurmUses {
  bool shares = false, association_priorities = false, qos_priorities = false;
  bool limits = false, preemption = false;
};

void write_slurm_accounts(Writer& writer, const SlurmAccounts& accounts, const SlurmUses& uses);

}  // namespace maui::migrate
