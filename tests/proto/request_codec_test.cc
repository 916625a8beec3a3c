#include "proto/request_codec.h"

#include <gtest/gtest.h>

#include <random>

namespace maui {
namespace {

TEST(RequestCodecTest, ComesBackAsItWentButForUserAndHost) {
  CommandRequest request;
  request.command = "showres";
  request.user = "amy";
  request.host = "there";
  request.group = "staff";
  request.flags = {{"n", ""}, {"f", "a:b"}, {"f", "c"}};
  request.operands = {"amy.0", "", "a \"quoted\" \\ word\n"};
  const auto back = decode_request(encode_request(request, "1"));
  ASSERT_TRUE(back) << back.error().what;
  EXPECT_EQ(back->command, request.command);
  EXPECT_EQ(back->group, request.group);
  EXPECT_EQ(back->flags, request.flags);
  EXPECT_EQ(back->operands, request.operands);
  EXPECT_EQ(back->user, "") << "only the server knows who asks";
  EXPECT_EQ(back->host, "");
}

TEST(RequestCodecTest, TheNonceMakesEqualRequestsDiffer) {
  CommandRequest request;
  request.command = "showq";
  EXPECT_NE(encode_request(request, "1"), encode_request(request, "2"));
}

TEST(RequestCodecTest, BytesThatAreNoTextDoNotStopAClient) {
  CommandRequest request;
  request.command = "checkjob";
  request.operands = {"\xff\xfe"};
  EXPECT_TRUE(decode_request(encode_request(request, "1")));
}

TEST(RequestCodecTest, RefusesWhatIsNoRequest) {
  const char* cases[] = {"",
                         "showq",
                         "[]",
                         "{}",
                         R"({"command":""})",
                         R"({"command":1})",
                         R"({"command":"showq","flags":{}})",
                         R"({"command":"showq","flags":[["i"]]})",
                         R"({"command":"showq","flags":[["i",1]]})",
                         R"({"command":"showq","operands":[1]})",
                         R"({"command":"showq","operands":"x"})",
                         R"({"command":"showq","group":[]})",
                         "{\"command\":\"\xff\"}"};
  for (const char* text : cases) {
    const auto request = decode_request(text);
    ASSERT_FALSE(request) << text;
    EXPECT_EQ(request.error().what.rfind("malformed request: ", 0), 0u) << text;
  }
}

TEST(RequestCodecTest, RefusesMoreWordsThanACommandHas) {
  const auto why_not = [](const CommandRequest& request) {
    const auto decoded = decode_request(encode_request(request, "n"));
    return decoded ? std::string("(taken)") : decoded.error().what;
  };
  CommandRequest many{"canceljob", {}, {}, {}, {}, std::vector<std::string>(10000, "x:a")};
  EXPECT_EQ(why_not(many), "(taken)");
  many.operands.emplace_back("b");
  EXPECT_EQ(why_not(many), "canceljob: more than 10000 operands; give them in parts");
  CommandRequest flags{"showq", {}, {}, {}, {}, {}};
  for (int i = 0; i < 101; ++i) flags.flags.emplace("w", "user=amy");
  EXPECT_EQ(why_not(flags), "showq: more than 100 flags");
  const CommandRequest word{"setres", {}, {}, {}, {}, {std::string(65537, 'n')}};
  EXPECT_EQ(why_not(word), "setres: a word has more than 65536 characters");
}

TEST(RequestCodecTest, DeepNestingIsRefusedAndNotFollowed) {
  EXPECT_FALSE(decode_request(std::string(1000000, '[')));
  const auto with = [](const std::string& value) {
    return decode_request(R"({"command":"showq","later":)" + value + "}");
  };
  EXPECT_TRUE(with(R"({"a":[1,{"b":null}],"c":"d"})")) << "of a client that knows more";
  EXPECT_FALSE(with(std::string(1000, '[') + std::string(1000, ']')));
}

TEST(RequestCodecTest, MoreValuesThanARequestHasAreNotReadOn) {
  std::string many = R"({"command":"showq","later":[0)";
  for (int i = 0; i < 20000; ++i) many += ",0";
  const auto request = decode_request(many + "]}");
  ASSERT_FALSE(request);
  EXPECT_EQ(request.error().what, "malformed request: too many values");
}

TEST(RequestCodecTest, TheLastOfRepeatedMembersCounts) {
  const auto request = decode_request(
      R"({"operands":["a"],"flags":[["i",""]],"command":"x","command":"showq","operands":["b"],"flags":[]})");
  ASSERT_TRUE(request) << request.error().what;
  EXPECT_EQ(request->command, "showq");
  EXPECT_EQ(request->operands, std::vector<std::string>{"b"});
  EXPECT_TRUE(request->flags.empty());
}

TEST(RequestCodecTest, SurvivesDamagedRequests) {
  CommandRequest request;
  request.command = "showq";
  request.flags = {{"i", ""}};
  const auto good = encode_request(request, "1");
  std::mt19937 random(11);
  int still_good = 0;
  for (int round = 0; round < 5000; ++round) {
    auto text = good;
    text[random() % text.size()] = static_cast<char>(random());
    text.resize(text.size() - random() % 3);
    if (decode_request(text)) ++still_good;
  }
  EXPECT_LT(still_good, 5000);
}

}  // namespace
}  // namespace maui
