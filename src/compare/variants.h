// The configurations of a comparison: those of files as they stand, and each of them with every
// combination of what --set gives.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "config/configuration.h"
#include "maui/result.h"

namespace maui::compare {

/// --set NAME=VALUE,VALUE: a parameter and what it is to be in turn; "\," is a comma of a value.
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
  std::vector<std::string> notes;  // what was ignored or left out, and why
};

/// Without files, the base has the defaults.  A combination that is equal to a variant before it is
/// left out, with a note.  Everything wrong in a file is in the error, a line each.
Result<Variants> make_variants(const std::vector<std::string>& files,
                               const std::vector<Choice>& choices);

}  // namespace maui::compare
