#include "config/configuration.h"

#include <gtest/gtest.h>

#include "config/parameters.h"

namespace maui {
namespace {

Configuration parsed(std::string_view text) {
  std::vector<Diagnostic> diagnostics;
  auto made = Configuration::parse(text, "maui.cfg", diagnostics);
  for (const auto& one : diagnostics) EXPECT_TRUE(one.warning) << one.text();
  return made ? std::move(made).value() : Configuration();
}

// All that is said of a text, one line each.
std::string complaints(std::string_view text) {
  std::vector<Diagnostic> diagnostics;
  const auto made = Configuration::parse(text, "maui.cfg", diagnostics);
  std::string out;
  bool error = false;
  for (const auto& one : diagnostics) {
    out += one.text() + "\n";
    error = error || !one.warning;
  }
  EXPECT_EQ(made.has_value(), !error);
  return out;
}

std::string saved(const Configuration& configuration) {
  std::string out;
  for (const auto& row : configuration.rows(true)) out += row.name + " " + row.value + "\n";
  return out;
}

TEST(ConfigurationTest, ADefaultConfigurationHasDefaultSettings) {
  EXPECT_EQ(Configuration().settings(), Settings());
  EXPECT_EQ(parsed("").settings(), Settings());
}

TEST(ConfigurationTest, EveryDefaultWrittenOutMakesDefaultSettings) {
  const auto all = parsed(saved(Configuration()));
  EXPECT_EQ(all.settings(), Settings());
  EXPECT_EQ(saved(all), saved(Configuration()));
  EXPECT_TRUE(all.without_effect().empty());
}

// Whether a default agrees with settings.h shows only where it is applied.
TEST(ConfigurationTest, ApplyingADefaultChangesNothing) {
  for (const auto& row : config::parameters()) {
    if (!row.apply || row.index != config::Index::none) continue;
    Settings settings;
    row.apply(settings, "", config::fallback_of(row));
    EXPECT_EQ(settings, Settings()) << row.name;
  }
}

TEST(ConfigurationTest, NamesAreCaseBlindAndTheIndexIsZeroWhereNoneIsGiven) {
  const auto made = parsed("reservationDEPTH 4\nloglevel[0] 3\nbackfillpolicy bestfit\n");
  EXPECT_EQ(made.settings().reservation_stacks.at(0).depth, 4);
  EXPECT_EQ(made.settings().log.level, 3);
  EXPECT_EQ(made.settings().backfill, BackfillPolicy::best_fit);
}

TEST(ConfigurationTest, AWrongLineIsNamedWithWhatWasExpected) {
  EXPECT_EQ(complaints("\nLOGLEVEL 12\n"),
            "maui.cfg:2: LOGLEVEL: 12 is out of range: expected a whole number from 0 to 9\n");
}

}  // namespace
}  // namespace maui
