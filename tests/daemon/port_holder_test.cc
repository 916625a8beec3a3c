#include "net/port_holder.h"

#include <gtest/gtest.h>

#include <sstream>

namespace maui {
namespace {

constexpr const char* kTable =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout\n"
    "   0: 0100007F:9E6F 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 1\n"
    "   1: 0100007F:9E6F 00000000:0000 0A 00000000:00000000 00:00000000 00000000 65534        0 2\n"
    "   2: 0100007F:1F90 0100007F:9E6F 01 00000000:00000000 00:00000000 00000000    33        0 3\n"
    "   3: rubbish\n";

std::optional<uid_t> holder(int port) {
  std::istringstream table(kTable);
  return port_holder_in(table, port);
}

TEST(PortHolder, IsTheUserWhoListensThere) { EXPECT_EQ(holder(0x9E6F), 65534U); }

TEST(PortHolder, ElseTheUserOfAConnectionFromThere) { EXPECT_EQ(holder(0x1F90), 33U); }

TEST(PortHolder, NobodyHasAFreePort) { EXPECT_EQ(holder(1), std::nullopt); }

}  // namespace
}  // namespace maui
