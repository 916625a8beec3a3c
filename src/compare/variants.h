// The configurations of a comparison: those in files, and each of them with every combination of
// the values of --set.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "config/configuration.h"
#include "maui/result.h"

namespace maui::compare {

/// --set NAME=VALUE,VALUE: a parameter and the values to try; "\," is a comma within a value.
struct Choice {
  std::string parameter;
  std::vector<std::string> values;
};
Result<Choice> parse_choice(std::string_view text);

struct Variant {
  std::string name;
  Configuration configuration;
};

struct Variants {
  std::vector<Variant> all;        // the first is the base
  std::vector<std::string> notes;  // what was ignored or skipped, and why
};

/// Returns the configurations in the files; without files, all defaults.  An error lists all errors
/// of a file, one per line.
Result<Variants> read_bases(const std::vector<std::string>& files);
/// Returns the bases, and each with every combination of the choices.  A combination equal to an
/// earlier variant is skipped, with a note.  Fails if a choice is invalid.
Result<Variants> make_variants(Variants bases, const std::vector<Choice>& choices);

}  // namespace maui::compare
