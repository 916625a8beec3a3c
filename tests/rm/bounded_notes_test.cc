#include "rm/bounded_notes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace maui {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class BoundedNotesTest : public testing::Test {
 protected:
  void add(int first, int end) {
    for (int i = first; i < end; ++i) notes.add("note " + std::to_string(i), now);
  }
  BoundedNotes notes;
  BoundedNotes::Moment now = TokenBucket::Clock::now();
};

TEST_F(BoundedNotesTest, EachIsWrittenOnce) {
  add(0, 2);
  add(0, 2);
  EXPECT_THAT(notes.take(now), ElementsAre("note 0", "note 1"));
  add(0, 2);
  EXPECT_THAT(notes.take(now), IsEmpty());
}

TEST_F(BoundedNotesTest, AfterAThousandTheyGoOnSlowlyAndTheRestIsCounted) {
  add(0, 1003);
  auto first = notes.take(now);
  ASSERT_EQ(first.size(), 1001U);
  EXPECT_EQ(first.back(),
            "3 warnings about its records were left out: after 1000, one in 5 minutes is written");
  add(1003, 1010);
  EXPECT_THAT(notes.take(now), IsEmpty()) << "the number is said once an hour";
  now += std::chrono::minutes(5);
  add(1010, 1012);
  EXPECT_THAT(notes.take(now), ElementsAre("note 1010"));
  now += std::chrono::hours(1);
  EXPECT_THAT(
      notes.take(now),
      ElementsAre(
          "8 warnings about its records were left out: after 1000, one in 5 minutes is written"));
  now += std::chrono::hours(1);
  EXPECT_THAT(notes.take(now), IsEmpty());
}

TEST_F(BoundedNotesTest, TheLastThousandAreKnown) {
  add(0, 1000);
  now += std::chrono::hours(1);
  add(1000, 1001);
  notes.take(now);
  add(1, 1001);
  EXPECT_THAT(notes.take(now), IsEmpty());
  add(0, 1);
  EXPECT_THAT(notes.take(now), ElementsAre("note 0"));
}

}  // namespace
}  // namespace maui
