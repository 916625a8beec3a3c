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
#include "sim/trace_text.h"
#include "support/scripted_rm.h"
#include "support/silent_observer.h"

namespace maui {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

/// The number of runs that are kept of the jobs of each user with each request, and the log.
struct Learned {
  std::vector<std::size_t> runs;
  std::vector<std::string> lines;
};

Learned learned_from(const std::vector<std::string>& files, std::string* error = nullptr) {
  test::HandClock clock;
  clock.time = Time(1'000'000'000);
  test::SilentObserver observer;
  Engine engine({}, std::make_unique<test::ScriptedRm>(), clock, observer);
  Learned learned;
  const Status status =
      relearn(engine, files, [&](std::string_view line) { learned.lines.emplace_back(line); });
  EXPECT_EQ(status.has_value(), error == nullptr);
  if (!status && error != nullptr) *error = status.error().what;
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

TEST(Relearn, FilesWithNothingToLearnAreRefusedWithTheReasons) {
  const test::Folder folder;
  const auto old = folder.write("old", {test::job_line("a")});
  const auto others = folder.write(
      "others", {test::with(test::job_line("b"), 6, "0"), test::with(test::job_line("c"), 6, "0"),
                 test::with(test::with(test::job_line("d"), 7, "NotRun"), 11, "0")});
  std::string error;
  const Learned nothing = learned_from({old, others}, &error);
  EXPECT_EQ(error,
            "--relearn: these files have no jobs to learn from: 1 job ended longer ago than "
            "HISTORYAGE, 2 jobs had no wallclock limit, 1 job never ran; learned run times are "
            "kept");
  EXPECT_THAT(nothing.lines, Contains("WARNING: 2 jobs of '" + others +
                                      "' had no wallclock limit and are ignored"));
}

}  // namespace
}  // namespace maui
