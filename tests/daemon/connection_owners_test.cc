#include "daemon/clients/connection_owners.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/system/system_error.hpp>
#include <optional>

namespace maui {
namespace {

using boost::asio::ip::tcp;

class ConnectionOwnersTest : public testing::Test {
 protected:
  /// Connects to a port of this machine, as a program that listens at that address sees it.
  void connect(const char* listening, const char* address, uid_t user = ::geteuid()) {
    const tcp::endpoint at(boost::asio::ip::make_address(listening), 0);
    tcp::acceptor acceptor(io_, at);
    const uid_t me = ::geteuid();
    ASSERT_EQ(::seteuid(user), 0);
    client_ = tcp::socket(io_);
    client_.connect({boost::asio::ip::make_address(address), acceptor.local_endpoint().port()});
    ASSERT_EQ(::seteuid(me), 0);
    accepted_ = acceptor.accept();
  }
  std::optional<uid_t> owner() {
    return owners_.of(accepted_.remote_endpoint(), accepted_.local_endpoint());
  }

  boost::asio::io_context io_;
  ConnectionOwners owners_;
  tcp::socket client_{io_}, accepted_{io_};
};

TEST_F(ConnectionOwnersTest, IsTheUserWhoConnected) {
  connect("127.0.0.1", "127.0.0.1");
  EXPECT_EQ(owner(), ::geteuid());
}

TEST_F(ConnectionOwnersTest, IsKnownBehindAMappedAddress) {
  connect("::", "127.0.0.1");
  EXPECT_EQ(owner(), ::geteuid());
}

TEST_F(ConnectionOwnersTest, IsKnownBetweenAddressesOfIpv6) {
  try {
    connect("::1", "::1");
  } catch (const boost::system::system_error& error) {
    GTEST_SKIP() << "IPv6 does not work here: " << error.what();
  }
  EXPECT_EQ(owner(), ::geteuid());
}

TEST_F(ConnectionOwnersTest, IsNotTheUserOfTheOtherEnd) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can connect as somebody else";
  constexpr uid_t kSomebody = 54321;
  connect("127.0.0.1", "127.0.0.1", kSomebody);
  EXPECT_EQ(owner(), kSomebody);
}

TEST_F(ConnectionOwnersTest, NobodyOwnsAConnectionOfAnotherMachine) {
  connect("127.0.0.1", "127.0.0.1");
  const tcp::endpoint elsewhere(boost::asio::ip::make_address("192.0.2.1"), 4242);
  EXPECT_EQ(owners_.of(elsewhere, accepted_.local_endpoint()), std::nullopt);
}

TEST_F(ConnectionOwnersTest, AreToldOneAfterTheOther) {
  connect("127.0.0.1", "127.0.0.1");
  const tcp::endpoint elsewhere(boost::asio::ip::make_address("192.0.2.1"), 4242);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(owner(), ::geteuid());
    EXPECT_EQ(owners_.of(elsewhere, accepted_.local_endpoint()), std::nullopt);
  }
}

// The kernel reports root as the owner of what nobody has.
TEST_F(ConnectionOwnersTest, NobodyOwnsWhatItsProgramHasClosed) {
  connect("127.0.0.1", "127.0.0.1");
  const auto remote = accepted_.remote_endpoint(), local = accepted_.local_endpoint();
  client_.close();
  EXPECT_EQ(owners_.of(remote, local), std::nullopt);
}

}  // namespace
}  // namespace maui
