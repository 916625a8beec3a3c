// Whatever people call their jobs, groups and nodes: what is shown of it moves no cursor, changes
// no title, turns no direction of writing, and begins no line.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/told_text.h"
#include "proto/reply_fields.h"
#include "render/render.h"

namespace maui {
namespace {

const std::string kHostile =
    "x\x1b]0;t\x07\x1b[2J\nERROR: forged\r\x7f\xC2\x9B"
    "1m\xE2\x80\xAE\xE2\x81\xA6\xFF";

/// Calls everything by the same name.
class Filler {
 public:
  explicit Filler(std::string name) : name_(std::move(name)) {}
  void fill(std::int64_t& value) { value = 3; }
  void fill(double& value) { value = 0.5; }
  void fill(bool& value) { value = true; }
  void fill(std::string& value) { value = name_; }
  void fill(JobAction& value) { value = JobAction::holds_released; }
  template <class T>
  void fill(std::vector<T>& values) {
    values.resize(2);
    for (auto& value : values) fill(value);
  }
  template <class T>
  void fill(std::optional<T>& value) {
    fill(value.emplace());
  }
  template <class T>
  requires std::is_aggregate_v<T>
  void fill(T& value) {
    visit_fields(value, [&](std::string_view, auto& member) { fill(member); });
  }

 private:
  std::string name_;
};

template <std::size_t I = 0>
void for_each_kind(auto&& test) {
  if constexpr (I < std::variant_size_v<AnyReply>) {
    test(std::variant_alternative_t<I, AnyReply>{});
    for_each_kind<I + 1>(test);
  }
}

std::string shown(auto reply, const std::string& name, Format format) {
  Filler(name).fill(reply);
  return render(Reply(reply), format);
}

void expect_harmless(auto reply, Format format) {
  const std::string text = shown(reply, kHostile, format);
  EXPECT_EQ(printable_lines(text), text) << typeid(reply).name();
  if constexpr (std::is_same_v<decltype(reply), Refusal>) return;
  const std::string plain = shown(reply, std::string(kHostile.size(), 'x'), format);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'),
            std::count(plain.begin(), plain.end(), '\n'))
      << typeid(reply).name() << "\n"
      << text;
}

TEST(HostileNames, NoReplyAsTextFollowsThem) {
  for_each_kind([](auto reply) { expect_harmless(reply, Format::text); });
}

TEST(HostileNames, NoReplyAsJsonDoesAndTheyAreAllThere) {
  for_each_kind([](auto reply) {
    expect_harmless(reply, Format::json);
    const auto json = nlohmann::json::parse(shown(reply, kHostile, Format::json), nullptr, false);
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
