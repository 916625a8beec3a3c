// The result of migrating the configuration of another scheduler: the new file and its losses.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace maui::migrate {

enum class Source : std::uint8_t { maui, moab, slurm };

/// A setting of the old file that the new file does not have or that acts otherwise here, and why.
struct Loss {
  int line = 0;  // of the old file; 0: no particular line
  std::string what, why;
  std::string file = {};  // empty: the file that was migrated
};

struct NamedText {
  std::string name, text;
};

struct Migration {
  Source source = Source::maui;
  std::string configuration;  // the new maui.cfg
  std::vector<Loss> losses;
  std::vector<Loss> changes = {};  // taken over, and act otherwise here
};

/// Returns "Maui", "Moab" or "Slurm".
std::string_view name_of(Source source);

/// A row of the translation tables: a name of the other scheduler, and its counterpart in maui.cfg.
struct Translation {
  std::string_view name;
  std::string_view here;  // parameters of maui.cfg; empty: no counterpart
  std::string_view why;   // how it is translated, or why not
};
/// The translation tables, also used by the manual.
std::span<const Translation> moab_translations();
std::span<const Translation> slurm_translations();
}  // namespace maui::migrate
