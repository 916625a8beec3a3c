// Run times that are learned from files (maui --relearn).
#include "daemon/relearn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/temporary_directory.h"
#include "support/scripted_rm.h"
#include "support/silent_observer.h"

namespace maui {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// The number of runs that are kept of the jobs of each user with each request, and the log.
struct Learned {
  std::vector<std::size_t> runs;
  std::vector<std::string> lines;
};

Learned learned_from(const std::vector<std::string>& files) {
  test::HandClock clock;
  clock.time = Time(1'000'000'000);
  test::SilentObserver observer;
  Engine engine({}, std::make_unique<test::ScriptedRm>(), clock, observer);
  Learned learned;
  const Status status =
      relearn(engine, files, [&](std::string_view line) { learned.lines.emplace_back(line); });
  EXPECT_TRUE(status) << status.error().what;
  for (const auto& ring : engine.learning().memory().rings)
    learned.runs.push_back(ring.runs.size());
  return learned;
}

TEST(Relearn, AFileThatIsGivenTwiceIsLearnedFromOnce) {
  const TemporaryDirectory home;
  const std::string path = home / "log.swf", link = home / "link.swf";
  std::ofstream(path) << "; UnixStartTime: 999990000\n; MaxNodes: 4\n; MaxProcs: 4\n"
                         "1 0 -1 50 1 -1 -1 1 100 -1 1 7 1 -1 -1 -1 -1 -1\n"
                         "2 9 -1 60 1 -1 -1 1 100 -1 1 7 1 -1 -1 -1 -1 -1\n";
  std::filesystem::create_symlink(path, link);
  const Learned once = learned_from({path});
  ASSERT_FALSE(once.runs.empty());
  const Learned again = learned_from({path, link, path});
  EXPECT_EQ(again.runs, once.runs);
  EXPECT_THAT(
      again.lines,
      ElementsAre(HasSubstr("run times of 2 jobs were learned from"),
                  "WARNING: '" + link + "' is the same file as '" + path + "': its jobs count once",
                  "WARNING: '" + path + "' is given more than once: its jobs count once"));
}

}  // namespace
}  // namespace maui
