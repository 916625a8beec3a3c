#include "proto/json_writer.h"

#include <gtest/gtest.h>

namespace maui {
namespace {

std::string written(std::string_view text) {
  JsonWriter json;
  json.string(text);
  return json.take();
}

TEST(JsonWriter, ControlCharactersAreWrittenByTheirNumbers) {
  EXPECT_EQ(written("\x7f\xC2\x9B\xE2\x80\xAE\xF3\xA0\x80\x81\xC3\xA9"),
            "\"\\u007f\\u009b\\u202e\\udb40\\udc01\xC3\xA9\"");
  EXPECT_EQ(written("a\"b\\c\nd\re\tf\bg\fh\x1b"), R"("a\"b\\c\nd\re\tf\bg\fh\u001b")");
}

TEST(JsonWriter, NumbersReadBackTheSame) {
  JsonWriter json;
  json.begin_array();
  for (const double value : {0.1, 3.0, -0.0, 1e300}) json.number(value);
  json.end_array();
  EXPECT_EQ(json.take(), "[0.1,3,0,1e+300]");
}

TEST(JsonWriter, AMemberIsWrittenAsItsTypeSays) {
  JsonWriter json;
  json.begin_object();
  json.member("text", "x");
  json.member("count", 3);
  json.member("share", 0.5);
  json.member("known", true);
  json.end_object();
  EXPECT_EQ(json.take(), R"({"text":"x","count":3,"share":0.5,"known":true})");
}

TEST(JsonWriter, LinesShowHowValuesAreNested) {
  const auto write = [](JsonLayout layout) {
    JsonWriter json(layout);
    json.begin_object();
    json.key("a");
    json.integer(1);
    json.key("none");
    json.begin_array();
    json.end_array();
    json.key("b");
    json.begin_array();
    json.null();
    json.begin_object();
    json.key("c");
    json.boolean(true);
    json.end_object();
    json.end_array();
    json.end_object();
    return json.take();
  };
  EXPECT_EQ(write(JsonLayout::compact), R"({"a":1,"none":[],"b":[null,{"c":true}]})");
  EXPECT_EQ(write(JsonLayout::lines), R"({
  "a": 1,
  "none": [],
  "b": [
    null,
    {
      "c": true
    }
  ]
})");
}

}  // namespace
}  // namespace maui
