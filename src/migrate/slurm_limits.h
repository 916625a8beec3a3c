// Translates the limits of Slurm's accounts, users and QOS to throttling policies.
//
// A user's limit in an account becomes, for example, MAXJOB[USER:amy] of that account.
#pragma once
#include "migrate/account_tree.h"
#include "migrate/object_lines.h"
#include "migrate/slurm_accounts.h"

namespace maui::migrate {

void write_slurm_limits(const SlurmAccounts& accounts, const AccountTree& tree, ObjectLines& lines);

}  // namespace maui::migrate
