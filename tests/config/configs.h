// Helpers that the tests of the configuration share.
#pragma once
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/configuration.h"

namespace maui {

/// The configuration that `text` makes; a test failure if it makes none.
inline Configuration parsed(std::string_view text) {
  std::vector<Diagnostic> diagnostics;
  auto made = Configuration::parse(text, "maui.cfg", diagnostics);
  for (const auto& diagnostic : diagnostics) EXPECT_TRUE(diagnostic.warning) << diagnostic.text();
  return made ? std::move(made).value() : Configuration();
}

/// All that is said of a text, a line each.
inline std::string complaints(std::string_view text) {
  std::vector<Diagnostic> diagnostics;
  const auto made = Configuration::parse(text, "maui.cfg", diagnostics);
  std::string out;
  bool wrong = false;
  for (const auto& diagnostic : diagnostics) {
    out += diagnostic.text() + "\n";
    wrong = wrong || !diagnostic.warning;
  }
  EXPECT_EQ(made.has_value(), !wrong) << text;
  return out;
}

/// The output of showconfig -v as it would be saved.
inline std::string saved(const Configuration& configuration) {
  std::string out;
  for (const auto& row : configuration.rows()) out += row.name + "   " + row.value + "\n";
  return out;
}

inline std::string shown(const Configuration& configuration, std::string_view name) {
  for (const auto& row : configuration.rows())
    if (row.name == name) return row.value;
  return "no such row";
}

}  // namespace maui
