// A maui.cfg from the configuration of another scheduler, or of an earlier release of this one.
//
// Settings that can be said here are written with a comment on where they come from; all else is
// listed, with the reason, and nothing is left out without a word that bears on scheduling.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "maui/result.h"
#include "migrate/migration.h"

namespace maui::migrate {

/// Tells which scheduler the file was written for, by what stands in it; none: it is none of these.
std::optional<Source> detect(std::string_view text);

/// `name` stands for the file in the new one's first line; beside a slurm.conf stands what sacctmgr
/// printed.
Result<Migration> migrate(std::string_view text, std::string_view name,
                          std::span<const NamedText> sacctmgr = {});

/// A row of such a table in Markdown, for docs/manual/coming-from.md.
std::string manual_row(const Translation& row);

}  // namespace maui::migrate
