#include "proto/reply_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"
#include "proto/reply_codec.h"
#include "support/every_reply.h"

namespace maui {
namespace {

using Json = nlohmann::json;

const Json& schema() {
  static const Json parsed = Json::parse(reply_schema());
  return parsed;
}

bool is_of_type(const Json& value, const std::string& type) {
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "array") return value.is_array();
  if (type == "object") return value.is_object();
  return type == "null" && value.is_null();
}

/// Where a value is not as a schema says; empty: it is.  Knows the words that this schema uses, and
/// complains of any other.
std::string objection(const Json& value, const Json& rule, const std::string& path = "$") {
  for (const auto& [word, wanted] : rule.items()) {
    if (word == "$ref") {
      const std::string at = wanted.get<std::string>().substr(1);
      return objection(value, schema().at(Json::json_pointer(at)), path);
    }
    if (word == "type") {
      if (!is_of_type(value, wanted)) return path + " is no " + wanted.get<std::string>();
    } else if (word == "const") {
      if (value != wanted) return path + " is not " + wanted.dump();
    } else if (word == "enum") {
      if (std::find(wanted.begin(), wanted.end(), value) == wanted.end())
        return path + " is none of " + wanted.dump();
    } else if (word == "required") {
      for (const std::string name : wanted)
        if (!value.contains(name)) return path + " has no " + name;
    } else if (word == "properties") {
      for (const auto& [name, inner] : wanted.items())
        if (value.contains(name))
          if (auto wrong = objection(value[name], inner, path + "." + name); !wrong.empty())
            return wrong;
    } else if (word == "items") {
      for (const Json& element : value)
        if (auto wrong = objection(element, wanted, path + "[]"); !wrong.empty()) return wrong;
    } else if (word == "anyOf" || word == "oneOf") {
      const auto fitting = std::count_if(
          wanted.begin(), wanted.end(),
          [&](const Json& alternative) { return objection(value, alternative, path).empty(); });
      if (fitting < 1 || (word == "oneOf" && fitting > 1))
        return path + " fits " + std::to_string(fitting) + " of " + word;
    } else if (word != "$schema" && word != "title" && word != "$defs") {
      return "the schema has the word " + word;
    }
  }
  return {};
}

struct Values {
  std::int64_t integer() { return ++count; }
  double number() { return static_cast<double>(++count) / 4; }
  std::string text() { return "text" + std::to_string(++count); }
  int count = 0;
};

TEST(ReplySchemaTest, EveryReplyIsAsTheSchemaSays) {
  std::size_t replies = 0;
  test::for_each_reply([&](Reply reply) {
    EXPECT_EQ(objection(Json::parse(encode_reply(reply)), schema()), "");
    test::ReplyFiller<Values>().fill(reply);
    const Json json = Json::parse(encode_reply(reply));
    EXPECT_EQ(objection(json, schema()), "") << json["reply"];
    ++replies;
    // And no other is: without a member, and with one of another type.
    for (const auto& [name, value] : json.items()) {
      Json other = json;
      other.erase(name);
      EXPECT_NE(objection(other, schema()), "") << json["reply"] << " without " << name;
      other[name] = Json::array({Json::array()});
      EXPECT_NE(objection(other, schema()), "") << json["reply"] << " with another " << name;
    }
  });
  EXPECT_EQ(replies, reply_kinds().size());
}

TEST(ReplySchemaTest, AdditionsOfTheServerAreAllowed) {
  const auto encoded = encode_reply(QueueReply{});
  EXPECT_EQ(objection(Json::parse(encode_as_not_kept(encoded, "the disk is full")), schema()), "");
  const ReplyRemarks remarks{"the disk is full", {"base"}, "since Monday"};
  EXPECT_EQ(
      objection(Json::parse(encode_reply(QueueReply{}, JsonLayout::lines, remarks)), schema()), "");
  EXPECT_EQ(objection(Json::parse(R"({"error":{"status":404,"message":"no"}})"), schema()), "");
  EXPECT_NE(objection(Json::parse(R"({"error":{"status":"404","message":"no"}})"), schema()), "");
}

}  // namespace
}  // namespace maui
