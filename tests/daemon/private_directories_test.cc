#include "daemon/files/private_directories.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "daemon/temporary_directory.h"

namespace maui {
namespace {

using testing::HasSubstr;

class PrivateDirectories : public testing::Test {
 protected:
  Status check() { return check_directories(home_.path(), settings_); }
  TemporaryDirectory home_;
  Settings settings_;
};

TEST_F(PrivateDirectories, OwnedByTheSchedulersUserAreAccepted) {
  std::filesystem::create_directory(home_ / "log");
  EXPECT_TRUE(check());
  ::chmod(home_.path().c_str(), 0775);
  EXPECT_TRUE(check()) << "a group is the site's own choice";
}

TEST_F(PrivateDirectories, WritableByEverybodyAreRefused) {
  for (const char* name : {"log", "stats", "elsewhere"}) {
    std::filesystem::create_directory(home_ / name);
    settings_.server.checkpoint_file = "elsewhere/maui.ck";
    ::chmod((home_ / name).c_str(), 0777);
    const auto checked = check();
    ASSERT_FALSE(checked) << name;
    EXPECT_THAT(checked.error().what, HasSubstr(std::string(name) + "' may be written to by "));
    ::chmod((home_ / name).c_str(), 0755);
  }
  ::chmod(home_.path().c_str(), 01777);
  EXPECT_FALSE(check());
}

TEST_F(PrivateDirectories, OwnedByOthersAreRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  ASSERT_EQ(::chown(home_.path().c_str(), 65534, 65534), 0);
  const auto checked = check();
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().what, HasSubstr("belongs to user 65534"));
}

TEST_F(PrivateDirectories, OthersMayNoLongerOpenTheHomeDirectoryButUseFilesInIt) {
  const auto mode = [&] {
    struct stat about {};
    return ::stat(home_.path().c_str(), &about) == 0 ? about.st_mode & 07777 : 0;
  };
  ::chmod(home_.path().c_str(), 02755);
  const auto first = forbid_listing(home_.path());
  ASSERT_TRUE(first);
  EXPECT_TRUE(*first);
  EXPECT_EQ(mode(), 02751U) << "a group is the site's own choice";
  const auto second = forbid_listing(home_.path());
  ASSERT_TRUE(second);
  EXPECT_FALSE(*second) << "there is nothing to change";
}

}  // namespace
}  // namespace maui
