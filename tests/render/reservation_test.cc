#include "render/golden.h"
#include "render/scenario.h"

namespace maui {
namespace {

using namespace scenario;
using ReservationText = GoldenTest;

TEST_F(ReservationText, ShowresListsByReservation) {
  expect(ReservationsReply{kNow, false, kReservations}, "showres");
  expect(ReservationsReply{kNow, true, kReservations}, "showres_v");
  expect(ReservationsReply{kNow, false, {kReservations[15]}}, "showres_id");
}

TEST_F(ReservationText, BeyondAThousandHoursIsInfinity) {
  const std::string text = render(
      ReservationsReply{
          0, false, {{"a.0", "User", "", 0, 3599999, 1, 1}, {"b.0", "User", "", 0, 3600000, 1, 1}}},
      Format::text);
  EXPECT_NE(text.find("41:15:59:59 41:15:59:59"), std::string::npos) << text;
  EXPECT_NE(text.find("INFINITY    INFINITY"), std::string::npos) << text;
}

TEST_F(ReservationText, ShowresListsByNode) {
  expect(ReservedNodesReply{kNow, false, false, kReservedNodes}, "showres_n");
  expect(ReservedNodesReply{kNow, true, false, kReservedNodes}, "showres_n_v");
}

TEST_F(ReservationText, TheFlagForRelativeTimesLeavesNoColumnOut) {
  ReservationsReply table{kNow, false, {{"j1", "Job", "Running", 40, 100, 1, 2}}};
  const std::string plain = render(table, Format::text);
  table.relative = true;
  EXPECT_EQ(render(table, Format::text), plain);
  ReservedNodesReply by_node{kNow, false, false, kReservedNodes};
  by_node.relative = true;
  expect(by_node, "showres_n");
}

TEST_F(ReservationText, ASummaryFollowsTheTable) {
  const std::string text = render(
      ReservationsReply{0, false, {}, false, {{"Job", 15, 13, 18, 63}, {"User", 3, 1, 2, 8}}},
      Format::text);
  EXPECT_NE(text.find("0 reservations located\n\n"
                      "Type    Reservations  Active   Nodes   Procs\n\n"
                      "Job               15      13      18      63\n"
                      "User               3       1       2       8\n"),
            std::string::npos)
      << text;
}

TEST_F(ReservationText, GrepableOutputNamesTheNodeOnEveryLine) {
  const std::string text =
      render(ReservedNodesReply{kNow, true, true, {kReservedNodes[0]}}, Format::text);
  EXPECT_NE(text.find("             node001        Job              j0030"), std::string::npos);
}

TEST_F(ReservationText, SetresAndReleaseres) {
  expect(ReservationCreatedReply{"SYSTEM.1", 0, 3600, 2, {{"node001", 1}, {"node002", 1}}},
         "setres_s_d");
  expect(ReservationsReleasedReply{{{"amyres.0", "User", true, ""}}}, "releaseres_name");
  EXPECT_EQ(render(ReservationsReleasedReply{{{"x.0", "User", true, ""}, {"y", "", false, "no y"}}},
                   Format::text),
            "\n\nreleased User reservation 'x.0'\nERROR:    no y\n\n\n");
}

// Scripts read the lines up to the nodes; its times and notes come after these.
TEST_F(ReservationText, NotesFollowTheNodes) {
  ReservationCreatedReply reply{"r.0", 100, 200, 1, {{"n1", 1}}};
  reply.conflicts = {"job 'j' forever on n1"};
  reply.notes = {"the start lies in the past"};
  EXPECT_EQ(render(reply, Format::text),
            "reservation created\n\n\n"
            "reservation 'r.0' created on 1 node (1 task)\n"
            "n1:1\n\n"
            "begins Thu Jan  1 00:01:40 1970, ends Thu Jan  1 00:03:20 1970, duration 00:01:40\n"
            "NOTE:     the start lies in the past\n"
            "NOTE:     job 'j' forever on n1\n\n\n");
}

TEST_F(ReservationText, ADryRunListsTheJobsThatMove) {
  ReservationCreatedReply reply{"r.0", 100, 200, 1, {{"n1", 1}}};
  reply.dry_run = DryRun{100,
                         3,
                         false,
                         {{"j2", 160, 280, "amy"}, {"j1", 400, 340, "amy"}, {"j3", -2, -1, "bob"}},
                         {{"amy", 2, 1, 1, 2, 60}, {"bob", 1, 0, 1, 0, 0}}};
  EXPECT_EQ(render(reply, Format::text),
            "dry run: nothing is changed; the command would reply:\n"
            "reservation created\n\n\n"
            "reservation 'r.0' created on 1 node (1 task)\n"
            "n1:1\n\n"
            "begins Thu Jan  1 00:01:40 1970, ends Thu Jan  1 00:03:20 1970, duration 00:01:40\n"
            "\n\n\n"
            "3 of the first 3 waiting jobs would start at a different time\n\n"
            "           JobName       User       Start        Then        Shift\n\n"
            "                j2        amy    00:01:00    00:03:00    +00:02:00\n"
            "                j1        amy    00:05:00    00:04:00    -00:01:00\n"
            "                j3        bob       later       never\n\n"
            "              User     Jobs  Earlier    Later    MeanShift\n\n"
            "               amy        2        1        1    +00:00:30\n"
            "               bob        1        0        1\n");
  const ReservationsReleasedReply released{{{"r.0", "User", true, {}}}, DryRun{100, 2, true, {}}};
  EXPECT_EQ(render(released, Format::text),
            "dry run: nothing is changed; the command would reply:\n"
            "\n\nreleased User reservation 'r.0'\n\n\n\n"
            "0 of the 2 waiting jobs would start at a different time\n");
}

}  // namespace
}  // namespace maui
