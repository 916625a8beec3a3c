// Files of release 3.3: how they are recognised, and what their defaults would change.
#include "config/release_3_3.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "config/configuration.h"
#include "config/parameters.h"
#include "config/parser.h"

namespace maui::config {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// The values of showconfig -v of release 3.3.2 with nothing configured, and those of parameters
/// that it did not list; INFINITY and -1 as here.
std::map<std::string, std::string> shown_by_3_3() {
  std::ifstream in(std::string(MAUI_TEST_DATA) + "/defaults_of_3_3.txt");
  EXPECT_TRUE(in);
  std::map<std::string, std::string> shown;
  for (std::string name, value; in >> name && std::getline(in >> std::ws, value);)
    shown.emplace(name, value);
  return shown;
}

Words canonical(const Parameter& parameter, const std::string& value) {
  const auto lines = parse_lines("X " + value);
  const auto words = parameter.type.canonical(lines.front().words);
  EXPECT_TRUE(words) << parameter.name << " " << value;
  return words ? *words : Words{};
}

// The others change no schedule; a table of the manual has them.
TEST(DefaultsOfRelease33, AreInTheTableIfTheyChangeTheSchedule) {
  std::set<std::string> differ;
  for (const auto& [name, value] : shown_by_3_3()) {
    const auto* parameter = find_parameter(name);
    ASSERT_NE(parameter, nullptr) << name;
    if (canonical(*parameter, value) != fallback_of(*parameter)) differ.insert(name);
  }
  std::ifstream file(std::string(MAUI_SOURCE) + "/docs/manual/coming-from.md");
  const std::string page(std::istreambuf_iterator<char>(file), {});
  for (const auto* harmless : {"CHECKPOINTEXPIRATIONTIME", "DEFAULTCLASSLIST", "LOGFILEMAXSIZE",
                               "LOGFILEROLLDEPTH", "PLOTMAXTIME", "RMAUTHTYPE"}) {
    EXPECT_EQ(differ.erase(harmless), 1U) << harmless;
    const auto row = fmt::format("| `{}` | {} | {} |", harmless, shown_by_3_3().at(harmless),
                                 find_parameter(harmless)->fallback);
    EXPECT_NE(page.find(row), page.npos) << row;
  }
  for (const auto& row : defaults_of_3_3()) {
    EXPECT_EQ(differ.erase(std::string(row.parameter)), 1U) << row.parameter;
    const auto* parameter = find_parameter(row.parameter);
    ASSERT_NE(parameter, nullptr) << row.parameter;
    EXPECT_EQ(canonical(*parameter, std::string(row.value)),
              canonical(*parameter, shown_by_3_3().at(std::string(row.parameter))))
        << row.parameter;
  }
  EXPECT_THAT(differ, IsEmpty());
}

constexpr auto kNothing = [](std::string_view) { return false; };

TEST(FileOfRelease33, IsRecognised) {
  EXPECT_TRUE(is_of_3_3("# maui.cfg 3.3.2\n\nSERVERHOST h\n"));
  EXPECT_TRUE(is_of_3_3("\n#\n ##MAUI.CFG 3.2.6p21\nSERVERHOST h\n"));
  EXPECT_TRUE(is_of_3_3("SERVERHOST h\nAPIFAILURETHRESHHOLD 6\n"));
  EXPECT_FALSE(is_of_3_3("SERVERHOST h\n# as in maui.cfg 3.3\n"));
  EXPECT_FALSE(is_of_3_3("SERVERHOST h\nTOOLSDIR /opt/tools\nSCHEDCFG[a] MODE=NORMAL\n"));
  EXPECT_FALSE(
      is_of_3_3("# Written by maui --migrate from old.cfg, a file of Maui.\n"
                "# maui.cfg 3.3.2\nSERVERHOST h\n"));
  EXPECT_FALSE(is_of_3_3(""));
}

TEST(FileOfRelease33, IsWarnedOfOnceWithAllDefaultsThatItReliesOn) {
  const std::string text = "# maui.cfg 3.3.2\nBACKFILLPOLICY FIRSTFIT\n";
  const auto warnings = warnings_of_3_3(
      text, [](std::string_view name) { return name == "JOBMAXOVERRUN" || name == "PURGETIME"; });
  EXPECT_THAT(warnings,
              ElementsAre(AllOf(HasSubstr("NODEACCESSPOLICY SHARED, SYSTEMDEFAULTJOBWALLTIME"),
                                HasSubstr("FSINTERVAL 12:00:00, FSDEPTH 8"),
                                HasSubstr("XFMINWCLIMIT 00:02:00"), Not(HasSubstr("JOBMAXOVERRUN")),
                                Not(HasSubstr("NODEPURGETIME")))));
  EXPECT_THAT(warnings_of_3_3(text, [](std::string_view) { return true; }), IsEmpty());
  EXPECT_THAT(warnings_of_3_3("BACKFILLPOLICY FIRSTFIT\n", kNothing), IsEmpty());
}

TEST(FileOfRelease33, IsWarnedOfFlagsThatHadNoEffect) {
  const auto all = [](std::string_view) { return true; };
  const std::string text =
      "# maui.cfg 3.3.2\nQOSCFG[hi] PRIORITY=1 FLAGS=PREEMPTOR\nQOSCFG[lo] QFLAGS=PREEMPTEE\n"
      "CLASSCFG[a] FLAGS=PREEMPTEE\nqoscfg[b] flags=NOBF\nQOSCFG[c] FLAGS=\n";
  EXPECT_THAT(warnings_of_3_3(text, all),
              ElementsAre(AllOf(HasSubstr("QOSCFG[hi] FLAGS=PREEMPTOR (line 2), "
                                          "qoscfg[b] flags=NOBF (line 5): release 3.3"),
                                Not(HasSubstr("PREEMPTEE")))));
  EXPECT_THAT(warnings_of_3_3(text.substr(text.find('\n')), all), IsEmpty());
}

}  // namespace
}  // namespace maui::config
