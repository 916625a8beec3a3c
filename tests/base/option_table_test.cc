#include "base/option_table.h"

#include <gtest/gtest.h>

namespace maui {
namespace {

struct Sample {
  bool loud = false;
  std::string file;
};

Status set_sample_file(Sample& sample, std::string_view value) {
  if (value.empty()) return Error{"expected a file"};
  sample.file = value;
  return Done{};
}

constexpr OptionRow<Sample> kSampleRows[] = {
    {"file", 'f', "FILE", "read this file", set_sample_file},
    {"loud",
     0,
     {},
     "say much more than anybody could ever want to hear, again and again and again",
     switch_on<&Sample::loud>},
};

Result<std::vector<std::string>> parse(const std::vector<std::string>& words, Sample& sample) {
  return parse_options<Sample>(kSampleRows, words, sample);
}

TEST(OptionTableTest, OtherWordsAreOperands) {
  Sample sample;
  const auto operands = parse({"a", "--loud", "-f", "x", "-", "--", "--loud", "b"}, sample);
  ASSERT_TRUE(operands) << operands.error().what;
  EXPECT_EQ(*operands, (std::vector<std::string>{"a", "-", "--loud", "b"}));
  EXPECT_TRUE(sample.loud);
  EXPECT_EQ(sample.file, "x");
}

TEST(OptionTableTest, SaysWhichOptionIsWrong) {
  Sample sample;
  EXPECT_EQ(parse({"--loud=1"}, sample).error().what, "--loud takes no value");
  EXPECT_EQ(parse({"-f"}, sample).error().what, "--file must be followed by FILE");
  EXPECT_EQ(parse({"--file="}, sample).error().what, "--file: expected a file");
  EXPECT_EQ(parse({"-x"}, sample).error().what, "unknown option '-x'");
}

TEST(OptionTableTest, HelpIsNoWiderThanATerminal) {
  EXPECT_EQ(options_help<Sample>(kSampleRows),
            "  -f, --file FILE           read this file\n"
            "  --loud                    say much more than anybody could ever want to hear,\n"
            "                            again and again and again\n");
}

}  // namespace
}  // namespace maui
