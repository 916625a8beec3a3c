// Numbers at the edge of what a number can be, wherever a command takes one: each is refused with a
// reason or taken, and the scheduler goes on.  What overflows on the way is found by the
// sanitizers.
#include "cmd/command_fixture.h"

namespace maui::test {
namespace {

constexpr const char* kEdges[] = {
    "-9223372036854775808", "9223372036854775807",  "-2147483648", "2147483647",
    "4294967295",           "99999999999999999999", "-1",          "0"};

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

}  // namespace
}  // namespace maui::test
