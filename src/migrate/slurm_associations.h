// Translates shares, priorities and limits of Slurm's accounts, users and QOS to maui.cfg.
#pragma once
#include "migrate/slurm_accounts.h"
#include "migrate/writer.h"

namespace maui::migrate {

/// The properties of accounts, users and QOS that slurm.conf puts into use.
struct SlurmUses {
  bool shares = false, association_priorities = false, qos_priorities = false;
  bool limits = false, preemption = false;
};

void write_slurm_accounts(Writer& writer, const SlurmAccounts& accounts, const SlurmUses& uses);

}  // namespace maui::migrate
