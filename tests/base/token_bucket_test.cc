#include "base/token_bucket.h"

#include <gtest/gtest.h>

namespace maui {
namespace {

class TokenBucketTest : public testing::Test {
 protected:
  int taken() {
    int count = 0;
    for (; bucket_.any(now_); ++count) bucket_.take(now_);
    return count;
  }
  TokenBucket bucket_{5, std::chrono::seconds(10)};
  TokenBucket::Clock::time_point now_{std::chrono::seconds(1000)};
};

TEST_F(TokenBucketTest, TokensComeInABurstAndThenAtAFixedRate) {
  EXPECT_EQ(taken(), 5);
  EXPECT_EQ(bucket_.next(), now_ + std::chrono::seconds(10));
  now_ += std::chrono::seconds(9);
  EXPECT_EQ(taken(), 0);
  now_ += std::chrono::seconds(1);
  EXPECT_EQ(taken(), 1);
  now_ += std::chrono::seconds(25);
  EXPECT_EQ(taken(), 2);
}

TEST_F(TokenBucketTest, ThereAreNeverMoreThanAtFirst) {
  EXPECT_TRUE(bucket_.full(now_));
  EXPECT_EQ(taken(), 5);
  now_ += std::chrono::seconds(49);
  EXPECT_FALSE(bucket_.full(now_));
  now_ += std::chrono::seconds(1);
  EXPECT_TRUE(bucket_.full(now_));
  now_ += std::chrono::seconds(1000000);
  EXPECT_EQ(taken(), 5);
}

TEST_F(TokenBucketTest, WhatIsTakenBeyondTheLastTokenIsOwed) {
  bucket_.take(now_, 7);
  EXPECT_EQ(bucket_.next(), now_ + std::chrono::seconds(30));
}

}  // namespace
}  // namespace maui
