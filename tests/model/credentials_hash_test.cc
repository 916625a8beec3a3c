#include <gtest/gtest.h>

#include <cstdint>
#include <unordered_set>

#include "maui/job.h"

namespace maui {
namespace {

Credentials of(std::uint32_t user, std::uint32_t group) {
  Credentials who;
  who.user = UserId(user);
  who.group = GroupId(group);
  return who;
}

// Sites with personal groups number users and groups alike.
TEST(CredentialsHashTest, UsersWithGroupsOfTheirOwnHaveDifferentHashes) {
  std::unordered_set<std::size_t> hashes;
  for (std::uint32_t number = 0; number < 10'000; ++number)
    hashes.insert(Credentials::Hash()(of(number, number)));
  EXPECT_EQ(hashes.size(), 10'000U);
}

TEST(CredentialsHashTest, TheSameNumbersOfOtherKindsAreOtherCredentials) {
  EXPECT_NE(Credentials::Hash()(of(1, 2)), Credentials::Hash()(of(2, 1)));
}

}  // namespace
}  // namespace maui
