#include "rm/wiki_record.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "rm/recordings.h"
#include "rm/wiki_message.h"

namespace maui {
namespace {

using Attributes = std::vector<std::pair<std::string, std::string>>;

WikiRecords records_of(std::string_view data) {
  auto found = read_wiki_records(data);
  EXPECT_TRUE(found) << found.error().what;
  return found ? *std::move(found) : WikiRecords{};
}

TEST(WikiRecordTest, AListIsACountAndItsRecords) {
  const auto found = records_of("2#n1:STATE=Idle;CPROC=4;#n2:STATE=Down;");
  ASSERT_EQ(found.records.size(), 2u);
  EXPECT_EQ(found.records[0]->id, "n1");
  EXPECT_EQ(found.records[0]->attributes, (Attributes{{"STATE", "Idle"}, {"CPROC", "4"}}));
  EXPECT_EQ(*found.records[1]->find("STATE"), "Down");
  EXPECT_TRUE(found.problems.empty());
  EXPECT_TRUE(records_of("0#").records.empty());
}

TEST(WikiRecordTest, TheLastSemicolonMayBeMissing) {
  const auto found = records_of("2#n1:A=1;B=2#n2:A=3");
  ASSERT_EQ(found.records.size(), 2u);
  EXPECT_EQ(found.records[0]->attributes, (Attributes{{"A", "1"}, {"B", "2"}}));
  EXPECT_EQ(*found.records[1]->find("A"), "3");
}

TEST(WikiRecordTest, ABackslashTakesMarksTheirMeaning) {
  const auto found = records_of(R"(1#a\:b:EXEC=/x\;y\#z;L=p\:q:r;)");
  ASSERT_EQ(found.records.size(), 1u);
  EXPECT_EQ(found.records[0]->id, "a:b");
  EXPECT_EQ(wiki_text(*found.records[0]->find("EXEC")), "/x;y#z");
  EXPECT_EQ(wiki_list(*found.records[0]->find("L")), (std::vector<std::string>{"p:q", "r"}));
  EXPECT_EQ(wiki_text(R"(c:\dir\\x)"), R"(c:\dir\x)");
}

TEST(WikiRecordTest, QuotesKeepMarksWithinThem) {
  const auto found = records_of(R"(1#7:CAT="a;b#c";NAME="wrap";BAD="open;X=1;)");
  ASSERT_EQ(found.records.size(), 1u);
  EXPECT_EQ(wiki_text(*found.records[0]->find("CAT")), "a;b#c");
  EXPECT_EQ(wiki_text(*found.records[0]->find("NAME")), "wrap");
  EXPECT_EQ(*found.records[0]->find("BAD"), "\"open");
  EXPECT_EQ(*found.records[0]->find("X"), "1");
}

TEST(WikiRecordTest, ReportsAWrongCountAndUsesTheList) {
  const auto found = records_of("3#n1:A=1;#n2:A=2;");
  EXPECT_EQ(found.records.size(), 2u);
  ASSERT_EQ(found.problems.size(), 1u);
  EXPECT_EQ(found.problems[0], "received 2 records, 3 were announced");
}

TEST(WikiRecordTest, RefusesAnInvalidList) {
  for (const char* data : {"", "hello", "#n1:A=1;", "-1#", "x#n1:A=1;"})
    EXPECT_FALSE(read_wiki_records(data)) << data;
}

TEST(WikiRecordTest, ReportsUnusableAttributesAndRecords) {
  EXPECT_EQ(records_of("1#n1:STATE;A=1;").problems.at(0),
            "n1: invalid attribute 'STATE': expected NAME=VALUE");
  EXPECT_EQ(records_of("1#:A=1;").problems.at(0), "a record without a name was ignored");
}

TEST(WikiRecordTest, ARecordWithAVeryLongNameIsIgnored) {
  const std::string longest(1024, 'n');
  const auto found = records_of("2#" + longest + ":STATE=Idle;#" + longest + "n:STATE=Idle;");
  ASSERT_EQ(found.records.size(), 1U);
  EXPECT_EQ(found.records[0]->id, longest);
  EXPECT_EQ(found.problems.at(0), "a record with a name of more than 1024 bytes was ignored: '" +
                                      std::string(40, 'n') + "...'");
}

TEST(WikiRecordTest, AsManyAreReadAtOnceAsBeginWithinSomeBytes) {
  const std::string data = "3#a:A=1;#b:B=2;#c:C=3;";
  auto reader = WikiRecordReader::of(data);
  ASSERT_TRUE(reader);
  EXPECT_FALSE(reader->read(10, 8));
  EXPECT_EQ(reader->found().records.size(), 2u);
  EXPECT_TRUE(reader->read(10, 8));
  EXPECT_EQ(reader->found().records.size(), 3u);
  EXPECT_TRUE(reader->found().problems.empty());
}

TEST(WikiRecordTest, ANewerRecordReplacesTheAttributesThatItHas) {
  WikiRecord known{"7", {{"STATE", "Idle"}, {"TASKS", "2"}}};
  known.merge({"7", {{"STATE", "Running"}, {"TASKLIST", "n1:n1"}}});
  EXPECT_EQ(known.attributes,
            (Attributes{{"STATE", "Running"}, {"TASKS", "2"}, {"TASKLIST", "n1:n1"}}));
}

TEST(WikiRecordTest, EscapedTextReadsBackUnchanged) {
  for (const std::string text : {"plain", "a;b#c:d\\e", "\"quoted\"", "\\", "#", "x=\"y\""}) {
    const auto found = records_of(write_wiki_records(
        std::vector{write_wiki(WikiRecord{"id#" + text, {{"V", wiki_escaped(text)}}})}));
    ASSERT_EQ(found.records.size(), 1u) << text;
    EXPECT_EQ(found.records[0]->id, "id#" + text);
    EXPECT_EQ(wiki_text(*found.records[0]->find("V")), text);
  }
}

TEST(WikiRecordTest, RecordedListsAreWrittenAsTheyCame) {
  int lists = 0;
  for (const char* file : {"wiki_noauth.log", "slurm-wiki.txt", "slurm-wiki2.txt"})
    for (const auto& [request, reply] : recording(file)) {
      const auto answer = read_wiki_reply(open_wiki(content_of(reply), std::nullopt)->body);
      if (!answer || !answer->data) continue;
      const auto found = records_of(answer->text);
      EXPECT_TRUE(found.problems.empty()) << found.problems.front();
      std::vector<std::string> again;
      for (const auto& record : found.records) again.push_back(write_wiki(*record));
      EXPECT_EQ(write_wiki_records(again), answer->text);
      ++lists;
    }
  EXPECT_GT(lists, 20);
}

// Each attribute is looked for among all, and each problem is longer than what causes it.
TEST(WikiRecordTest, KeepsALimitedNumberOfAttributesAndProblems) {
  std::string text = "2#n1:STATE=Idle;";
  for (int i = 0; i < 100'000; ++i) text += fmt::format("A{}=1;", i);
  text += "#n2:STATE=Busy;";
  for (int i = 0; i < 100'000; ++i) text += "x;";
  const auto found = records_of(text + "LAST=1;");
  ASSERT_EQ(found.records.size(), 2U);
  EXPECT_EQ(found.records[0]->attributes.size(), 250U);
  EXPECT_EQ(*found.records[0]->find("STATE"), "Idle");
  EXPECT_EQ(*found.records[1]->find("LAST"), "1") << "what is right counts";
  ASSERT_EQ(found.problems.size(), 100U);
  EXPECT_EQ(found.problems.front(), "n1: more than 250 attributes; the others are ignored");
}

}  // namespace
}  // namespace maui
