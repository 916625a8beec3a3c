// maui.cfg(5): each parameter with its default, when it takes effect, and an example that works.
#include <gtest/gtest.h>

#include "base/text.h"
#include "config/configs.h"
#include "config/manual.h"
#include "config/parameter_texts.h"
#include "config/parameters.h"
#include "config/parser.h"
#include "config/values.h"

namespace maui {
namespace {

using config::Parameter;

TEST(ManualPageOfParameters, EachHasAnExampleThatIsNotItsDefault) {
  for (const Parameter& row : config::parameters()) {
    const auto example = config::example_of(row);
    if (row.landed != config::Landed::yes) {
      EXPECT_EQ(example, "") << row.name;
      continue;
    }
    const auto lines = config::parse_lines(example);
    ASSERT_EQ(lines.size(), 1U) << row.name;
    ASSERT_EQ(lines.front().error, "") << row.name;
    const auto name = config::parse_name(lines.front().name);
    ASSERT_TRUE(name) << row.name;
    const auto key = config::resolve(*name, row.file);
    ASSERT_TRUE(key) << row.name << ": " << key.error().what;
    EXPECT_EQ(key->parameter, &row) << example;
    const auto value = config::checked(*key, lines.front().words);
    ASSERT_TRUE(value) << example << ": " << value.error().what;
    EXPECT_FALSE(config::is_default(*key, *value)) << example << " is the default";
  }
}

TEST(ManualPageOfParameters, EachAttributeHasAnExampleThatWorks) {
  for (const Parameter& row : config::parameters()) {
    if (row.attributes == nullptr) continue;
    for (const auto& attribute : *row.attributes) {
      const auto example = config::example_of(row, attribute);
      EXPECT_EQ(example.empty(), !attribute.landed) << row.name << " " << attribute.name;
      if (example.empty()) continue;
      std::vector<Diagnostic> diagnostics;
      const bool secret =
          row.file == config::File::secret || attribute.file == config::File::secret;
      if (secret) continue;
      const auto read = Configuration::parse(example, "maui.cfg", diagnostics);
      EXPECT_TRUE(read) << example;
      for (const auto& diagnostic : diagnostics)
        EXPECT_TRUE(diagnostic.warning) << example << ": " << diagnostic.text();
    }
  }
  const auto page = parameters_manual_page("1");
  EXPECT_NE(page.find("Example: NODECFG[node003] SPEED=1.2"), page.npos);
  EXPECT_NE(page.find("Unit: processor\\-seconds."), page.npos);
}

/// A number that counts something says what.
TEST(ManualPageOfParameters, CountsAndTimesHaveUnits) {
  const auto unit = [](std::string_view name) {
    return config::unit_of(*config::find_parameter(name));
  };
  EXPECT_EQ(unit("BACKFILLDEPTH"), "jobs");
  EXPECT_EQ(unit("RMPOLLINTERVAL"), "seconds");
  EXPECT_EQ(unit("MAXMEMPERUSER"), "MB");
  EXPECT_EQ(unit("MAXWCQUEUEDPERCLASS"), "seconds");
  EXPECT_EQ(unit("BACKFILLPOLICY"), "");
  const auto of_user = [](std::string_view name) {
    for (const auto& attribute : config::user_attributes())
      if (attribute.name == name) return config::unit_of(attribute);
    return std::string("no such attribute");
  };
  EXPECT_EQ(of_user("MAXIPROC"), "processors");
  EXPECT_EQ(of_user("MAXPS"), "processor-seconds");
  EXPECT_EQ(of_user("MAXIJOB"), "jobs");
  EXPECT_EQ(of_user("MAXWC"), "seconds");
  EXPECT_EQ(of_user("PRIORITY"), "");
}

TEST(ManualPageOfParameters, SaysOfEachWhatItIsAndWhenItCounts) {
  const auto page = parameters_manual_page("1");
  std::size_t at = 0;
  for (const Parameter& row : config::parameters()) {
    if (row.file == config::File::secret) continue;
    // An attribute may have the same name, and another entry.
    bool said = false;
    for (auto begin = page.find(".B \"" + row.name); begin != page.npos;
         begin = page.find(".B \"" + row.name, begin + 1)) {
      const auto entry = page.substr(begin, page.find(".TP", begin) - begin);
      said |=
          (entry.find("Takes effect") != entry.npos || entry.find("has no effect") != entry.npos) &&
          (row.attributes != nullptr || entry.find("Default: ") != entry.npos);
    }
    EXPECT_TRUE(said) << row.name;
    ++at;
  }
  EXPECT_GT(at, 200U);
  EXPECT_NE(page.find("next start, since"), page.npos);
  EXPECT_NE(page.find("Those of USERCFG."), page.npos);
}

}  // namespace
}  // namespace maui
