// Helpers for tests of the configuration.
#pragma once
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/configuration.h"

namespace maui {

/// Returns the configuration that `text` describes; fails the test if there is none.
inline Configuration parsed(std::string_view text) {
  std::vector<Diagnostic> diagnostics;
  auto made = Configuration::parse(text, "maui.cfg", diagnostics);
  for (const auto& diagnostic : diagnostics) EXPECT_TRUE(diagnostic.warning) << diagnostic.text();
  return made ? std::move(made).value() : Configuration();
}

/// Returns all messages about a text, one per line.
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

/// Returns the output of showconfig -v in the form in which it would be saved.
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
