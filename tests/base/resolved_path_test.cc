// Paths without links.
#include "base/resolved_path.h"

#include <gtest/gtest.h>

#include "daemon/temporary_directory.h"

namespace maui {
namespace {

namespace fs = std::filesystem;

TEST(ResolvedPathTest, LinksAreFollowedAsFarAsThePathExists) {
  TemporaryDirectory home;
  const fs::path base = fs::canonical(home.path());
  fs::create_directory(base / "real");
  fs::create_directory_symlink("real", base / "link");
  EXPECT_EQ(resolved_path(base / "link/a/../b"), base / "real/b");
  EXPECT_EQ(resolved_path(base / "none/./../link/b"), base / "link/b") << "as it is written";
  EXPECT_EQ(resolved_path("maui.ck"), fs::canonical(".") / "maui.ck");
}

TEST(ResolvedPathTest, WhereThatFailsOnePathHasOneAnswerHoweverItIsWritten) {
  TemporaryDirectory home;
  const fs::path base = fs::canonical(home.path());
  fs::create_symlink("circle", base / "circle");
  for (const char* written : {"circle/maui.ck", "./circle/maui.ck", "circle//x/../maui.ck"})
    EXPECT_EQ(resolved_path(base / written), base / "circle/maui.ck") << written;
}

}  // namespace
}  // namespace maui
