#include "proto/reply_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "proto/reply_fields.h"
#include "support/every_reply.h"

namespace maui {

/// Stands for a value of any type where none is ever made.
struct Anything {
  template <class T>
  operator T() const;
};

namespace {

using testing::StartsWith;

/// Values that no other member has.
class OwnValues {
 public:
  std::int64_t integer() { return -1000 + ++count_; }
  double number() { return 0.1 * static_cast<double>(++count_); }
  std::string text() { return "text \"" + std::to_string(++count_) + "\"\n\\ \xC3\xA9"; }

 private:
  int count_ = 0;
};
using Filler = test::ReplyFiller<OwnValues>;

template <class T, class... Args>
constexpr std::size_t members() {
  if constexpr (requires { T{std::declval<Args>()..., Anything()}; })
    return members<T, Args..., Anything>();
  else
    return sizeof...(Args);
}

template <class T>
void expect_all_members_named() {
  std::size_t named = 0;
  T value;
  visit_fields(value, [&](std::string_view, auto& member) {
    ++named;
    using Member = std::remove_reference_t<decltype(member)>;
    if constexpr (requires { typename Member::value_type::value_type; })
      return;
    else if constexpr (requires { requires std::is_aggregate_v<typename Member::value_type>; })
      expect_all_members_named<typename Member::value_type>();
    else if constexpr (std::is_aggregate_v<Member>)
      expect_all_members_named<Member>();
  });
  EXPECT_EQ(named, members<T>()) << typeid(T).name();
}

std::string sample(std::size_t kind) {
  Reply reply = empty_reply(kind);
  Filler().fill(reply);
  return encode_reply(reply);
}

TEST(ReplyCodec, EveryReplyComesBackAsItWas) {
  test::for_each_reply([](Reply reply) {
    EXPECT_EQ(decode_reply(encode_reply(reply)).value(), reply);
    Filler().fill(reply);
    const std::string text = encode_reply(reply);
    const auto back = decode_reply(text);
    ASSERT_TRUE(back) << back.error().what << "\n" << text;
    EXPECT_EQ(*back, reply) << text;
  });
}

TEST(ReplyCodec, ALongReplyIsEncodedSomeRowsAtATime) {
  QueueReply queue;
  queue.active.resize(1000);
  queue.blocked.resize(10'000);
  const Reply reply(std::move(queue));
  ReplyEncoder encoder(reply);
  int slices = 1;
  while (!encoder.go_on([] { return true; })) ++slices;
  EXPECT_GT(slices, 50);
  EXPECT_EQ(encoder.take(), encode_reply(reply));
}

TEST(ReplyCodec, InSlicesEveryReplyIsTheSame) {
  test::for_each_reply([](Reply reply) {
    Filler().fill(reply);
    ReplyEncoder encoder(reply);
    while (!encoder.go_on([] { return true; })) {
    }
    EXPECT_EQ(decode_reply(encoder.take()).value(), reply);
  });
}

TEST(ReplyCodec, EveryMemberOfEveryReplyTravels) {
  []<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
    (expect_all_members_named<std::variant_alternative_t<kIndex, AnyReply>>(), ...);
  }
  (std::make_index_sequence<std::variant_size_v<AnyReply>>());
}

TEST(ReplyCodec, NamesAreThoseOfTheStructs) {
  EXPECT_EQ(encode_reply(Refusal{"no"}), R"({"reply":"refusal","reason":"no"})");
  EXPECT_EQ(encode_reply(StopReply{21, 60, true}),
            R"({"reply":"stop","iteration":21,"seconds":60,"ignore_clients":true})");
  EXPECT_EQ(encode_reply(JobsReply{JobAction::holds_set, {"User"}, {{"j1", true, ""}}}),
            R"({"reply":"jobs","action":"holds_set","holds":["User"],)"
            R"("jobs":[{"name":"j1","done":true,"reason":""}],"command":"","dry_run":null})");
}

TEST(ReplyCodec, MembersOfALaterReleaseAreSkipped) {
  const auto reply = decode_reply(
      R"({"reply":"stop","new":{"a":[1,-2.5e3,"x",null,{"b":false}]},"iteration":7,"more":[]})");
  ASSERT_TRUE(reply) << reply.error().what;
  EXPECT_EQ(*reply, Reply(StopReply{7, 0, false}));
}

TEST(ReplyCodec, SaysWhatWasWrongAndWhere) {
  const auto error = [](std::string_view text) {
    const auto reply = decode_reply(text);
    return reply ? std::string("accepted") : reply.error().what;
  };
  EXPECT_EQ(error("[]"), "bad reply: expected an object");
  EXPECT_EQ(error("{}"), "bad reply: expected \"reply\"");
  EXPECT_EQ(error(R"({"now":1})"), "bad reply: expected \"reply\" as the first member");
  EXPECT_EQ(error(R"({"reply":"poem"})"), "bad reply: expected a known kind of reply");
  EXPECT_EQ(error(R"({"reply":"stop","iteration":1.5})"),
            "bad reply: iteration: expected an integer");
  EXPECT_EQ(error(R"({"reply":"stop","iteration":"1"})"),
            "bad reply: iteration: expected an integer");
  EXPECT_EQ(error(R"({"reply":"stop","iteration":99999999999999999999})"),
            "bad reply: iteration: expected an integer");
  EXPECT_EQ(error(R"({"reply":"queue","active":[{"procs":true}]})"),
            "bad reply: active.procs: expected an integer");
  EXPECT_EQ(error(R"({"reply":"queue","use":[]})"), "bad reply: use: expected an object");
  EXPECT_EQ(error(R"({"reply":"queue","idle":null})"), "bad reply: idle: expected an array");
  EXPECT_EQ(error(R"({"reply":"jobs","action":"sung"})"),
            "bad reply: action: expected the name of an action");
  EXPECT_THAT(error(""), StartsWith("bad reply: byte 1: "));
  EXPECT_THAT(error(R"({"reply":"refusal","reason":"\ud800x"})"),
              StartsWith("bad reply: byte 36: "));
  EXPECT_THAT(error(R"({"reply":"resume"} {)"), StartsWith("bad reply: byte 20: "));
}

TEST(ReplyCodec, NestingHasALimit) {
  const auto reply = decode_reply(R"({"reply":"stop","x":)" + std::string(1000000, '['));
  ASSERT_FALSE(reply);
  EXPECT_NE(reply.error().what.find("less nesting"), std::string::npos);
}

TEST(ReplyCodec, NoPartOfAReplyIsAReply) {
  for (std::size_t kind = 0; kind < std::variant_size_v<AnyReply>; ++kind) {
    const std::string text = sample(kind);
    for (std::size_t length = 0; length < text.size(); ++length)
      EXPECT_FALSE(decode_reply(text.substr(0, length)));
  }
}

// Run under the sanitizers: whatever the bytes, there is an answer.
TEST(ReplyCodec, SurvivesBytesThatNobodyVouchesFor) {
  std::mt19937 random(20);
  int refused = 0;
  for (int round = 0; round < 1000; ++round) {
    std::string text = sample(random() % std::variant_size_v<AnyReply>);
    for (unsigned changes = 1 + random() % 4; changes > 0; --changes) {
      const std::size_t at = random() % text.size();
      constexpr std::string_view kBytes = "{}[]\",:\\u0-9.eEtfn\x80\xFF";
      text[at] = random() % 2 == 0 ? kBytes[random() % kBytes.size()] : static_cast<char>(random());
    }
    refused += decode_reply(text) ? 0 : 1;
  }
  EXPECT_GT(refused, 250);
}

TEST(ReplyCodec, BytesThatAreNotUtf8AreReplaced) {
  EXPECT_EQ(encode_reply(Refusal{"a\xFFz \xC3\xA9 \xED\xA0\x80"}),
            "{\"reply\":\"refusal\",\"reason\":\"a\xEF\xBF\xBDz \xC3\xA9 "
            "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"}");
}

TEST(ReplyCodec, ACommandSucceedsWhenAllOfItIsDone) {
  EXPECT_FALSE(succeeded(Refusal{"no"}));
  EXPECT_TRUE(succeeded(QueueReply{}));
  EXPECT_TRUE(succeeded(JobsReply{JobAction::cancelled, {}, {{"a", true, ""}}}));
  EXPECT_FALSE(
      succeeded(JobsReply{JobAction::cancelled, {}, {{"a", true, ""}, {"b", false, "?"}}}));
  EXPECT_FALSE(succeeded(ReservationsReleasedReply{{{"r.0", "User", false, "?"}}}));
}

TEST(ReplyCodec, AReplyMaySayThatTheChangeIsNotKept) {
  const auto plain = encode_reply(StopReply{21, 60, true});
  const auto text = encode_as_not_kept(plain, "no \"room\"");
  EXPECT_EQ(remarks_of(text).not_kept, "no \"room\"");
  EXPECT_EQ(remarks_of(plain), ReplyRemarks());
  EXPECT_EQ(decode_reply(text).value(), Reply(StopReply{21, 60, true}));
}

TEST(ReplyCodec, AnyReplyMaySayWhoHasNotReported) {
  QueueReply queue;
  queue.active.resize(3);
  queue.active[0].name = "not_reported";
  queue.active[0].user = "not_kept";
  const ReplyRemarks remarks{"the disk is full", {"base", "other \"one\""}, "since \"Monday\""};
  for (const auto layout : {JsonLayout::compact, JsonLayout::lines}) {
    const auto text = encode_reply(queue, layout, remarks);
    EXPECT_EQ(remarks_of(text), remarks);
    EXPECT_EQ(decode_reply(text).value(), Reply(queue));
    EXPECT_EQ(remarks_of(encode_reply(queue, layout)), ReplyRemarks());
  }
  const auto added = encode_as_not_kept(
      encode_reply(queue, JsonLayout::compact, {{}, {"base"}, "stopped"}), "why");
  EXPECT_EQ(remarks_of(added), (ReplyRemarks{"why", {"base"}, "stopped"}));
  for (const auto* wrong : {R"({"stopped":true})", R"({"not_reported":[1,["a"],{}],"not_kept":{}})",
                            R"({"not_reported":"base","rows":[{"not_kept":"x"}]})",
                            R"(["not_reported"])", "not_reported"})
    EXPECT_EQ(remarks_of(wrong), ReplyRemarks()) << wrong;
}

}  // namespace
}  // namespace maui
