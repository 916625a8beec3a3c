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

/// Cannot save while the disk is full.
class FullDisk final : public AllocationManager {
 public:
  FullDisk(const bool& full, int& saves) : full_(full), saves_(saves) {}
  void ask(const AllocationRequest&, Answer done) override { done({}); }
  bool busy() const override { return false; }
  Status save() override {
    ++saves_;
    return full_ ? Status(Error{"the disk is full"}) : Status(Done{});
  }

 private:
  const bool& full_;
  int& saves_;
};

TEST(ReplaceableBankTest, WhatAReplacedManagerGrantedIsSavedAsSoonAsThatCanBeDone) {
  bool full = true;
  int saves = 0;
  ReplaceableBank bank(std::make_unique<FullDisk>(full, saves));
  EXPECT_FALSE(bank.save());
  bank.replace(nullptr);
  saves = 0;
  EXPECT_TRUE(bank.save()) << "the next one does not wait for it";
  EXPECT_EQ(saves, 1);
  full = false;
  bank.replace(nullptr);
  saves = 0;
  EXPECT_TRUE(bank.save());
  EXPECT_EQ(saves, 0) << "it is no longer needed";
}

}  // namespace
}  // namespace maui::test
