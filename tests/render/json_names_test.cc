// The member names of JSON output are a promise to scripts: tests/data/json_names.txt lists them.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "proto/reply_codec.h"
#include "proto/reply_shape.h"

namespace maui {
namespace {

void list_names(const ReplyShape& record, const std::string& path,
                std::vector<std::string>& names) {
  for (const ReplyMember& member : record.members) {
    const ReplyShape& shape = *member.shape;
    const bool list = shape.kind == ReplyShape::Kind::list;
    const bool optional = shape.kind == ReplyShape::Kind::optional;
    const std::string full = path + "." + std::string(member.name) +
                             (list       ? "[]"
                              : optional ? "?"
                                         : "");
    const ReplyShape& inner = list || optional ? *shape.element : shape;
    if (inner.kind == ReplyShape::Kind::record)
      list_names(inner, full, names);
    else
      names.push_back(full);
  }
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (std::size_t kind = 0; kind < reply_kinds().size(); ++kind)
    list_names(shape_of(empty_reply(kind)), std::string(reply_kinds()[kind]), names);
  return names;
}

TEST(JsonNames, DoNotChange) {
  const auto names = all_names();
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
