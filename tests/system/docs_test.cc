// The documents hang together: nothing leads nowhere, no decision is left out.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = MAUI_SOURCE;

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<fs::path> documents() {
  std::vector<fs::path> found{kRoot / "README.md", kRoot / "traces" / "README.md"};
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "docs"))
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  return found;
}

TEST(DocsTest, LinksLeadToFilesThatExist) {
  const std::regex link(R"(\]\(([^)#]+)\))");
  int links = 0;
  for (const auto& file : documents()) {
    const auto text = text_of(file);
    for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at) {
      const std::string target = (*at)[1];
      if (target.find("://") != std::string::npos) continue;
      ++links;
      EXPECT_TRUE(fs::exists(file.parent_path() / target)) << file << " links to " << target;
    }
  }
  EXPECT_GT(links, 5);
}

TEST(DocsTest, TheIndexListsEveryDecision) {
  const auto index = text_of(kRoot / "docs" / "decisions" / "README.md");
  int decisions = 0;
  for (const auto& entry : fs::directory_iterator(kRoot / "docs" / "decisions")) {
    const auto name = entry.path().filename().string();
    if (name == "README.md") continue;
    ++decisions;
    EXPECT_NE(index.find("](" + name + ")"), std::string::npos)
        << name << " is not in docs/decisions/README.md";
  }
  EXPECT_GT(decisions, 0);
}

}  // namespace
