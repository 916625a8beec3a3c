// Names with blanks: in text with columns each is one word; JSON and XML show it as it is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/render.h"
#include "render/table.h"

namespace maui {
namespace {

using testing::HasSubstr;
using testing::Not;

StateReply state() {
  StateReply reply;
  reply.jobs = {{"7", "Running", "amy lee", "domain users", 2}};
  return reply;
}

TEST(NamesInColumns, ABlankDoesNotShiftTheColumnsBehind) {
  const std::string text = render(state(), Format::text);
  EXPECT_THAT(text, HasSubstr(" amy%20lee domain%20users "));
  EXPECT_THAT(text, Not(HasSubstr("domain users")));
}

TEST(NamesInColumns, APercentSignIsUnambiguous) {
  StateReply reply = state();
  reply.jobs[0].group = "a%20b";
  EXPECT_THAT(render(reply, Format::text), HasSubstr(" a%2520b "));
}

TEST(NamesInColumns, SoItIsInTablesOfChosenColumns) {
  TableChoice choice;
  choice.columns = {"group", "name"};
  const auto table = as_table(state(), choice, false);
  ASSERT_TRUE(table);
  EXPECT_THAT(*table, HasSubstr("domain%20users  7"));
}

TEST(NamesInColumns, TheNamesOfFairshareAndStatisticsAreWordsToo) {
  FairshareReply fairshare;
  FairshareRow row;
  row.name = "domain users";
  fairshare.tables = {{"GROUP", {row}}};
  EXPECT_THAT(render(fairshare, Format::text), HasSubstr("domain%20users"));
  CredentialStatisticsReply statistics;
  statistics.rows = {{"domain users"}};
  EXPECT_THAT(render(statistics, Format::text), HasSubstr("domain%20users"));
}

TEST(NamesInColumns, ReasonsKeepTheirBlanks) {
  BlockedQueueReply reply;
  reply.jobs = {{"7", "amy lee", "violates a limit of group domain users"}};
  EXPECT_THAT(render(reply, Format::text),
              HasSubstr("amy%20lee violates a limit of group domain users"));
}

TEST(NamesInColumns, ParametersStayAsMauiCfgHasThem) {
  ConfigReply reply;
  reply.parameters = {{"GROUPCFG[domain users]", "PRIORITY=1", false}};
  EXPECT_THAT(render(reply, Format::text), HasSubstr("GROUPCFG[domain users]"));
}

TEST(NamesInColumns, JsonAndXmlShowTheTrueName) {
  EXPECT_THAT(render(state(), Format::json), HasSubstr("domain users"));
  EXPECT_THAT(render(state(), Format::xml), HasSubstr("Group=\"domain users\""));
}

TEST(RefusalText, EachRefusedItemHasItsOwnMark) {
  EXPECT_EQ(render(Refusal{"cannot locate job 'a'\ncannot locate job 'b'"}, Format::text),
            "ERROR:    cannot locate job 'a'\nERROR:    cannot locate job 'b'\n");
}

}  // namespace
}  // namespace maui
