// Whatever people call their jobs, groups and nodes: what is shown of it moves no cursor, changes
// no title, turns no direction of writing, and begins no line.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/json.h"
#include "base/outside_text.h"
#include "proto/reply_codec.h"
#include "render/render.h"
#include "support/every_reply.h"

namespace maui {
namespace {

const std::string kHostile =
    "x\x1b]0;t\x07\x1b[2J\nERROR: forged\r\x7f\xC2\x9B"
    "1m\xE2\x80\xAE\xE2\x81\xA6\xFF";

/// Calls everything by the same name.
struct SameName {
  std::string name;
  std::int64_t integer() const { return 3; }
  double number() const { return 0.5; }
  const std::string& text() const { return name; }
};

std::string shown(std::size_t kind, const std::string& name, Format format) {
  Reply reply = empty_reply(kind);
  test::ReplyFiller(SameName{name}).fill(reply);
  return render(reply, format);
}

// Where a cell is narrow, no character is cut in two.
const std::string kWide = "\xE2\x82\xAC\xE2\x82\xAC\xF0\x9F\x98\x80\xC3\xA9";

void expect_harmless(const Reply& reply, Format format) {
  SCOPED_TRACE(reply_kind(reply));
  const std::size_t kind = reply.index();
  const std::string wide = shown(kind, kWide, format);
  EXPECT_EQ(printable_lines(wide), wide);
  const std::string text = shown(kind, kHostile, format);
  EXPECT_EQ(printable_lines(text), text);
  if (std::holds_alternative<Refusal>(reply)) return;
  const std::string plain = shown(kind, std::string(kHostile.size(), 'x'), format);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'),
            std::count(plain.begin(), plain.end(), '\n'))
      << text;
}

TEST(HostileNames, NoReplyAsTextFollowsThem) {
  test::for_each_reply([](const Reply& reply) { expect_harmless(reply, Format::text); });
}

TEST(HostileNames, NoReplyAsJsonDoesAndTheyAreAllThere) {
  test::for_each_reply([](const Reply& reply) {
    expect_harmless(reply, Format::json);
    const auto json =
        nlohmann::json::parse(shown(reply.index(), kHostile, Format::json), nullptr, false);
    EXPECT_FALSE(json.is_discarded());
  });
}

TEST(HostileNames, NoPictureAndNoXmlDoes) {
  expect_harmless(ReservationChartReply{}, Format::svg);
  expect_harmless(QueueReply{}, Format::xml);
  expect_harmless(StateReply{}, Format::xml);
}

}  // namespace
}  // namespace maui
