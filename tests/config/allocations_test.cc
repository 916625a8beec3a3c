// The allocation manager in maui.cfg (guide 6.4, case study A.3).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/configs.h"

namespace maui {
namespace {

using testing::HasSubstr;

TEST(AllocationParameters, TheBankOfCaseStudyA3IsRead) {
  const auto made = parsed(
      "BANKTYPE QBANK\nBANKSERVER develop1\nBANKPORT 2334\nBANKCHARGEMODE DEBITSUCCESSFULLCPU\n");
  AllocationSettings wanted;
  wanted.type = AllocationManagerType::qbank;
  wanted.host = "develop1";
  wanted.port = 2334;
  wanted.policy = ChargePolicy::successful_cpu;
  EXPECT_EQ(made.settings().allocations, wanted);
}

TEST(AllocationParameters, AmcfgSaysTheSameAndStandsBeforeTheOthers) {
  const auto made = parsed(
      "AMCFG[bank] TYPE=GOLD HOST=gold1 TIMEOUT=30 CHARGEPOLICY=DEBITALLWC DEFERJOBONFAILURE=TRUE\n"
      "AMCFG[bank] FALLBACKACCOUNT=leftovers\nBANKTYPE FILE\nBANKPORT 2334\n");
  AllocationSettings wanted;
  wanted.type = AllocationManagerType::gold;
  wanted.host = "gold1";
  wanted.port = 2334;
  wanted.timeout = Seconds(30);
  wanted.policy = ChargePolicy::all_wall_clock;
  wanted.defer_on_failure = true;
  wanted.fallback_account = "leftovers";
  EXPECT_EQ(made.settings().allocations, wanted);
}

}  // namespace
}  // namespace maui
