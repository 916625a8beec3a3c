// Translates the shares of Slurm's accounts and users to fairshare targets.
//
// Slurm's shares are relative to their siblings'; fairshare targets are per cent of the machine.
// Shares are therefore multiplied down the tree.
#pragma once
#include "migrate/account_tree.h"
#include "migrate/object_lines.h"

namespace maui::migrate {

void write_slurm_shares(const AccountTree& tree, ObjectLines& lines);

}  // namespace maui::migrate
