// Makes a maui.cfg from the configuration of another scheduler, or of an earlier Maui release.
//
// Settings that maui.cfg can express are written with a comment on their origin.  All others that
// bear on scheduling are listed with the reason why they are lost.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "maui/result.h"
#include "migrate/migration.h"

namespace maui::migrate {

/// Detects for which scheduler a file was written, from its content; nullopt: none of these.
std::optional<Source> detect(std::string_view text);

/// Migrates a file; `name` stands for the file in the new file's first line.  For a slurm.conf,
/// `sacctmgr` has the output of sacctmgr.
Result<Migration> migrate(std::string_view text, std::string_view name,
                          std::span<const NamedText> sacctmgr = {});

}  // namespace maui::migrate
