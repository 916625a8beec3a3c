// Writes the text of accounting logs to files for tests.
#pragma once
#include <fstream>
#include <random>
#include <string>

#include "daemon/temporary_directory.h"

namespace maui::test {

inline std::string write_text(const TemporaryDirectory& folder, const std::string& name,
                              const std::string& text) {
  const auto path = folder.path() + "/" + name;
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

/// Returns the text with some random bytes changed, removed or inserted.
inline std::string mutated(std::string text, std::mt19937& random) {
  const std::string letters = "|;=,:[]-+/.0123456789\n \tabcNone";
  const auto edits = 1 + random() % 6;
  for (std::size_t i = 0; i < edits && !text.empty(); ++i) {
    const auto at = random() % text.size();
    const char c = letters[random() % letters.size()];
    switch (random() % 4) {
      case 0:
        text[at] = c;
        break;
      case 1:
        text.insert(at, 1 + random() % 12, c);
        break;
      case 2:
        text.erase(at, 1 + random() % 8);
        break;
      default:
        text[at] = static_cast<char>(random() % 256);
    }
  }
  return text;
}

}  // namespace maui::test
