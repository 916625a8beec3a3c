// Where the scheduler may be found: SERVERHOST, --host.
#include "base/server_places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace maui {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string why_not(std::string_view text) {
  const auto places = parse_server_places(text);
  return places ? "" : places.error().what;
}

TEST(ServerPlacesTest, OneHostOrSeveralEachWithAPortOrWithout) {
  const auto one = parse_server_places("head1");
  ASSERT_TRUE(one);
  EXPECT_THAT(*one, ElementsAre(ServerPlace{"head1", 0}));
  const auto two = parse_server_places("head1:42559,head2");
  ASSERT_TRUE(two);
  EXPECT_THAT(*two, ElementsAre(ServerPlace{"head1", 42559}, ServerPlace{"head2", 0}));
}

TEST(ServerPlacesTest, AnAddressOfIpv6HasItsPortBehindBrackets) {
  const auto places = parse_server_places("fe80::1,[fe80::2]:42559,[::1]");
  ASSERT_TRUE(places);
  EXPECT_THAT(*places, ElementsAre(ServerPlace{"fe80::1", 0}, ServerPlace{"fe80::2", 42559},
                                   ServerPlace{"::1", 0}));
  EXPECT_EQ(server_places_text(*places), "fe80::1,[fe80::2]:42559,::1");
}

TEST(ServerPlacesTest, ErrorsNameTheFault) {
  EXPECT_THAT(why_not("head1,,head2"), HasSubstr("missing host in "));
  EXPECT_THAT(why_not("head1:x"),
              HasSubstr("invalid port in 'head1:x': expected a number from 1 to 65535"));
  EXPECT_THAT(why_not("head1:70000"), HasSubstr("expected a number from 1 to 65535"));
  EXPECT_THAT(why_not("[::1"), HasSubstr("missing ] in "));
  EXPECT_THAT(why_not("head1,head1"), HasSubstr("named twice"));
  EXPECT_THAT(why_not("a b"), HasSubstr("blank in "));
}

TEST(ServerPlacesTest, ThePlaceOnThisMachineIsItsOwn) {
  EXPECT_EQ(own_place("elsewhere.example," + own_host_name() + ":7", 1),
            (ServerPlace{own_host_name(), 7}));
  EXPECT_EQ(own_place("elsewhere.example,nowhere.example:8", 1),
            (ServerPlace{"elsewhere.example", 1}));
  EXPECT_EQ(own_place("", 5), (ServerPlace{"", 5}));
}

}  // namespace
}  // namespace maui
