#include "rm/wiki_message.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "base/text.h"
#include "rm/recordings.h"
#include "rm/wiki_checksum.h"

namespace maui {
namespace {

const WikiSeal kSeal{12345, "root"};

TEST(WikiChecksumTest, IsThatOfThePublishedVectors) {
  std::ifstream in(MAUI_TEST_DATA "/wiki/checksum-vectors.txt");
  int vectors = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    const auto fields = split(line, '|');
    ASSERT_EQ(fields.size(), 4u) << line;
    const auto text = fields[1].substr(1, fields[1].size() - 2);
    const auto key = parse_wiki_key(trimmed(fields[0]));
    ASSERT_TRUE(key) << line;
    EXPECT_EQ(crc16(text), std::stoi(std::string(trimmed(fields[2])), nullptr, 16)) << line;
    EXPECT_EQ(wiki_checksum(text, *key), trimmed(fields[3])) << line;
    ++vectors;
  }
  EXPECT_EQ(vectors, 7);
}

// Bit by bit, as the checksum is defined.
std::uint16_t slow_crc16(std::string_view text) {
  unsigned crc = 0;
  for (const char c : text) {
    crc ^= static_cast<unsigned>(static_cast<unsigned char>(c)) << 8;
    for (int bit = 0; bit < 8; ++bit) crc = crc << 1 ^ ((crc & 0x8000u) != 0 ? 0x11021u : 0u);
  }
  return static_cast<std::uint16_t>(crc);
}

TEST(WikiChecksumTest, IsThatOfEachBitHoweverLongTheText) {
  std::string text;
  for (int i = 0; i < 600; ++i) {
    ASSERT_EQ(crc16(text), slow_crc16(text)) << i << " bytes";
    text += static_cast<char>(i * 7 + i / 256);
  }
}

TEST(WikiChecksumTest, AKeyIsDecimalHexadecimalOrOctal) {
  EXPECT_EQ(parse_wiki_key("12345"), 12345u);
  EXPECT_EQ(parse_wiki_key("0x10"), 16u);
  EXPECT_EQ(parse_wiki_key("010"), 8u);
  EXPECT_EQ(parse_wiki_key("0"), 0u);
  EXPECT_EQ(parse_wiki_key("4294967296"), 0u);
  EXPECT_FALSE(parse_wiki_key("secret"));
  EXPECT_FALSE(parse_wiki_key(""));
  EXPECT_FALSE(parse_wiki_key("089"));
}

TEST(WikiMessageTest, FramesOfRelease33AreWrittenByteForByte) {
  int frames = 0;
  for (const auto& [request, reply] : recording("wiki_bytes_checksum.log")) {
    const auto asked = open_wiki(content_of(request), kSeal);
    ASSERT_TRUE(asked) << asked.error().what;
    const auto read = read_wiki_request(asked->body);
    ASSERT_TRUE(read) << read.error().what;
    EXPECT_EQ(wiki_frame(write_wiki(*read), WikiSeal{12345, asked->user}, *asked->sent), request);
    const auto answered = open_wiki(content_of(reply), kSeal);
    ASSERT_TRUE(answered) << answered.error().what;
    const auto answer = read_wiki_reply(answered->body);
    ASSERT_TRUE(answer) << answer.error().what;
    EXPECT_EQ(wiki_frame(write_wiki(*answer), kSeal, *answered->sent), reply);
    ++frames;
  }
  EXPECT_GT(frames, 30);
}

TEST(WikiMessageTest, WithoutAChecksumAFrameHoldsTheBodyAlone) {
  for (const auto& [request, reply] : recording("wiki_noauth.log")) {
    const auto asked = open_wiki(content_of(request), std::nullopt);
    ASSERT_TRUE(asked);
    const auto read = read_wiki_request(asked->body);
    ASSERT_TRUE(read) << read.error().what;
    EXPECT_EQ(wiki_frame(write_wiki(*read), std::nullopt, Time(0)), request);
    const auto answer = read_wiki_reply(open_wiki(content_of(reply), std::nullopt)->body);
    ASSERT_TRUE(answer) << answer.error().what;
    EXPECT_EQ(wiki_frame(write_wiki(*answer), std::nullopt, Time(0)), reply);
  }
}

TEST(WikiMessageTest, RepliesWithACountedNulAreOpened) {
  for (const char* file : {"slurm-wiki.txt", "slurm-wiki2.txt"})
    for (const auto& [request, reply] : recording(file)) {
      ASSERT_TRUE(reply.ends_with('\0'));
      const auto opened = open_wiki(content_of(reply), WikiSeal{1234, "root"});
      ASSERT_TRUE(opened) << file << ": " << opened.error().what;
      EXPECT_TRUE(read_wiki_reply(opened->body)) << reply;
    }
}

TEST(WikiMessageTest, AWrongOrMissingChecksumIsRefused) {
  const auto frame = wiki_frame("CMD=GETJOBS ARG=0:ALL", kSeal, Time(1000));
  EXPECT_TRUE(open_wiki(content_of(frame), kSeal));
  EXPECT_FALSE(open_wiki(content_of(frame), WikiSeal{12346, "root"}));
  EXPECT_FALSE(open_wiki("CMD=GETJOBS ARG=0:ALL", kSeal));
  EXPECT_FALSE(open_wiki("CK=0123456789abcdef", kSeal));
  auto damaged = frame;
  damaged[damaged.size() - 1] = 'X';
  EXPECT_FALSE(open_wiki(content_of(damaged), kSeal));
  // Without a key the body is taken as it is.
  EXPECT_EQ(open_wiki(content_of(frame), std::nullopt)->body, "CMD=GETJOBS ARG=0:ALL");
}

TEST(WikiMessageTest, ARequestIsACommandAnArgumentAndOptions) {
  const auto request = read_wiki_request("CMD=STARTJOB ARG=wj.1 TASKLIST=nd4:nd4");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->command, "STARTJOB");
  EXPECT_EQ(request->argument, "wj.1");
  EXPECT_EQ(request->option("TASKLIST"), "nd4:nd4");
  EXPECT_EQ(request->option("TYPE"), "");
}

