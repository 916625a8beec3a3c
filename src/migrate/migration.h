// The outcome of reading a configuration of another scheduler: the new file, and what it lacks.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace maui::migrate {

enum class Source : std::uint8_t { maui, moab, slurm };

/// Something that the new file does not say, and why.
struct Loss {
  int line = 0;  // of the old file; 0: of none in particular
  std::string what, why;
  std::string file = {};  // empty: the one that was migrated
};

struct NamedText {
  std::string name, text;
};

struct Migration {
  Source source = Source::maui;
  std::string configuration;  // the new maui.cfg
  std::vector<Loss> losses;
};

/// "Maui", "Moab" or "Slurm".
std::string_view name_of(Source source);

/// A row of the tables that decide: a name of the other scheduler's, and what stands for it here.
struct Translation {
  std::string_view name;
  std::string_view here;  // parameters of maui.cfg; empty: there is nothing like it
  std::string_view why;   // how it is translated, or why it is not
};
/// The tables of names, for the manual.
std::span<const Translation> moab_translations();
std::span<const Translation> slurm_translations();
}  // namespace maui::migrate
