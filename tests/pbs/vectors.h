// The recorded exchanges of tests/data/pbs.
#pragma once
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "pbs/dialect.h"

namespace maui::pbs::test {

struct Vectors {
  std::string file;
  Dialect dialect;
};

inline const std::vector<Vectors>& families() {
  static const std::vector<Vectors> kAll{{"vectors-torque.json", Dialect::bare},
                                         {"vectors-openpbs.json", Dialect::parts}};
  return kAll;
}

inline nlohmann::json read_vectors(const Vectors& vectors) {
  std::ifstream file(std::string(MAUI_TEST_DATA) + "/pbs/" + vectors.file);
  return nlohmann::json::parse(file);
}

inline std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  return bytes;
}

}  // namespace maui::pbs::test
