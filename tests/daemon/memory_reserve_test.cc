#include "daemon/memory_reserve.h"

#include <gtest/gtest.h>

#include <new>

namespace maui {
namespace {

TEST(MemoryReserve, IsGivenBackOnceAndThenPutAsideAgain) {
  keep_memory_reserve(1U << 20U);
  const auto handler = std::get_new_handler();
  ASSERT_NE(handler, nullptr);
  EXPECT_NO_THROW(handler()) << "the allocation that failed is tried again";
  EXPECT_THROW(handler(), std::bad_alloc) << "there is no second one";
  EXPECT_FALSE(memory_is_short()) << "as soon as there is memory it is put aside again";
  EXPECT_NO_THROW(handler());
  EXPECT_FALSE(memory_is_short());
  std::set_new_handler(nullptr);
}

}  // namespace
}  // namespace maui
