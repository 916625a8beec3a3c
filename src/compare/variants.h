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

/// Without files, the base has all defaults.  A combination equal to an earlier variant is skipped,
/// with a note.  An error lists all errors of a file, one per line.
Result<Variants> make_variants(const std::vector<std::string>& files,
                               const std::vector<Choice>& choices);

}  // namespace maui::compare
