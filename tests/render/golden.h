// Expected texts, from tests/data/golden.
#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>

#include "render/render.h"

namespace maui {

inline std::string golden(const std::string& name) {
  std::ifstream file(std::string(MAUI_TEST_DATA) + "/golden/" + name + ".txt");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class GoldenTest : public testing::Test {
 protected:
  void SetUp() override {
    setenv("TZ", "UTC", 1);
    tzset();
  }
  static void expect(const Reply& reply, const std::string& name) {
    if (std::getenv("REWRITE") != nullptr)  // review the diff before committing
      std::ofstream(std::string(MAUI_TEST_DATA) + "/golden/" + name + ".txt")
          << render(reply, Format::text);
    EXPECT_EQ(render(reply, Format::text), golden(name)) << "golden/" << name << ".txt";
  }
};

}  // namespace maui
