#include "base/manual_page.h"

#include <gtest/gtest.h>

namespace maui {
namespace {

TEST(ManualPageTest, BeginsWithItsTitleAndWhatItIs) {
  EXPECT_EQ(ManualPage("maui.cfg", 5, "1.2", "what the scheduler is told").str(),
            ".TH MAUI.CFG 5 \"\" \"maui 1.2\"\n"
            ".SH \"NAME\"\n"
            "maui.cfg \\- what the scheduler is told\n");
}

TEST(ManualPageTest, TextIsNeverTakenForMarkup) {
  ManualPage page("p", 1, "1", "x");
  page.text(".not a request").text("'nor this").text("C:\\n and \"quotes\" and -x");
  EXPECT_NE(page.str().find("\n\\&.not a request\n"), std::string::npos);
  EXPECT_NE(page.str().find("\n\\&'nor this\n"), std::string::npos);
  EXPECT_NE(page.str().find("\nC:\\en and \\(dqquotes\\(dq and \\-x\n"), std::string::npos);
}

TEST(ManualPageTest, AnItemHasItsTermInBold) {
  ManualPage page("p", 1, "1", "x");
  page.section("OPTIONS").item("-i, --idle", "waiting jobs").more("only these");
  EXPECT_TRUE(page.str().ends_with(
      ".SH \"OPTIONS\"\n.TP\n.B \"\\-i, \\-\\-idle\"\nwaiting jobs\n.br\nonly these\n"));
}

}  // namespace
}  // namespace maui
