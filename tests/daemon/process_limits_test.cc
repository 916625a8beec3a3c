#include "daemon/process_limits.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <array>
#include <string>

namespace maui::test {
namespace {

std::string fault_of(std::string_view what, std::uint64_t limit) {
  std::array<char, 200> text;
  for (const NeededLimit& needed : needed_limits())
    if (needed.what == what) return std::string(low_limit(needed, limit, needed.to_schedule, text));
  return "no such limit";
}

TEST(ProcessLimits, ALowOneIsNamedWithItsValueAndWhatIsNeeded) {
  EXPECT_EQ(fault_of("data", 8 << 20),
            "the limit of 8192 kB of data (ulimit -d) is too low: expected at least 65536 kB");
  EXPECT_EQ(
      fault_of("address space", 60000 << 10),
      "the limit of 60000 kB of address space (ulimit -v) is too low: expected at least 98304 "
      "kB");
  EXPECT_EQ(fault_of("stack", 64 << 10),
            "the limit of 64 kB of stack (ulimit -s) is too low: expected at least 1024 kB");
  EXPECT_EQ(fault_of("data", kLeastData - 1),
            "the limit of 65535 kB of data (ulimit -d) is too low: expected at least 65536 kB");
}

TEST(ProcessLimits, OneThatSufficesIsNoFault) {
  EXPECT_EQ(fault_of("data", kLeastData), "");
  EXPECT_EQ(fault_of("stack", kLeastStack), "");
  EXPECT_EQ(fault_of("stack", ~std::uint64_t{0}), "");
}

TEST(ProcessLimits, MemoryIsLimitedByTheLowerOfTwo) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_DATA, &before), 0);
  rlimit lower = before;
  lower.rlim_cur = rlim_t{1} << 45;
  ASSERT_EQ(::setrlimit(RLIMIT_DATA, &lower), 0);
  EXPECT_EQ(memory_limit(), lower.rlim_cur);
  ASSERT_EQ(::setrlimit(RLIMIT_DATA, &before), 0);
}

TEST(ProcessLimits, TheTextEndsWithItsRoom) {
  std::array<char, 13> text;
  EXPECT_EQ(low_limit(needed_limits().front(), 0, 1, text), "the limit of ");
}

TEST(ProcessLimits, ToScheduleNeedsMoreThanToRun) {
  for (const NeededLimit& needed : needed_limits()) EXPECT_GT(needed.to_schedule, needed.to_run);
}

TEST(ProcessLimits, ThisProcessHasEnough) {
  std::array<char, 200> text;
  EXPECT_EQ(low_limit_of_process(text), "");
}

}  // namespace
}  // namespace maui::test
