#include <gtest/gtest.h>

#include <cstdlib>

#include "render/render.h"
#include "render/reservation_chart.h"

namespace maui {
namespace {

class Gantt : public testing::Test {
 protected:
  Gantt() {
    setenv("TZ", "UTC", 1);
    const ReservedShare runs{"run1", "Job", "Running", 1, 0, 4 * 3600};
    const ReservedShare kept{"SYSTEM.0", "User", "", 1, 6 * 3600, -1};
    chart_.until = 8 * 3600;
    chart_.reservations = {{"run1", "Job", "Running", 0, 4 * 3600, 2, 2},
                           {"SYSTEM.0", "User", "", 6 * 3600, -1, 3, 3}};
    chart_.nodes = {{"n1", "Busy", {runs, kept}},
                    {"n2", "Busy", {runs, kept}},
                    {"n3", "Idle", {kept}},
                    {"n4", "Down", {}}};
  }
  ReservationChartReply chart_;
};

TEST_F(Gantt, DrawsTimeAcrossAndNodesThatAreHeldAlikeOnce) {
  EXPECT_EQ(render(Reply(chart_), Format::text, 42),
            "reservations from Thu Jan  1 00:00:00 on, for 8:00:00\n"
            "\n"
            "          |now    |+2h    |+4h    |+6h\n"
            "  n[1-2]  AAAAAAAAAAAAAAAA........BBBBBBBB\n"
            "      n3  ........................BBBBBBBB\n"
            "      n4  ################################\n"
            "\n"
            "A run1                 Job R    00:00:00 to     4:00:00    2/2\n"
            "B SYSTEM.0            User -     6:00:00 to    INFINITY    3/3\n"
            ". free  + several reservations  # down or drained\n");
}

TEST_F(Gantt, FillsTheWidthThatThereIs) {
  const std::string text = render(Reply(chart_), Format::text, 100);
  EXPECT_NE(text.find("n4  " + std::string(90, '#') + "\n"), std::string::npos) << text;
}

TEST_F(Gantt, SeveralWhoShareANodeAreMarked) {
  chart_.nodes[0].shares.push_back({"run2", "Job", "Running", 1, 0, 2 * 3600});
  const std::string text = render(Reply(chart_), Format::text, 42);
  EXPECT_NE(text.find("      n1  ++++++++AAAAAAAA........BBBBBBBB\n"), std::string::npos) << text;
}

TEST_F(Gantt, AShareShorterThanAColumnShows) {
  chart_.nodes[2].shares.insert(chart_.nodes[2].shares.begin(),
                                {"short", "Job", "Idle", 1, 3600, 3601});
  const std::string text = render(Reply(chart_), Format::text, 42);
  EXPECT_NE(text.find("n3  ....C..."), std::string::npos) << text;
}

TEST_F(Gantt, ThePictureHasABarForEachShareAndEscapesNames) {
  chart_.nodes[2].shares[0].reservation = "a<b";
  const std::string svg = render(Reply(chart_), Format::svg);
  EXPECT_EQ(svg.find("a<b"), std::string::npos);
  EXPECT_NE(svg.find("<title>a&lt;b, Thu Jan  1 06:00:00 to an open end, 1 task</title>"),
            std::string::npos)
      << svg;
  EXPECT_EQ(svg.rfind("</svg>\n"), svg.size() - 7);
}

TEST_F(Gantt, LinesOfTimeStandBehindTheBarsAndTheirNames) {
  const std::string svg = render(Reply(chart_), Format::svg);
  ASSERT_NE(svg.rfind("<path"), std::string::npos);
  EXPECT_LT(svg.rfind("<path"), svg.find("<title>"));
}

TEST_F(Gantt, SharesThatOverlapStandBelowEachOther) {
  chart_.nodes = {
      {"n1", "Busy", {{"a", "Job", "Running", 1, 0, 3600}, {"b", "Job", "Running", 1, 0, 3600}}}};
  const std::string svg = render(Reply(chart_), Format::svg);
  EXPECT_NE(svg.find("y=\"40\" width=\"125\""), std::string::npos) << svg;
  EXPECT_NE(svg.find("y=\"54\" width=\"125\""), std::string::npos) << svg;
}

TEST(GanttAxis, StepsAreRoundAndAsFewAsThereIsRoomFor) {
  EXPECT_EQ(chart_step(3600, 8), 600);
  EXPECT_EQ(chart_step(86400, 8), 10800);
  EXPECT_EQ(chart_step(86400 * 30, 8), 604800);
  EXPECT_GE(chart_step(std::int64_t{86400} * 365 * 50, 8) * 8, std::int64_t{86400} * 365 * 50);
}

TEST(GanttAxis, OffsetsAreInTheLargestWholeUnit) {
  EXPECT_EQ(chart_offset(0), "now");
  EXPECT_EQ(chart_offset(1800), "+30m");
  EXPECT_EQ(chart_offset(7200), "+2h");
  EXPECT_EQ(chart_offset(172800), "+2d");
}

}  // namespace
}  // namespace maui
