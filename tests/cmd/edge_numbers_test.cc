// Numbers at the edge of what a number can be, wherever a command takes one: each is refused with a
// reason or taken, and the scheduler goes on.  What overflows on the way is found by the
// sanitizers.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "cmd/command_fixture.h"

namespace maui::test {
namespace {

constexpr const char* kEdges[] = {
    "-9223372036854775808", "9223372036854775807",  "-2147483648", "2147483647",
    "4294967295",           "99999999999999999999", "-1",          "0",
    "1152921504606846975",  "253402300799"};

constexpr const char* kCommands[] = {"setspri # c",
                                     "setspri -r # c",
                                     "mjobctl -p # c",
                                     "mjobctl -p +# c",
                                     "mjobctl -m priority=# c",
                                     "mjobctl -m priority+=# c",
                                     "mjobctl -m wclimit=# c",
                                     "showbf -r #",
                                     "showbf -n #",
                                     "showbf -m #",
                                     "showbf -m >=#",
                                     "showbf -d #",
                                     "showstart #@100",
                                     "showstart 1@#",
                                     "showstart 1@#:00:00",
                                     "showres --gantt -d #",
                                     "setres -d # ALL",
                                     "setres -s # ALL",
                                     "setres -s +# ALL",
                                     "setres -e # ALL",
                                     "setres -d 60 -r PROCS=# ALL",
                                     "setres -d 60 -r MEM=# n1",
                                     "setres -d 60 TASKS==#",
                                     "setres -d 60 TASKS>=#",
                                     "schedctl -S #",
                                     "schedctl -s #",
                                     "schedctl -r #"};

class EdgeNumbers : public CommandTest {};

TEST_F(EdgeNumbers, AreRefusedWithAReasonOrTakenAndTheSchedulerGoesOn) {
  engine();
  for (const std::string form : kCommands)
    for (const std::string edge : kEdges) {
      std::string line = form;
      line.replace(line.find('#'), 1, edge);
      const Reply reply = ask(line);
      const auto* refusal = std::get_if<Refusal>(&reply);
      EXPECT_FALSE(refusal != nullptr && refusal->reason.empty()) << line;
      engine().stop_rule() = {};
      engine().iterate([] {});
      clock.time = clock.time + Seconds(1);
    }
  EXPECT_TRUE(succeeded(ask("showq")));
  EXPECT_EQ(engine().cluster().check(), std::nullopt);
}

// No finite time becomes one without an end, or a date that cannot be written.
TEST_F(EdgeNumbers, ATimeThatCannotBeKeptIsRefusedWithTheRange) {
  const auto most = [&](const char* flag, const std::string& text) {
    return fmt::format(
        "{}'{}' is out of range: expected 0 to {} seconds, which end with the year 9999", flag,
        text, 253402300799 - clock.time.raw());
  };
  for (const std::string edge :
       {"999999999999", "1152921504606846975", "9223372036854775807", "99999999999999999999"}) {
    EXPECT_EQ(why_not("setres -s +" + edge + " -d 60 ALL"), most("-s: ", "+" + edge));
    EXPECT_EQ(why_not("setres -e +" + edge + " ALL"), most("-e: ", "+" + edge));
    EXPECT_EQ(why_not("setres -d " + edge + " ALL"), most("-d: ", edge));
    EXPECT_EQ(why_not("schedctl -r " + edge), most("-r: ", edge));
    EXPECT_EQ(why_not("showbf -d " + edge), most("-d: ", edge));
    EXPECT_EQ(why_not("showstart 1@" + edge), most("", edge));
    EXPECT_EQ(why_not("showres --gantt -d " + edge), most("showres: -d: ", edge));
    EXPECT_EQ(why_not("mjobctl -m wclimit=" + edge + " c"), most("mjobctl: wclimit: ", edge));
  }
  const auto last = 253402300799 - clock.time.raw();
  EXPECT_TRUE(succeeded(ask(fmt::format("showbf -d {}", last))));
  EXPECT_TRUE(succeeded(ask("showbf -d INFINITY")));
  EXPECT_TRUE(succeeded(ask(fmt::format("showstart 1@{}", last))));
  EXPECT_TRUE(succeeded(ask(fmt::format("setres -s +{} -d 60 ALL", last - 60))));
  EXPECT_THAT(why_not(fmt::format("setres -s +{} -d 61 ALL", last - 60)),
              testing::HasSubstr("-d: '61' is out of range: expected 0 to 60 seconds"));
  EXPECT_EQ(get<ReservationCreatedReply>("setres -s +9999999999 ALL").end, -1)
      << "without -d and -e it has no end";
  EXPECT_EQ(get<ReservationCreatedReply>("setres -s +9999999999 -d 60 ALL").end,
            clock.time.raw() + 9999999999 + 60);
}

}  // namespace
}  // namespace maui::test
