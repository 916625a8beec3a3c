// The files in STATDIR while the scheduler runs.
#include "daemon/files/records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/temporary_directory.h"
#include "maui/fairshare.h"

namespace maui {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// The next scheduler would forget a window without a file.
TEST(RecordsTest, AFairshareWindowThatCouldNotBeWrittenIsWrittenOnceOthersCanBe) {
  const TemporaryDirectory directory;
  std::vector<std::string> failures;
  Records records(
      ServerMode::normal, [](int, std::string_view, std::string_view) {},
      [&](const std::string& why) { failures.push_back(why); });
  records.open(directory.path(), Time(3000));
  const Cluster cluster;
  FairshareHistory history;
  history.complete_until = Time(3000);
  history.windows = {{Time(2000), Seconds(1000), 7, {}}, {Time(1000), Seconds(1000), 5, {}}};
  const auto change = [&](std::size_t which) {
    records.fairshare_changed(cluster, history, history.windows[which], which == 1);
  };
  const auto in_the_way = directory / "FS.1000";
  std::filesystem::create_directory(in_the_way);
  change(1);
  EXPECT_THAT(records.unwritten_fairshare(), ElementsAre(Time(1000)));
  change(0);
  EXPECT_THAT(records.unwritten_fairshare(), ElementsAre(Time(1000)));
  EXPECT_THAT(failures, Contains(HasSubstr("FS.1000")));
  std::filesystem::remove(in_the_way);
  change(0);
  EXPECT_THAT(records.unwritten_fairshare(), IsEmpty());
  EXPECT_TRUE(std::filesystem::is_regular_file(in_the_way));
}

}  // namespace
}  // namespace maui