TEST(WikiMessageTest, AnOptionWithBlanksStandsInQuotes) {
  const WikiRequest request{"MODIFYJOB", "7", {{"COMMENT", "a b"}, {"NODES", "2"}}};
  EXPECT_EQ(write_wiki(request), "CMD=MODIFYJOB ARG=7 COMMENT=\"a b\" NODES=2");
  EXPECT_EQ(*read_wiki_request(write_wiki(request)), request);
}

TEST(WikiMessageTest, AListOfOptionsMayBeTheArgument) {
  const auto request = read_wiki_request("CMD=INITIALIZE ARG=USEHOSTEXP=N EPORT=15017");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->argument, "USEHOSTEXP=N");
  EXPECT_EQ(request->option("EPORT"), "15017");
}

// The first servers of Slurm's sched/wiki take all behind TASKLIST= for names of nodes.
TEST(WikiMessageTest, TheGenerationOfTheLeaseStandsRightBehindTheArgument) {
  WikiRequest request{"STARTJOB", "7", {{"TASKLIST", "n1:n1"}}};
  EXPECT_EQ(write_wiki(request), "CMD=STARTJOB ARG=7 TASKLIST=n1:n1");
  request.generation = 12;
  EXPECT_EQ(write_wiki(request), "CMD=STARTJOB ARG=7 GENERATION=12 TASKLIST=n1:n1");
  const auto read = read_wiki_request(write_wiki(request));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, request);
  EXPECT_EQ(read_wiki_request("CMD=STARTJOB ARG=7 TASKLIST=n1:n1 GENERATION=12")->generation, 12);
  for (const char* wrong : {"0", "-1", "new", ""})
    EXPECT_FALSE(read_wiki_request(fmt::format("CMD=STARTJOB ARG=7 GENERATION={}", wrong)))
        << wrong;
}

