// Names with blanks: in text with columns each is one word; JSON and XML show it as it is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "render/render.h"
#include "render/table.h"
#include "support/every_reply.h"

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

TEST(NamesInColumns, AResourceManagerIsShownAsItNamesItself) {
  ResourceManagerReply reply;
  ManagerDiagnosis manager;
  manager.type = "PBS (TORQUE 6.1.3)";
  reply.managers = {manager};
  EXPECT_THAT(render(reply, Format::text), HasSubstr("PBS (TORQUE 6.1.3)"));
}

TEST(NamesInColumns, ParametersStayAsMauiCfgHasThem) {
  ConfigReply reply;
  reply.parameters = {{"GROUPCFG[domain users]", "PRIORITY=1", false}};
  EXPECT_THAT(render(reply, Format::text), HasSubstr("GROUPCFG[domain users]"));
}

TEST(NamesInColumns, EveryTextIsAWordUnlessItsReplySaysThatItIsProse) {
  JobsDiagnosisReply jobs;
  jobs.verbose = true;
  JobDiagnosis job;
  job.name = "7";
  job.opsys = "Red Hat";
  job.warnings = {"it has two words"};
  jobs.jobs = {job};
  const std::string text = render(jobs, Format::text);
  EXPECT_THAT(text, HasSubstr("Red%20Hat"));
  EXPECT_THAT(text, HasSubstr("it has two words"));
}

TEST(NamesInColumns, ProseIsText) {
  const auto is_text = [](const ReplyShape& shape) {
    return shape.kind == ReplyShape::Kind::text || shape.is_list_of(ReplyShape::Kind::text);
  };
  const std::function<int(const ReplyShape&)> prose_in = [&](const ReplyShape& shape) {
    int found = shape.element == nullptr ? 0 : prose_in(*shape.element);
    for (const ReplyMember& member : shape.members) {
      EXPECT_TRUE(!member.prose || is_text(*member.shape)) << member.name;
      found += prose_in(*member.shape) + (member.prose ? 1 : 0);
    }
    return found;
  };
  int found = 0;
  test::for_each_reply([&](const Reply& reply) { found += prose_in(shape_of(reply)); });
  EXPECT_GT(found, 30);
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
