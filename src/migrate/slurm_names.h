// The names of slurm.conf, and what is called how in maui.cfg.
#pragma once
#include <string_view>

#include "migrate/migration.h"

namespace maui::migrate {

/// The row of a name; nullptr: there is none.
const Translation* find_slurm(std::string_view name);
/// True for options of SchedulerParameters that slurm.conf.maui sets itself.
bool set_by_gate(std::string_view option);
/// True for those that are Slurm's own: how it serves its clients.
bool slurms_own(std::string_view option);

}  // namespace maui::migrate