TEST(WikiMessageTest, TheChecksumCoversTheGeneration) {
  const WikiSeal seal{12345};
  auto content =
      wiki_frame("CMD=CANCELJOB ARG=7 GENERATION=6 TYPE=ADMIN", seal, Time(1000)).substr(9);
  EXPECT_TRUE(open_wiki(content, seal));
  content[content.find("N=6") + 2] = '8';
  EXPECT_FALSE(open_wiki(content, seal));
}

TEST(WikiMessageTest, ARequestWithoutCommandOrArgumentIsRefused) {
  EXPECT_EQ(read_wiki_request("FOO=1").error().what, "request lacks CMD");
  EXPECT_EQ(read_wiki_request("CMD=GETJOBS").error().what, "GETJOBS lacks ARG");
  EXPECT_FALSE(read_wiki_request(""));
}

TEST(WikiMessageTest, ARepliesWordsGoToItsEnd) {
  EXPECT_EQ(*read_wiki_reply("SC=-912 RESPONSE=Could not start job 4(o1): ARG=x Dependency"),
            (WikiReply{-912, "Could not start job 4(o1): ARG=x Dependency", false}));
  EXPECT_EQ(*read_wiki_reply("SC=-1 RSP=no"), (WikiReply{-1, "no", false}));
  EXPECT_EQ(*read_wiki_reply("SC=0"), (WikiReply{0, "", false}));
  EXPECT_EQ(*read_wiki_reply("SC=0 ARG=0#"), (WikiReply{0, "0#", true}));
}

TEST(WikiMessageTest, ClassifiesRefusalsByObstacle) {
  EXPECT_EQ(obstacle_of(kWikiNotNow), Obstacle::passes);
  EXPECT_EQ(obstacle_of(-920, "Licenses"), Obstacle::passes);
  EXPECT_EQ(obstacle_of(-912, "Dependency"), Obstacle::others);
  EXPECT_EQ(obstacle_of(-925, "ReqNodeNotAvail"), Obstacle::there);
  EXPECT_EQ(obstacle_of(-930, "BadConstraints"), Obstacle::there);
  EXPECT_EQ(obstacle_of(-948, "DependencyNeverSatisfied"), Obstacle::stays);
  EXPECT_EQ(obstacle_of(-948, "DependencyNeverSatisfied", true), Obstacle::others);
  EXPECT_EQ(obstacle_of(-931, "SystemFailure"), Obstacle::unknown);
  EXPECT_EQ(obstacle_of(-700, "TASKLIST includes non-responsive node"), Obstacle::there);
  EXPECT_EQ(obstacle_of(-700, "Invalid TASKLIST"), Obstacle::unknown);
  EXPECT_EQ(obstacle_of(-910, "Could not start job 4(n[2-3]): None"), Obstacle::there);
  EXPECT_EQ(obstacle_of(-909, "no such reason"), Obstacle::unknown);
  EXPECT_EQ(obstacle_of(-913, "Could not start job 4: Resources"), Obstacle::there);
}

TEST(WikiMessageTest, ARefusalThatConcernsTheServerPasses) {
  EXPECT_EQ(obstacle_of(-140, "the server is starting"), Obstacle::passes);
  EXPECT_EQ(obstacle_of(-350, "the clocks differ"), Obstacle::passes);
  EXPECT_EQ(obstacle_of(-422, "wrong checksum"), Obstacle::passes);
}

TEST(WikiMessageTest, ReasonsWithoutAFixedNumberGoByTheirNames) {
  EXPECT_EQ(obstacle_of(-981, "Could not start job 4(n1): JobArrayTaskLimit"), Obstacle::array);
  EXPECT_EQ(obstacle_of(-960, "Could not start job 4(n1): QOSMaxJobsPerUserLimit"),
            Obstacle::passes);
  EXPECT_EQ(obstacle_of(-961, "Could not start job 4(n1): AssocMaxCpuPerJobLimit"),
            Obstacle::stays);
  EXPECT_EQ(obstacle_of(-700, ""), Obstacle::unknown);
}

TEST(WikiMessageTest, RefusesAnInvalidReply) {
  for (const char* body : {"", "hello", "SC=", "SC=x ARG=1#", "ARG=0#"})
    EXPECT_FALSE(read_wiki_reply(body)) << body;
}

}  // namespace
}  // namespace maui
