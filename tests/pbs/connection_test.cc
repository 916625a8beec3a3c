// The time that a connection may take to open.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netdb.h>

#include <atomic>
#include <chrono>
#include <string_view>
#include <thread>

#include "pbs/pbs_fixture.h"

namespace {

constexpr const char* kSlowHost = "slow.test";
std::atomic<bool> slow_host_waits{false};

}  // namespace

// Takes the place of the C library's function in this program: the look-up of one host ends when
// the test wants it to.
extern "C" int getaddrinfo(const char* host, const char* service, const addrinfo* hints,
                           addrinfo** found) {
  if (host != nullptr && std::string_view(host) == kSlowHost) {
    while (slow_host_waits) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return EAI_NONAME;
  }
  static const auto real =
      reinterpret_cast<decltype(&::getaddrinfo)>(::dlsym(RTLD_NEXT, "getaddrinfo"));
  return real(host, service, hints, found);
}

namespace maui::pbs {
namespace {

using test::FakePbs;
using test::PbsFixture;

class ConnectionTest : public testing::Test, public PbsFixture {
 protected:
  ConnectionTest() : PbsFixture(FakePbs::Kind::torque) { link.server.hosts = kSlowHost; }
};

TEST_F(ConnectionTest, TheLookUpOfAHostCountsInTheTimeToConnect) {
  link.server.timeout = std::chrono::milliseconds(50);
  slow_host_waits = true;
  const auto update = poll();
  slow_host_waits = false;
  ASSERT_FALSE(update);
  EXPECT_THAT(update.error().what, testing::HasSubstr("cannot find slow.test:"));
  EXPECT_THAT(update.error().what, testing::HasSubstr(": no answer"));
}

TEST_F(ConnectionTest, AnUnknownHostIsReportedAsSuch) {
  const auto update = poll();
  ASSERT_FALSE(update);
  EXPECT_THAT(update.error().what, testing::HasSubstr("cannot find slow.test:"));
  EXPECT_THAT(update.error().what, testing::Not(testing::HasSubstr("no answer")));
}

}  // namespace
}  // namespace maui::pbs
