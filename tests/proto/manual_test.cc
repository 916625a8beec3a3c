// The pages of commands: every command has examples that work, and columns that are printed.
#include "proto/manual.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "base/text.h"
#include "proto/arguments.h"
#include "proto/manual_texts.h"

namespace maui {
namespace {

namespace fs = std::filesystem;

const CommandText& text_of(const CommandSpec& spec) {
  const CommandText* text = find_command_text(spec.same_as.empty() ? spec.name : spec.same_as);
  static constexpr CommandText kNone{};
  EXPECT_NE(text, nullptr) << spec.name;
  return text == nullptr ? kNone : *text;
}

TEST(CommandManual, EveryCommandHasExamplesThatItTakes) {
  for (const auto& spec : command_specs()) {
    if (!spec.same_as.empty()) continue;
    EXPECT_FALSE(text_of(spec).examples.empty()) << spec.name;
    for (const auto& example : text_of(spec).examples) {
      std::istringstream in{std::string(example.line)};
      std::vector<std::string> words{std::istream_iterator<std::string>(in), {}};
      ASSERT_EQ(words.front(), spec.name) << example.line;
      words.erase(words.begin());
      const auto invocation = parse_arguments(spec, words);
      EXPECT_TRUE(invocation) << example.line << ": " << invocation.error().what;
    }
  }
}

/// Returns the output of a command, from all the files that have it.
std::string printed_by(std::string_view command) {
  std::string all;
  for (const auto& entry : fs::directory_iterator(fs::path(MAUI_TEST_DATA) / "golden")) {
    const auto name = entry.path().stem().string();
    if (name != command && !name.starts_with(std::string(command) + "_")) continue;
    std::ifstream in(entry.path());
    all.append(std::istreambuf_iterator<char>(in), {});
  }
  return all;
}

TEST(CommandManual, ItsColumnsArePrinted) {
  int count = 0;
  for (const auto& spec : command_specs()) {
    if (!spec.same_as.empty()) continue;
    const auto printed = printed_by(spec.name);
    if (printed.empty()) continue;
    for (const auto& column : text_of(spec).columns) {
      ++count;
      EXPECT_NE(printed.find(column.name), std::string::npos) << spec.name << ": " << column.name;
    }
  }
  EXPECT_GT(count, 50);
}

TEST(CommandManual, SaysWhoMayUseIt) {
  const auto page = [](std::string_view name) { return command_manual(*find_command(name), "1"); };
  EXPECT_EQ(page("setres").find("Everybody may use it."), std::string::npos);
  EXPECT_NE(page("setres").find("RESCTLPOLICY"), std::string::npos);
  EXPECT_NE(page("checkjob").find("their own jobs"), std::string::npos);
  EXPECT_NE(page("showbf").find("Everybody may use it."), std::string::npos);
  EXPECT_NE(page("mnodectl").find("level 1"), std::string::npos);
}

TEST(CommandManual, CommandsThatTakeExpressionsForJobsSaySo) {
  for (const auto* command : {"canceljob", "mjobctl", "releasehold", "runjob", "sethold", "setqos"})
    EXPECT_NE(command_manual(*find_command(command), "1").find("x:EXPRESSION stands for all jobs"),
              std::string::npos)
        << command;
  EXPECT_EQ(command_manual(*find_command("checkjob"), "1").find("x:EXPRESSION"), std::string::npos);
}

TEST(CommandManual, FormsOfTimeStandWhereATimeIsTaken) {
  const auto has = [](std::string_view name, std::string_view what) {
    return command_manual(*find_command(name), "1").find(what) != std::string::npos;
  };
  EXPECT_TRUE(has("setres", "_MO[/DD"));
  EXPECT_FALSE(has("setres", "YYYY"));
  EXPECT_TRUE(has("showhist", "YYYY"));
  EXPECT_TRUE(has("showgrid", "YYYY"));
  EXPECT_TRUE(has("showbf", "[[[DD:]HH:]MM:]SS"));
  EXPECT_FALSE(has("showhold", "FORMS OF TIME"));
}

TEST(CommandManual, TheClientsPageListsAllCommands) {
  const auto page = client_manual("1");
  for (const auto& spec : command_specs())
    EXPECT_NE(page.find(std::string(spec.name) + "(1)"), std::string::npos) << spec.name;
}

}  // namespace
}  // namespace maui
