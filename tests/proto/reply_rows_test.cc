#include "proto/reply_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "proto/reply_codec.h"
#include "support/every_reply.h"

namespace maui {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

WaitingRow waiting(std::string name, std::string user, std::int64_t procs, std::int64_t priority) {
  WaitingRow row;
  row.name = std::move(name);
  row.user = std::move(user);
  row.state = "Idle";
  row.procs = procs;
  row.priority = priority;
  return row;
}

struct CountingValues {
  std::int64_t integer() { return ++count; }
  double number() { return static_cast<double>(++count) / 4; }
  std::string text() { return "text" + std::to_string(++count); }
  int count = 0;
};

QueueReply queue() {
  QueueReply reply;
  ActiveRow active;
  active.name = "r1";
  active.user = "amy";
  reply.active = {active};
  reply.idle = {waiting("a", "amy", 4, 10), waiting("b", "Bob", 8, 30), waiting("c", "amy", 4, 20)};
  return reply;
}

std::vector<std::string> chosen(const Reply& reply, const RowChoice& choice) {
  std::vector<std::string> names;
  const auto part = choose_rows(reply, choice);
  if (!part) return {"error"};
  for (const auto& row : std::get<QueueReply>(part->reply).idle) names.push_back(row.name);
  return names;
}

TEST(ReplyRowsTest, RowsComeInTheOrderOfAMember) {
  RowChoice choice;
  EXPECT_THAT(chosen(queue(), choice), ElementsAre("a", "b", "c"));
  choice.sort = {{"priority"}};
  EXPECT_THAT(chosen(queue(), choice), ElementsAre("a", "c", "b"));
  choice.sort = {{"priority", true}};
  EXPECT_THAT(chosen(queue(), choice), ElementsAre("b", "c", "a"));
  choice.sort = {{"user"}};  // Bob, amy
  EXPECT_THAT(chosen(queue(), choice), ElementsAre("b", "a", "c"));
  choice.sort = {{"user"}, {"priority", true}};
  EXPECT_THAT(chosen(queue(), choice), ElementsAre("b", "c", "a"));
}

TEST(ReplyRowsTest, RowsAreFoundByTheirMembersAndTheirText) {
  RowChoice choice;
  choice.equal = {{"user", "amy"}};
  EXPECT_THAT(chosen(queue(), choice), ElementsAre("a", "c"));
  choice.equal = {{"user", "amy"}, {"priority", "20"}};
  EXPECT_THAT(chosen(queue(), choice), ElementsAre("c"));
  choice.equal = {{"procs", "4x"}};
  EXPECT_THAT(chosen(queue(), choice), IsEmpty());
  choice.equal.clear();
  choice.containing = "bO";
  EXPECT_THAT(chosen(queue(), choice), ElementsAre("b"));
  auto long_names = queue();
  const std::string many(1000, 'x');
  long_names.idle.at(0).account = many + "Bob" + many;
  EXPECT_THAT(chosen(long_names, choice), ElementsAre("a", "b"));
}

TEST(ReplyRowsTest, AWindowOfThemIsGivenAndAllAreCounted) {
  Reply reply = queue();
  RowChoice choice;
  choice.offset = 1;
  choice.most = 1;
  const auto part = choose_rows(reply, choice);
  ASSERT_TRUE(part);
  const auto& left = std::get<QueueReply>(part->reply);
  ASSERT_EQ(left.idle.size(), 1U);
  EXPECT_EQ(left.idle[0].name, "b");
  EXPECT_TRUE(left.active.empty());
  EXPECT_THAT(encode_with_totals(encode_reply(part->reply), part->totals, choice.most),
              testing::EndsWith(
                  ",\"row_totals\":{\"active\":1,\"idle\":3,\"blocked\":0},\"row_limit\":1}"));
  choice.offset = std::numeric_limits<std::size_t>::max();
  choice.most = std::numeric_limits<std::size_t>::max();
  EXPECT_THAT(chosen(queue(), choice), IsEmpty());
}

TEST(ReplyRowsTest, AListThatLacksTheMemberIsLeftOut) {
  Reply reply = queue();
  RowChoice choice;
  choice.sort = {{"main_host"}};  // of active jobs only
  const auto part = choose_rows(reply, choice);
  ASSERT_TRUE(part);
  ASSERT_EQ(part->totals.size(), 1U);
  EXPECT_EQ(part->totals.front().list, "active");
  EXPECT_TRUE(std::get<QueueReply>(part->reply).idle.empty());
}

TEST(ReplyRowsTest, AnUnknownFieldOrListIsAnError) {
  RowChoice choice;
  choice.sort = {{"colour"}};
  const Reply reply = queue();
  const auto unsorted = choose_rows(reply, choice);
  ASSERT_FALSE(unsorted);
  EXPECT_TRUE(unsorted.error().what.starts_with(
      "no row of this reply has 'colour': expected one of name, "))
      << unsorted.error().what;
  choice = {};
  choice.list = "colours";
  const auto unlisted = choose_rows(reply, choice);
  ASSERT_FALSE(unlisted);
  EXPECT_EQ(unlisted.error().what, "this reply has no list 'colours'");
}

TEST(ReplyRowsTest, RowsAreChosenAndOrderedByAFewMembersOnly) {
  RowChoice choice;
  choice.sort.assign(kMostRowMembers, {"name"});
  choice.equal.assign(kMostRowMembers, {"user", "amy"});
  const Reply reply = queue();
  EXPECT_TRUE(choose_rows(reply, choice));
  choice.sort.push_back({"name"});
  EXPECT_FALSE(choose_rows(reply, choice)) << "each is a key of every row";
  choice.sort.clear();
  choice.equal.push_back({"user", "amy"});
  const auto refused = choose_rows(reply, choice);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what, "rows can be selected and sorted by at most 8 members");
}

