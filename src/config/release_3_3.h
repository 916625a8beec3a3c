// Files of release 3.3, and what they leave to its defaults.  Where these differ from the guide's
// (appendix F), the guide's are the defaults here.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace maui::config {

/// A parameter whose default in release 3.3 changes the schedule.
struct OldDefault {
  std::string_view parameter, value;
  std::string_view effect;       // of the default here: completes "here, ..."
  std::string_view unless = {};  // a parameter that sets the same, too; empty: none
  bool of_moab = false;          // Moab has the same default
};

std::span<const OldDefault> defaults_of_3_3();
/// Returns those for which `says` is false: the file relies on the old default.
std::vector<OldDefault> old_defaults_needed(const std::function<bool(std::string_view)>& says);

/// True if the text is a maui.cfg of release 3.3 as it was: a comment begins with "maui.cfg 3.", or
/// it sets a parameter that only this release had.  A file that --migrate has written is
/// none, whatever comments it has kept.
bool is_of_3_3(std::string_view text);
/// True if the text is what showconfig of release 3.3 printed, perhaps after other lines of the
/// terminal.  No scheduler can read it.
bool is_showconfig_of_3_3(std::string_view text);
/// The beginning of the first line of files that maui --migrate writes.
inline constexpr std::string_view kMigratedMark = "# Written by maui --migrate";

/// True for a parameter that neither the guide nor Moab has.
bool only_of_3_3(std::string_view parameter);

/// A setting that takes effect here, as the guide says (appendix F, QOSCFG), but had none in
/// release 3.3, which read the flags of a QOS only as QFLAGS.
struct WokenFlags {
  int line = 0;
  std::string what;  // QOSCFG[high] FLAGS=PREEMPTOR
};
inline constexpr std::string_view kWokenFlags =
    "release 3.3 ignored FLAGS of a QOS and read only QFLAGS: here both take effect";
std::vector<WokenFlags> woken_flags(std::string_view text);

/// Returns the warnings of --check-config about a maui.cfg of release 3.3, none about other files.
/// `says`: whether the configuration sets that parameter, by its main name.
std::vector<std::string> warnings_of_3_3(std::string_view text,
                                         const std::function<bool(std::string_view)>& says);

}  // namespace maui::config
