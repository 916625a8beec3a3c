// The shares of Slurm's accounts and users as fairshare targets.
//
// Slurm's are relative to those beside them; here targets are per cent of the machine.  So shares
// are multiplied down the tree.
#pragma once
#include "migrate/account_tree.h"
#include "migrate/object_lines.h"

namespace maui::migrate {

void write_slurm_shares(const AccountTree& tree, ObjectLines& lines);

}  // namespace maui::migrate