TEST(ReplyRowsTest, ManyRowsAreChosenInManyStepsAndComeAsIfAllHadBeenSorted) {
  constexpr int kRows = 5000, kOffset = 700, kMost = 1500;
  QueueReply reply;
  for (int i = 0; i < kRows; ++i)
    reply.idle.push_back(
        waiting("j" + std::to_string(i), i % 3 == 0 ? "bob" : "amy", i * 7919 % 40, i));
  auto rows = reply.idle;
  std::erase_if(rows, [](const WaitingRow& row) { return row.user != "amy"; });
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.procs > b.procs; });
  RowChoice choice;
  choice.equal = {{"user", "amy"}};
  choice.sort = {{"procs", true}};
  choice.offset = kOffset;
  choice.most = kMost;
  const Reply whole = std::move(reply);
  RowSelection selection(whole, choice);
  int steps = 1;
  while (!selection.go_on([] { return true; })) ++steps;
  EXPECT_GT(steps, 10);
  const auto part = selection.take();
  ASSERT_TRUE(part);
  const auto& idle = std::get<QueueReply>(part->reply).idle;
  ASSERT_EQ(idle.size(), std::size_t{kMost});
  for (std::size_t i = 0; i < kMost; ++i) ASSERT_EQ(idle[i].name, rows[kOffset + i].name);
}

TEST(ReplyRowsTest, AReplyWithoutRowsStaysAsItIs) {
  Reply reply = ShutdownReply{5};
  RowChoice choice;
  choice.sort = {{"anything"}};
  const auto part = choose_rows(reply, choice);
  ASSERT_TRUE(part);
  EXPECT_EQ(encode_with_totals(encode_reply(part->reply), part->totals, 1), encode_reply(reply));
}

TEST(ReplyRowsTest, NumbersThatAreNoneHaveAPlaceInTheOrder) {
  IdleQueueReply queue;
  for (const double value :
       {3.0, std::nan(""), 1.0, std::numeric_limits<double>::infinity(), 2.0}) {
    queue.jobs.emplace_back();
    queue.jobs.back().xfactor = value;
    queue.jobs.back().name = std::to_string(queue.jobs.size());
  }
  Reply reply = queue;
  RowChoice choice;
  choice.sort = {{"xfactor"}};
  const auto part = choose_rows(reply, choice);
  ASSERT_TRUE(part);
  std::vector<std::string> names;
  for (const auto& row : std::get<IdleQueueReply>(part->reply).jobs) names.push_back(row.name);
  EXPECT_THAT(names, ElementsAre("2", "4", "3", "5", "1"));
}

