// The member names of JSON output are a promise to scripts: tests/data/json_names.txt lists them.
#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "proto/reply_codec.h"
#include "proto/reply_fields.h"

namespace maui {
namespace {

template <class T>
struct Element {
  using Type = T;
  static constexpr std::string_view kMark = "";
};
template <class T>
struct Element<std::vector<T>> {
  using Type = T;
  static constexpr std::string_view kMark = "[]";
};
template <class T>
struct Element<std::optional<T>> {
  using Type = T;
  static constexpr std::string_view kMark = "?";
};

template <class T>
void list_names(const std::string& path, std::vector<std::string>& names) {
  const T value{};
  visit_fields(value, [&](std::string_view name, const auto& member) {
    using Member = std::remove_cvref_t<decltype(member)>;
    using Inner = typename Element<Member>::Type;
    const std::string full = path + "." + std::string(name) + std::string(Element<Member>::kMark);
    if constexpr (std::is_aggregate_v<Inner> && !std::is_same_v<Inner, std::string>)
      list_names<Inner>(full, names);
    else
      names.push_back(full);
  });
}

std::string kind_of(const Reply& reply) {
  const std::string json = encode_reply(reply);
  const std::string key = "\"reply\":\"";
  const auto at = json.find(key);
  if (at == std::string::npos) return "(no kind)";
  return json.substr(at + key.size(), json.find('"', at + key.size()) - at - key.size());
}

template <std::size_t... Index>
std::vector<std::string> all_names(std::index_sequence<Index...>) {
  std::vector<std::string> names;
  (list_names<std::variant_alternative_t<Index, AnyReply>>(
       kind_of(std::variant_alternative_t<Index, AnyReply>{}), names),
   ...);
  return names;
}

TEST(JsonNames, DoNotChange) {
  const auto names = all_names(std::make_index_sequence<std::variant_size_v<AnyReply>>());
  std::ifstream file(std::string(MAUI_TEST_DATA) + "/json_names.txt");
  std::set<std::string> promised;
  for (std::string line; std::getline(file, line);) promised.insert(line);
  ASSERT_GT(promised.size(), 300U);
  for (const auto& name : names)
    EXPECT_EQ(promised.erase(name), 1U) << name << " is new: add it to tests/data/json_names.txt";
  for (const auto& name : promised) ADD_FAILURE() << name << " is promised, but gone";
}

}  // namespace
}  // namespace maui
