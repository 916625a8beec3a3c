#include "base/program_url.h"

#include <gtest/gtest.h>

namespace maui {
namespace {

TEST(ProgramUrlTest, AProgramMayHaveArguments) {
  const auto url = parse_program_url("exec:///opt/rm/start?--cell&a=b");
  ASSERT_TRUE(url) << url.error().what;
  EXPECT_FALSE(url->is_file);
  EXPECT_EQ(url->path, "/opt/rm/start");
  EXPECT_EQ(url->arguments, (std::vector<std::string>{"--cell", "a=b"}));
}

TEST(ProgramUrlTest, WithoutASlashItIsOneOfTheTools) {
  EXPECT_EQ(parse_program_url("exec://nodes.pl")->path, "nodes.pl");
  EXPECT_EQ(parse_program_url("exec://$TOOLSDIR/rm/nodes.pl")->path, "rm/nodes.pl");
  EXPECT_EQ(parse_program_url("EXEC:///$TOOLSDIR/nodes.pl")->path, "nodes.pl");
}

TEST(ProgramUrlTest, AFileIsReadAsItIsNamed) {
  const auto url = parse_program_url("file:///var/rm/nodes?1");
  ASSERT_TRUE(url);
  EXPECT_TRUE(url->is_file);
  EXPECT_EQ(url->path, "/var/rm/nodes?1");
}

TEST(ProgramUrlTest, AnythingElseIsRefused) {
  for (const char* text : {"", "nodes.pl", "http://x/y", "exec:/x", "exec://", "file://",
                           "exec:///opt/", "exec://?a", "sql://x"})
    EXPECT_FALSE(parse_program_url(text)) << text;
}

}  // namespace
}  // namespace maui
