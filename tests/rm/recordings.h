// The recorded exchanges of tests/data/wiki.
#pragma once
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace maui {

struct Exchange {
  std::string request, reply;  // whole frames
};

/// Returns the bytes of a Python literal b'...' or b"..." at the beginning of `text`.
inline std::string bytes_of(std::string_view text) {
  std::string bytes;
  const char quote = text[1];
  for (std::size_t at = 2; at < text.size() && text[at] != quote; ++at) {
    if (text[at] != '\\') {
      bytes += text[at];
    } else if (text[++at] == 'x') {
      bytes += static_cast<char>(std::stoi(std::string(text.substr(at + 1, 2)), nullptr, 16));
      at += 2;
    } else {
      bytes += text[at] == 'n' ? '\n' : text[at];
    }
  }
  return bytes;
}

inline std::vector<Exchange> recording(const std::string& file) {
  std::ifstream in(std::string(MAUI_TEST_DATA "/wiki/") + file);
  std::vector<Exchange> found;
  for (std::string line; std::getline(in, line);) {
    const auto at = line.find("b");
    if (line.find(">>> b") != line.npos && line.find(">>> b") < 6)
      found.push_back({bytes_of(std::string_view(line).substr(line.find(">>> b") + 4)), {}});
    else if (line.find("<<< b") != line.npos && line.find("<<< b") < 6 && at != line.npos)
      found.back().reply = bytes_of(std::string_view(line).substr(line.find("<<< b") + 4));
  }
  EXPECT_FALSE(found.empty()) << file;
  return found;
}

/// Removes the size and the character after it.
inline std::string_view content_of(std::string_view frame) { return frame.substr(9); }

}  // namespace maui
