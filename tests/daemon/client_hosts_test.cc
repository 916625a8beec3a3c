// Hosts that ADMINHOST and CLIENTCFG name become known as soon as their names are found.
#include "daemon/clients/client_hosts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "daemon/test_client.h"

namespace maui {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kNotFound = "no-such-host.invalid";

class ClientHostsTest : public testing::Test {
 protected:
  boost::asio::io_context io_;
  std::vector<std::string> log_;
  ClientHosts hosts_{io_, [this](std::string_view line) { log_.emplace_back(line); },
                     [](const std::string&) { return std::vector<std::string>{"10.0.0.9"}; }};
};

TEST_F(ClientHostsTest, ANameThatIsNotFoundIsReportedOnce) {
  hosts_.resolve({"ALL", kNotFound}, {"127.0.0.2"});
  EXPECT_THAT(log_, ElementsAre(HasSubstr("'" + kNotFound + "' of ADMINHOST or CLIENTCFG")));
  hosts_.resolve({kNotFound}, {kNotFound});
  EXPECT_EQ(log_.size(), 1U);
}

TEST_F(ClientHostsTest, ANameThatIsFoundLaterIsKnownToBothLists) {
  hosts_.resolve({kNotFound}, {kNotFound, "127.0.0.2"});
  EXPECT_EQ(hosts_.administrators().name_of("10.0.0.9"), "10.0.0.9");
  hosts_.look_up_again();
  EXPECT_TRUE(run_until(io_, [this] { return hosts_.configured().knows(kNotFound); }));
  EXPECT_EQ(hosts_.administrators().name_of("10.0.0.9"), kNotFound);
  EXPECT_EQ(log_.back(), "host '" + kNotFound + "' is found");
}

TEST_F(ClientHostsTest, ANameThatIsNoLongerGivenIsForgotten) {
  hosts_.resolve({"127.0.0.2"}, {"127.0.0.3"});
  hosts_.resolve({}, {"127.0.0.3"});
  EXPECT_THAT(hosts_.administrators().names(), IsEmpty());
  EXPECT_THAT(hosts_.configured().names(), ElementsAre("127.0.0.3"));
}

}  // namespace
}  // namespace maui
