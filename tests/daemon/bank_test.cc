// When and which allocation manager is asked (guide 6.4).
#include "daemon/bank.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "bank/allocation_file.h"
#include "bank/allocation_server.h"

namespace maui::test {
namespace {

class BankTest : public testing::Test {
 protected:
  BankTest() { settings.allocations.type = AllocationManagerType::file; }
  ~BankTest() override { ::unsetenv("MAUIBANKTEST"); }
  std::unique_ptr<AllocationManager> make() {
    return make_allocation_manager(io, settings, "/nowhere");
  }
  boost::asio::io_context io;
  Settings settings;
};

TEST_F(BankTest, TheTypeSaysWhich) {
  EXPECT_NE(dynamic_cast<AllocationFile*>(make().get()), nullptr);
  settings.allocations.type = AllocationManagerType::qbank;
  EXPECT_NE(dynamic_cast<AllocationServer*>(make().get()), nullptr);
  settings.allocations.type = AllocationManagerType::none;
  EXPECT_EQ(make(), nullptr);
}

TEST_F(BankTest, OnlyNormalModeChargesUnlessMauibanktestIsSet) {
  for (const auto mode : {ServerMode::simulation, ServerMode::test}) {
    settings.server.mode = mode;
    ::unsetenv("MAUIBANKTEST");
    EXPECT_EQ(make(), nullptr);
    ::setenv("MAUIBANKTEST", "", 1);
    EXPECT_NE(make(), nullptr) << "any value will do";
  }
}

}  // namespace
}  // namespace maui::test
