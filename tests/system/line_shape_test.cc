#include "line_shape.h"

#include <gtest/gtest.h>

namespace maui::shapes {
namespace {

constexpr char kRow[] =
    "j0032                   amy    Running    12    00:13:00  Sun Sep  9 01:59:40";

TEST(LineShape, NumbersNamesStatesTimesAndDatesMayDiffer) {
  EXPECT_TRUE(same_shape(
      kRow, "j0003                  dora       Idle     1  1:03:00:00  Mon Sep 10 11:59:40"));
  EXPECT_TRUE(same_shape("Total Jobs: 29   Active Jobs: 13", "Total Jobs: 7   Active Jobs: 4"));
  EXPECT_TRUE(same_shape("  Job 'j0009'(x4)  -00:19:00 -> 3:41:00 (4:00:00)",
                         "  Job 'j0012'(x12)  -1:00:19:00 -> 00:41:00 (00:50:00)"));
}

TEST(LineShape, WordsMayNot) {
  EXPECT_FALSE(same_shape("9 Idle Jobs", "9 Idle Job"));
  EXPECT_FALSE(same_shape("9 Idle Jobs", "Idle Jobs"));
  EXPECT_FALSE(same_shape("9 Idle Jobs", ""));
  EXPECT_FALSE(same_shape("", "9 Idle Jobs"));
}

TEST(LineShape, ColumnsKeepOneOfTheirEdges) {
  EXPECT_FALSE(same_shape(
      kRow, "j0032                    amy    Running    12    00:13:00  Sun Sep  9 01:59:40"));
  EXPECT_FALSE(same_shape(
      kRow, "j0032                   amy    Running     12    00:13:00  Sun Sep  9 01:59:40"));
}

TEST(LineShape, NumbersKeepTheirDecimals) {
  EXPECT_TRUE(same_shape("(98.44%)", "(100.00%)"));
  EXPECT_FALSE(same_shape("(98.44%)", "(98.4%)"));
}

TEST(LineShape, ListsMayHaveAnyLength) {
  EXPECT_TRUE(same_shape("Features:   [compute][ib]", "Features:   [old]"));
  EXPECT_TRUE(same_shape("Classes:    [long 4:4][batch 0:4]", "Classes:    [inter 4:4]"));
  EXPECT_TRUE(same_shape("JobList:  j0034,j0010", "JobList:  j0032"));
  EXPECT_FALSE(same_shape("Features:   [compute][ib]", "Features:   compute,ib"));
}

TEST(LineShape, EndlessTimesHaveTheirSpelling) {
  EXPECT_TRUE(same_shape("ends in    INFINITY", "ends in    00:10:00"));
  EXPECT_FALSE(same_shape("ends in    INFINITY", "ends in    INFINITE"));
}

}  // namespace
}  // namespace maui::shapes
