#include "migrate/object_lines.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace maui::migrate {
namespace {

using testing::HasSubstr;

Migration printed(const ObjectLines& lines) {
  Writer writer(Source::slurm);
  lines.print_lines(writer);
  lines.print_losses(writer);
  return writer.take();
}

TEST(ObjectLinesTest, AnObjectHasOneLineInItsPlace) {
  ObjectLines lines;
  EXPECT_TRUE(lines.empty());
  lines.say("USERCFG", "amy", "PRIORITY=1", {});
  lines.say("USERCFG", "bob", "PRIORITY=2", {});
  lines.say("USERCFG", "amy", "FSTARGET=3", {});
  EXPECT_EQ(printed(lines).configuration,
            "USERCFG[amy]          PRIORITY=1 FSTARGET=3\n"
            "USERCFG[bob]          PRIORITY=2\n");
}

TEST(ObjectLinesTest, QosNormalIsThatOfAll) {
  ObjectLines lines;
  SlurmQos normal;
  normal.said.name = "normal";
  lines.say_qos(normal, "PRIORITY=1");
  lines.say_qos(normal, "MAXJOB=2");
  EXPECT_EQ(printed(lines).configuration,
            "QOSCFG[normal]        PRIORITY=1 MAXJOB=2\n"
            "SYSCFG                QDEF=normal\n");
}

TEST(ObjectLinesTest, ANameThatNoObjectCanHaveIsLost) {
  ObjectLines lines;
  for (const char* name : {"", "default", "a b"})
    lines.say("USERCFG", name, "PRIORITY=1", {3, "f"});
  EXPECT_TRUE(lines.empty());
  const auto losses = printed(lines).losses;
  ASSERT_EQ(losses.size(), 3U);
  EXPECT_EQ(losses[0].line, 3);
  EXPECT_EQ(losses[0].file, "f");
}

TEST(ObjectLinesTest, LossesOfOneKindAreCounted) {
  ObjectLines lines;
  for (int i = 0; i < 30; ++i)
    for (int again = 0; again < 2; ++again)
      lines.lose(fmt::format("maxwall={} of user 'u{}' in account 'a'", i, i), "none", {i, "f"});
  const auto losses = printed(lines).losses;
  ASSERT_EQ(losses.size(), 10U);
  EXPECT_THAT(losses.back().what, HasSubstr("and 20 more like these"));
}

}  // namespace
}  // namespace maui::migrate
