#include "daemon/notify.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>

#include "daemon/temporary_directory.h"

namespace maui {
namespace {

class NotifyTest : public testing::Test {
 protected:
  void TearDown() override { ::unsetenv("NOTIFY_SOCKET"); }

  /// A socket of that name, as the service manager has one.
  int listen_at(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), path.size());
    const int socket = ::socket(AF_UNIX, SOCK_DGRAM, 0);
    EXPECT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
    return socket;
  }
  TemporaryDirectory home_;
};

TEST_F(NotifyTest, TheServiceManagerIsToldAtItsSocket) {
  const auto path = home_ / "notify";
  const int socket = listen_at(path);
  ::setenv("NOTIFY_SOCKET", std::string(path).c_str(), 1);
  notify_service_manager("READY=1");
  std::array<char, 32> text{};
  ASSERT_EQ(::recv(socket, text.data(), text.size(), MSG_DONTWAIT), 7);
  EXPECT_STREQ(text.data(), "READY=1");
  ::close(socket);
}

TEST_F(NotifyTest, WhereNobodyListensNothingHappens) {
  notify_service_manager("READY=1");
  for (const std::string& path :
       {std::string("/nonexistent/socket"), std::string("relative"), std::string(500, '/')}) {
    ::setenv("NOTIFY_SOCKET", path.c_str(), 1);
    notify_service_manager("READY=1");
  }
}

}  // namespace
}  // namespace maui