TEST(ReplyRowsTest, WithoutAChoiceEveryReplyIsAsItWas) {
  test::for_each_reply([](Reply reply) {
    test::ReplyFiller<CountingValues>().fill(reply);
    const auto part = choose_rows(reply, {});
    ASSERT_TRUE(part);
    EXPECT_EQ(encode_reply(part->reply), encode_reply(reply));
  });
}

TEST(ReplyRowsTest, RowsWithoutAValueComeLastInEitherDirection) {
  ActiveQueueReply queue;
  queue.jobs.resize(3);
  queue.jobs[0].name = "unknown";
  for (const std::size_t i : {1U, 2U}) {
    queue.jobs[i].name = std::to_string(i);
    queue.jobs[i].expected_end = ExpectedEnd{0, 0, static_cast<std::int64_t>(i), 0};
  }
  for (const bool descending : {false, true}) {
    RowChoice choice;
    choice.sort = {{"expected_end.latest", descending}};
    const auto part = choose_rows(Reply(queue), choice);
    ASSERT_TRUE(part);
    std::vector<std::string> names;
    for (const auto& row : std::get<ActiveQueueReply>(part->reply).jobs) names.push_back(row.name);
    EXPECT_THAT(names, ElementsAre(descending ? "2" : "1", descending ? "1" : "2", "unknown"));
  }
}

TEST(ReplyRowsTest, SortKeysAreReadFromText) {
  const auto keys = parse_sort_keys("-procs,name");
  ASSERT_TRUE(keys);
  ASSERT_EQ(keys->size(), 2U);
  EXPECT_EQ((*keys)[0].member, "procs");
  EXPECT_TRUE((*keys)[0].descending);
  EXPECT_FALSE((*keys)[1].descending);
  for (const char* wrong : {"", ",", "-", "a,,b"}) EXPECT_FALSE(parse_sort_keys(wrong)) << wrong;
}

TEST(ReplyRowsTest, NoReplyHasAMemberThatIsCalledLikeTheTotals) {
  test::for_each_reply([](const Reply& reply) {
    EXPECT_THAT(encode_reply(reply), testing::Not(HasSubstr("\"row_totals\"")));
  });
}

// Against sorting all and cutting.
TEST(ReplyRowsTest, AnyWindowIsThatOfTheWholeOrder) {
  std::mt19937 random(20260802);
  for (int round = 0; round < 200; ++round) {
    QueueReply reply;
    for (auto rows = random() % 50; rows > 0; --rows)
      reply.idle.push_back(waiting("j" + std::to_string(rows), random() % 2 == 0 ? "amy" : "bob",
                                   random() % 4, random() % 5));
    RowChoice choice;
    const bool by_procs = random() % 2 == 0, descending = random() % 2 == 0;
    choice.sort = {{by_procs ? "procs" : "priority", descending}};
    choice.offset = random() % 60;
    choice.most = random() % 20;
    choice.list = "idle";
    if (random() % 2 == 0) choice.equal = {{"user", "amy"}};
    auto expected = reply.idle;
    if (!choice.equal.empty())
      std::erase_if(expected, [](const auto& row) { return row.user != "amy"; });
    const auto total = expected.size();
    std::stable_sort(expected.begin(), expected.end(), [&](const auto& a, const auto& b) {
      const auto first = by_procs ? a.procs : a.priority;
      const auto second = by_procs ? b.procs : b.priority;
      return descending ? second < first : first < second;
    });
    expected.erase(expected.begin(),
                   expected.begin() + static_cast<std::ptrdiff_t>(std::min(choice.offset, total)));
    expected.resize(std::min(expected.size(), choice.most));
    const auto part = choose_rows(reply, choice);
    ASSERT_TRUE(part);
    EXPECT_EQ(part->totals.front().rows, total);
    EXPECT_EQ(std::get<QueueReply>(part->reply).idle, expected);
  }
}

}  // namespace
}  // namespace maui
