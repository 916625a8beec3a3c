// The fake's own coder against the recorded exchanges.
#include <gtest/gtest.h>

#include "pbs/other_codec.h"
#include "pbs/vectors.h"

namespace maui::pbs::test {
namespace {

TEST(FakeServerTest, ItsCoderSaysWhatRealServersSaid) {
  for (const auto& family : families()) {
    int compared = 0;
    for (const auto& exchange : read_vectors(family)) {
      if (!exchange.contains("value") || !exchange["value"].is_array()) continue;
      std::string bytes = number_bytes(static_cast<long long>(exchange["value"].size()));
      for (const auto& object : exchange["value"]) {
        Items items;
        for (const auto& each : object[2])
          items.emplace_back(each[0], each[1].is_null() ? "" : each[1].get<std::string>(), each[2],
                             each[3].get<int>());
        bytes +=
            number_bytes(object[0]) + text_bytes(object[1].get<std::string>()) + items_bytes(items);
      }
      std::string said;
      for (const auto& part : exchange["s2c"]) said += from_hex(part.get<std::string>());
      EXPECT_TRUE(said.ends_with(bytes)) << family.file << ": " << exchange["name"];
      ++compared;
    }
    EXPECT_GT(compared, 8);
  }
}

TEST(FakeServerTest, ItsCoderReadsWhatRealClientsAsked) {
  for (const auto& family : families())
    for (const auto& exchange : read_vectors(family)) {
      if (!exchange.contains("c2s")) continue;
      const auto bytes = from_hex(exchange["c2s"][0].get<std::string>());
      Taker taker(std::string_view(bytes).substr(framed(family.dialect) ? 11 : 0));
      EXPECT_EQ(taker.number(), 2);
      EXPECT_EQ(taker.number(), 2);
      EXPECT_LE(taker.number(), 100);
      EXPECT_EQ(taker.text(), "root");
    }
}

}  // namespace
}  // namespace maui::pbs::test
