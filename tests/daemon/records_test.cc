// The files in STATDIR while the scheduler runs.
#include "daemon/files/records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
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

// Another scheduler may account these jobs in the same directory.
TEST(RecordsTest, InTestModeFairshareIsReadAndNothingIsWritten) {
  const TemporaryDirectory directory;
  std::ofstream(directory / "FS.86400") << "USER amy 40.00\nTOTAL 90.00\n";
  const auto file = [&] {
    std::ifstream in(directory / "FS.86400");
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const auto before = file();
  Records records(
      ServerMode::test, [](int, std::string_view, std::string_view) {}, [](const std::string&) {});
  records.open(directory.path(), Time(90000));
  FairshareSettings settings;
  settings.interval = Seconds(86400);
  Cluster cluster;
  FairshareHistory history = records.read_fairshare(settings, Time(90000), cluster);
  ASSERT_EQ(history.windows.size(), 1u);
  EXPECT_GT(history.windows[0].total, 0);
  records.fairshare_changed(cluster, history, history.windows[0], true);
  Job job;
  job.name = "a";
  job.ended = Time(90000);
  EXPECT_FALSE(records.job_ended(cluster, cluster.add_job(job, {}), "a record", 0));
  records.history()->end(Time(90000));
  EXPECT_TRUE(records.write());
  EXPECT_EQ(records.history()->reader(), nullptr);
  EXPECT_TRUE(records.can_move_to(directory / "elsewhere", Time(90000)));
  records.open(directory / "elsewhere", Time(90000));
  EXPECT_EQ(file(), before);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory.path()), {}), 1);
}

}  // namespace
}  // namespace maui
