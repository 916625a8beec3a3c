#include "history/event_line.h"

#include <gtest/gtest.h>

namespace maui::history {
namespace {

void expect_round_trip(const Event& event) {
  const auto line = event_line(event);
  const auto back = parse_event_line(line);
  ASSERT_TRUE(back) << line << ": " << back.error().what;
  EXPECT_EQ(*back, event) << line;
}

TEST(EventLineTest, EveryKindReadsBackAsItWasWritten) {
  expect_round_trip(JobEnding{"17.head", Time(100), Time(900), 3, {}});
  expect_round_trip(JobEnding{"a b%",
                              Time(100),
                              Time(900),
                              -1,
                              {{"insufficient idle procs", Time(100), Time(200)},
                               {"the site's own policy keeps it out", Time(200), Time(300)}}});
  expect_round_trip(PastReservation{"maint.0", "administrative", Time(5), Time(10), 4, 64});
  expect_round_trip(MinuteOfUse{Time(60), 60, 120, 240, 3, 4});
}

TEST(EventLineTest, EveryReasonOfThePlannerReadsBack) {
  for (std::size_t i = 1; i < kReasonCount; ++i) {
    const std::vector<WaitHistory::Period> periods = {{static_cast<Reason>(i), Time(1), Time(2)}};
    const auto waits = waits_of(periods);
    const auto back = parse_waits(waits_text(waits));
    ASSERT_TRUE(back) << i;
    EXPECT_EQ(*back, waits);
    EXPECT_EQ(waits_text(periods), waits_text(waits));
    EXPECT_FALSE(waits.front().reason.empty()) << i;
  }
}

TEST(EventLineTest, LinesThatAreCutOffOrOfAnotherKindAreRefused) {
  const auto line = event_line(MinuteOfUse{Time(60), 60, 120, 240, 3, 4});
  for (const auto& wrong :
       {std::string(), std::string("JOB"), line.substr(0, line.rfind(' ')), line + " 7",
        std::string("USE 60 60 120 240 three 4"), std::string("RES a b 1 -2 3 4"),
        std::string("JOB 17 1 2 0 reason:1"), std::string("NODE n1 1 2")})
    EXPECT_FALSE(parse_event_line(wrong)) << wrong;
}

}  // namespace
}  // namespace maui::history
