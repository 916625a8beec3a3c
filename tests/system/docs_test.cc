// The documents hang together: nothing leads nowhere, no decision is left out.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
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

std::string first_match(const fs::path& file, const char* pattern) {
  const auto text = text_of(file);
  std::smatch found;
  return std::regex_search(text, found, std::regex(pattern)) ? found[1].str() : "nothing";
}

TEST(DocsTest, TheVersionIsTheSameEverywhere) {
  const auto version = first_match(kRoot / "CMakeLists.txt", R"(project\(maui VERSION ([0-9.]+))");
  EXPECT_EQ(first_match(kRoot / "docs" / "changelog.md", R"(\n## ([0-9.]+))"), version);
  EXPECT_EQ(first_match(kRoot / "debian" / "changelog", R"(^maui \(([0-9.]+)\))"), version);
  EXPECT_EQ(first_match(kRoot / "cmake" / "maui.spec", R"(\nVersion: +([0-9.]+)\n)"), version);
  EXPECT_EQ(first_match(kRoot / "cmake" / "maui.spec", R"(%changelog\n.* - ([0-9.]+)-1\n)"),
            version);
}

/// "Suite.Name" of each test program's tests, "system.name_test" of each script.
std::set<std::string> names_of_tests() {
  const std::regex test(R"((?:TEST|TEST_F|TEST_P|RC_GTEST_PROP)\(\s*(\w+),\s*(\w+))");
  std::set<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "tests")) {
    const fs::path& file = entry.path();
    if (file.extension() == ".sh")
      found.insert(file.parent_path().filename().string() + "." + file.stem().string());
    if (file.extension() != ".cc") continue;
    const auto text = text_of(file);
    for (std::sregex_iterator at(text.begin(), text.end(), test), end; at != end; ++at)
      found.insert((*at)[1].str() + "." + (*at)[2].str());
  }
  return found;
}

/// `words` is a name, or its beginning followed by '*' or '...'.
bool is_one_of(const std::set<std::string>& names, const std::string& words) {
  const auto cut = words.find_first_of("*.", words.find('.') + 1);
  if (cut == std::string::npos) return names.count(words) > 0;
  const auto at = names.lower_bound(words.substr(0, cut));
  return at != names.end() && at->starts_with(words.substr(0, cut));
}

/// Returns a document's promises: rows of its tables of promises, and points that begin with bold
/// words.
std::vector<std::string> promises(const fs::path& file) {
  std::vector<std::string> found;
  std::ifstream in(file);
  bool in_table = false;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with('|')) in_table = false;
    if (line.starts_with("- **") || (in_table && !line.starts_with("|--")))
      found.push_back(line);
    else if (!found.empty() && found.back().starts_with("- ") && line.starts_with("  "))
      found.back() += line;
    if (line == "| promise | test |") in_table = true;
  }
  return found;
}

TEST(DocsTest, EachPromiseHasATestWithItsName) {
  const auto names = names_of_tests();
  const std::regex name(R"(\b((?:system|attack|[A-Z]\w+)\.(?:\w+(?:\.\.\.|\*)?|\*(?!\*))))");
  std::size_t count = 0;
  for (const fs::path file : {"docs/security.md", "docs/decisions/checkpoints.md"}) {
    for (const std::string& promise : promises(kRoot / file)) {
      ++count;
      std::sregex_iterator at(promise.begin(), promise.end(), name);
      const std::sregex_iterator end;
      EXPECT_NE(at, end) << file << " names no test of: " << promise;
      for (; at != end; ++at)
        EXPECT_TRUE(is_one_of(names, (*at)[1])) << file << ": no test is called " << (*at)[1];
    }
  }
  EXPECT_GT(count, 70U);
}

}  // namespace
