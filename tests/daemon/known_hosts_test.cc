// The addresses of hosts that ADMINHOST and CLIENTCFG name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "daemon/clients/peer.h"

namespace maui {
namespace {

using testing::ElementsAre;

const std::string kMissing = "no-such-host.invalid";

TEST(KnownHostsTest, AnAddressHasTheNameThatWasGivenForIt) {
  KnownHosts hosts;
  hosts.resolve({"127.0.0.2", kMissing});
  EXPECT_TRUE(hosts.knows("127.0.0.2"));
  EXPECT_FALSE(hosts.knows(kMissing));
  EXPECT_EQ(hosts.name_of("10.0.0.9"), "10.0.0.9");
  EXPECT_THAT(hosts.names(), ElementsAre("127.0.0.2", kMissing));
}

TEST(KnownHostsTest, ANameKeepsItsAddressesWhileItIsGiven) {
  KnownHosts hosts;
  hosts.resolve({kMissing});
  hosts.learn(kMissing, {"10.0.0.9", "fd00::9"});
  hosts.resolve({"127.0.0.2", kMissing});
  EXPECT_TRUE(hosts.knows(kMissing)) << "it is not looked up again";
  EXPECT_EQ(hosts.name_of("10.0.0.9"), kMissing);
  EXPECT_EQ(hosts.name_of("fd00::9"), kMissing);
  hosts.resolve({"127.0.0.2"});
  EXPECT_EQ(hosts.name_of("10.0.0.9"), "10.0.0.9");
}

TEST(KnownHostsTest, NewAddressesReplaceTheOldOnes) {
  KnownHosts hosts;
  hosts.resolve({"127.0.0.2"});
  hosts.learn("127.0.0.2", {"10.0.0.9"});
  hosts.learn("127.0.0.2", {});
  hosts.learn("unknown", {"10.0.0.8"});
  EXPECT_EQ(hosts.name_of("10.0.0.9"), "127.0.0.2");
  EXPECT_EQ(hosts.name_of("10.0.0.8"), "10.0.0.8") << "nobody has given that name";
}

TEST(KnownHostsTest, AKnownHostIsAPartyApartFromItsNetwork) {
  KnownHosts hosts;
  hosts.resolve({kMissing});
  hosts.learn(kMissing, {"fd00::9"});
  const auto party_of = [&](const char* address) {
    const auto at = [](const char* text) {
      return boost::asio::ip::tcp::endpoint(boost::asio::ip::make_address(text), 4242);
    };
    return network_peer(at(address), at("fd00::1"), &hosts).party;
  };
  EXPECT_EQ(party_of("fd00::9"), kMissing);
  EXPECT_EQ(party_of("fd00::8"), "fd00::/64");
}

}  // namespace
}  // namespace maui
