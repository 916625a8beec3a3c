#include "daemon/clients/parties.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace maui {
namespace {

using namespace std::chrono_literals;

class Idler final : public Client {
 public:
  Idler(std::string party, std::uint64_t number) : Client(of(std::move(party)), number) {}
  std::size_t held() const override { return 0; }
  void work() override {}
  void close() override {}
  void close_when_idle() override {}

 private:
  static Peer of(std::string party) {
    Peer peer;
    peer.party = std::move(party);
    return peer;
  }
};

class PartiesTest : public testing::Test {
 protected:
  std::shared_ptr<Client> come(const std::string& party, bool privileged = false) {
    auto made = std::make_shared<Idler>(party, number_++);
    parties_.add(made, privileged, now());
    return made;
  }
  /// Lets so many others come and go that whoever has nothing is forgotten.
  void others_come_and_go() {
    for (int i = 0; i < 300; ++i) parties_.remove(*come("host " + std::to_string(i)));
  }
  Parties::Moment now() const { return std::chrono::steady_clock::now(); }

  Parties parties_;
  std::uint64_t number_ = 0;
};

TEST_F(PartiesTest, ARestingPartyIsPassedOver) {
  const auto tired = come("ann"), other = come("bob");
  parties_.is_ready(tired);
  parties_.is_ready(other);
  parties_.rests(*tired, now() + 1h);
  EXPECT_EQ(parties_.next(now()), other);
  EXPECT_EQ(parties_.next(now()), nullptr);
  EXPECT_GT(parties_.first_turn(), now() + 30min);
}

TEST_F(PartiesTest, ADepartedPartyStillRests) {
  parties_.remove(*come("ann"));
  const auto again = come("ann");
  parties_.rests(*again, now() + 1h);
  parties_.remove(*again);
  others_come_and_go();
  const auto third = come("ann");
  parties_.is_ready(third);
  EXPECT_EQ(parties_.next(now()), nullptr);
}

// Its changes reach the disk after the client has closed its end.
TEST_F(PartiesTest, AForgottenPartyNeedNotRest) {
  const auto gone = come("ann");
  parties_.remove(*gone);
  others_come_and_go();
  EXPECT_NO_THROW(parties_.rests(*gone, now() + 1h));
}

// ADMIN1 may change while the scheduler runs.
// A thousand at once, and a thousand a second.
TEST_F(PartiesTest, APartyThatBeginsTooManyConnectionsMayBeginNoMoreForAWhile) {
  const Parties::Moment begin = now();
  const Idler of_many("many", 0), of_other("other", 0);
  const auto come_at = [&](Parties::Moment when, bool privileged) {
    const auto made = std::make_shared<Idler>("many", number_++);
    parties_.add(made, privileged, when);
    parties_.remove(*made);
  };
  const auto may = [&](Parties::Moment when) { return parties_.may_connect(of_many.peer(), when); };
  for (int i = 0; i < 999; ++i) come_at(begin, false);
  EXPECT_TRUE(may(begin));
  come_at(begin, false);
  EXPECT_FALSE(may(begin));
  others_come_and_go();
  EXPECT_FALSE(may(begin)) << "forgotten, it could begin anew";
  EXPECT_TRUE(parties_.may_connect(of_other.peer(), begin));
  EXPECT_TRUE(may(begin + 1ms));
  come_at(begin + 1ms, false);
  EXPECT_FALSE(may(begin + 1ms));
  for (int i = 0; i < 5000; ++i) come_at(begin + 2ms, true);
  EXPECT_TRUE(may(begin + 2ms)) << "as administrator, it spent nothing";
}

TEST_F(PartiesTest, APartyBecomesAnAdministratorsAndAnOrdinaryOneAgain) {
  const Peer newcomer = come("ann")->peer();
  const auto second = come("ann", true);
  // Eight of nine connections are for ordinary parties.
  for (int i = 0; i < 6; ++i) come("bob");
  EXPECT_EQ(parties_.in_the_way(newcomer, false, 9), nullptr) << "ann's two do not count";
  parties_.rests(*second, now() + 1h);
  parties_.is_ready(second);
  EXPECT_EQ(parties_.next(now()), second) << "administrators do not rest";
  come("ann");
  come("eve");
  EXPECT_NE(parties_.in_the_way(newcomer, false, 11), nullptr) << "all ten count";
}

TEST_F(PartiesTest, AnyNumberOfPartiesThatHaveUsedTimeAndGoneTakesLittleMemory) {
  const auto visit = [&](const std::string& party) {
    const auto visitor = come(party);
    parties_.spent(*visitor, 1ms);
    parties_.remove(*visitor);
  };
  for (int i = 0; i < 100'000; ++i) visit("host " + std::to_string(i));
  EXPECT_LT(parties_.known(), 21'000U);
}

}  // namespace
}  // namespace maui
