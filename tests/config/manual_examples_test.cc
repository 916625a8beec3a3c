// Examples that the manual shows as maui.cfg are one.
#include <filesystem>
#include <fstream>
#include <iterator>

#include "config/configs.h"

namespace maui {
namespace {

namespace fs = std::filesystem;

/// The blocks that begin with ```maui.cfg.
std::vector<std::string> examples(const fs::path& page) {
  std::ifstream in(page);
  std::vector<std::string> found;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line == "```maui.cfg") {
      inside = true;
      found.emplace_back();
    } else if (line == "```") {
      inside = false;
    } else if (inside) {
      found.back() += line + "\n";
    }
  }
  return found;
}

TEST(ManualExamples, LoadWithoutAnError) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(MAUI_SOURCE) / "docs" / "manual"))
    for (const auto& example : examples(entry.path())) {
      SCOPED_TRACE(entry.path().filename().string());
      ++count;
      parsed(example);
    }
  EXPECT_GE(count, 2);
}

}  // namespace
}  // namespace maui
