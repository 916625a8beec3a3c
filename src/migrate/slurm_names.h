// The names of slurm.conf, and what is called how in maui.cfg.
#pragma once
#include <string_view>

#include "migrate/migration.h"

namespace maui::migrate {

/// The row of a name; nullptr: there is none.
const Translation* find_slurm(std::string_view name);
/// True if the name is one of these words, in whatever case.
bool listed(std::string_view name, std::string_view all);
/// True for options of SchedulerParameters that slurm.conf.maui sets itself.
bool set_by_gate(std::string_view option);
/// True for those that are Slurm's own: how it serves its clients.
bool slurms_own(std::string_view option);

}  // namespace maui::migrate
