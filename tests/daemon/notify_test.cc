#include "daemon/programs/notify.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>

#include "daemon/datagram_socket.h"
#include "daemon/temporary_directory.h"

namespace maui {
namespace {

class NotifyTest : public testing::Test {
 protected:
  void TearDown() override { ::unsetenv("NOTIFY_SOCKET"); }

  TemporaryDirectory home_;
};

TEST_F(NotifyTest, TheServiceManagerIsNotifiedAtItsSocket) {
  const auto path = home_ / "notify";
  const int socket = listen_at(path);
  ::setenv("NOTIFY_SOCKET", std::string(path).c_str(), 1);
  notify_service_manager("READY=1");
  std::array<char, 32> text{};
  ASSERT_EQ(::recv(socket, text.data(), text.size(), MSG_DONTWAIT), 7);
  EXPECT_STREQ(text.data(), "READY=1");
  ::close(socket);
}

TEST_F(NotifyTest, NothingHappensIfNobodyListens) {
  notify_service_manager("READY=1");
  for (const std::string& path :
       {std::string("/nonexistent/socket"), std::string("relative"), std::string(500, '/')}) {
    ::setenv("NOTIFY_SOCKET", path.c_str(), 1);
    notify_service_manager("READY=1");
  }
}

}  // namespace
}  // namespace maui
