// The names in slurm.conf and their counterparts in maui.cfg.
#pragma once
#include <string_view>

#include "migrate/migration.h"

namespace maui::migrate {

/// Returns the row for a name; nullptr if there is none.
const Translation* find_slurm(std::string_view name);
/// True if `all` contains the name, ignoring case.
bool listed(std::string_view name, std::string_view all);
/// True for options of SchedulerParameters that slurm.conf.maui itself sets.
/// True for options of SchedulerParameters on how Slurm serves its clients.
bool slurms_own(std::string_view option);

}  // namespace maui::migrate
