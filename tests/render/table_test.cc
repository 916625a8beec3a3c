#include "render/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "proto/reply_codec.h"
#include "render/scenario.h"
#include "support/every_reply.h"

namespace maui {
namespace {

using namespace scenario;
using testing::HasSubstr;

WaitingRow waiting(std::string name, std::int64_t procs, std::int64_t limit = 3600) {
  WaitingRow row;
  row.name = std::move(name);
  row.user = "ann";
  row.state = "Idle";
  row.procs = procs;
  row.limit = limit;
  row.queued = kNow;
  return row;
}

QueueReply queue() {
  QueueReply reply;
  reply.idle = {waiting("b", 8), waiting("c", 16, -1), waiting("a", 8)};
  return reply;
}

std::string table(const Reply& reply, const TableChoice& choice, bool colour = false) {
  auto text = as_table(reply, choice, colour);
  EXPECT_TRUE(text) << text.error().what;
  return text ? *text : "";
}

TableChoice columns(std::vector<std::string> names) {
  TableChoice choice;
  choice.columns = std::move(names);
  return choice;
}

TEST(Tables, HaveTheColumnsThatAreWantedAsWideAsTheirWidestCell) {
  BlockedQueueReply reply;
  BlockedRow row;
  row.name = "a-name-of-some-length";
  row.procs = 4;
  row.limit = 90;
  reply.jobs = {row};
  EXPECT_EQ(table(reply, columns({"procs", "name", "limit"})),
            "PROCS  NAME                      LIMIT\n"
            "    4  a-name-of-some-length  00:01:30\n");
}

TEST(Tables, ShowTheListsThatHaveAColumnWithTheirTitles) {
  auto text = table(queue(), columns({"name", "limit"}));
  EXPECT_THAT(text, HasSubstr("idle:\nNAME     LIMIT\nb      1:00:00\nc     INFINITY\n"));
  EXPECT_THAT(text, HasSubstr("active:\nNAME  LIMIT\n"));
  text = table(queue(), columns({"remaining"}));
  EXPECT_EQ(text, "active:\nREMAINING\n") << "what waits has no such column";
}

TEST(Tables, AreSortedByKeysInTurnUpwardsOrDownwards) {
  TableChoice choice = columns({"name", "procs"});
  choice.sort = {{"procs", true}, {"name", false}};
  EXPECT_THAT(table(queue(), choice),
              HasSubstr("NAME  PROCS\nc        16\na         8\nb         8\n"));
}

TEST(Tables, PutWhatIsNotKnownLastInEitherDirection) {
  ActiveQueueReply reply;
  ActiveDetail known, unknown;
  known.name = "known";
  known.expected_end = ExpectedEnd{kNow, kNow, kNow, 3};
  unknown.name = "unknown";
  reply.jobs = {unknown, known};
  TableChoice choice = columns({"name", "expected_end.similar"});
  for (const bool descending : {false, true}) {
    choice.sort = {{"expected_end.similar", descending}};
    EXPECT_EQ(table(reply, choice),
              "NAME     EXPECTED_END.SIMILAR\n"
              "known                       3\n"
              "unknown  -\n");
  }
}

TEST(Tables, SayHowManyRowsAreLeftOut) {
  TableChoice choice = columns({"name"});
  choice.limit = 1;
  EXPECT_THAT(table(queue(), choice), HasSubstr("NAME\nb\n... and 2 more\n"));
}

TEST(Tables, ListTheirColumnsAlsoWhereTheyAreEmpty) {
  TableChoice choice;
  choice.list_columns = true;
  const auto text = table(QueueReply{}, choice);
  EXPECT_THAT(text, HasSubstr("active: name user group account job_class qos state procs"));
  EXPECT_THAT(text, HasSubstr("\nidle: name user"));
}

TEST(Tables, RefuseColumnsThatNoListHas) {
  auto text = as_table(queue(), columns({"colour"}));
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().what, "unknown column 'colour': --columns help shows all");
  TableChoice choice;
  choice.sort = {{"colour", false}};
  text = as_table(queue(), choice);
  ASSERT_FALSE(text);
  EXPECT_TRUE(
      text.error().what.starts_with("no row of this reply has 'colour': expected one of name, "))
      << text.error().what;
}

TEST(Tables, AreRefusedOfAnswersWithoutLists) {
  EXPECT_FALSE(as_table(StatisticsReply{}, columns({"name"})));
}

struct AnyValue {
  std::int64_t integer() const { return 3; }
  double number() const { return 0.5; }
  std::string text() const { return "x"; }
};

TEST(Tables, EveryReplyHasItsUsualColumns) {
  int tables = 0;
  test::for_each_reply([&](Reply reply) {
    test::ReplyFiller(AnyValue{}).fill(reply);
    TableChoice choice;
    choice.limit = 1;
    const auto text = as_table(reply, choice);
    if (!text) return;
    ++tables;
    EXPECT_THAT(*text, HasSubstr("... and 1 more\n")) << reply_kind(reply);
    EXPECT_THAT(*text, testing::Not(HasSubstr("?"))) << reply_kind(reply);
  });
  EXPECT_GT(tables, 15);
}

TEST(Tables, AreColouredOnlyIfThatIsWanted) {
  BlockedQueueReply reply;
  BlockedRow row;
  row.name = "a";
  row.state = "Deferred";
  reply.jobs = {row};
  EXPECT_EQ(table(reply, columns({"name", "state"}), true),
            "\x1b[1mNAME\x1b[0m  \x1b[1mSTATE\x1b[0m\na     \x1b[33mDeferred\x1b[0m\n");
  EXPECT_EQ(table(reply, columns({"name", "state"})), "NAME  STATE\na     Deferred\n");
}

TEST(Tables, ShowNoControlCharactersOfOthers) {
  BlockedQueueReply reply;
  BlockedRow row;
  row.name = "a\x1b[2Jb";
  reply.jobs = {row};
  EXPECT_EQ(table(reply, columns({"name"})), "NAME\na?[2Jb\n");
}

}  // namespace
}  // namespace maui
