#include "history/history_index.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "history/history_query.h"
#include "history/schema.h"
#include "sim/trace_text.h"

namespace maui::history {
namespace {

using test::Folder;
using test::job_line;
using test::with;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAreArray;

/// A record of a job of that user that ended then.
std::string record(const std::string& name, const std::string& user, int ended) {
  return with(with(job_line(name), 4, user), 12, std::to_string(ended));
}

struct HistoryIndexTest : testing::Test {
  Folder folder;
  std::shared_ptr<HistoryReader> reader = std::make_shared<HistoryReader>(folder.path());
  std::vector<std::string> told;

  HistoryIndex index() {
    return HistoryIndex(folder.path(), [this](const std::string& line) { told.push_back(line); });
  }
  std::string path(const std::string& name) const { return folder.path() + "/" + name; }
  void append(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::app) << text;
  }
  /// Reads all that there is.
  static void read_all(HistoryIndex& index) {
    while (index.go_on(std::chrono::milliseconds(5), Time(0))) {
    }
  }
  void update() {
    auto made = index();
    made.begin();
    read_all(made);
  }
  std::vector<KnownJob> jobs(const JobSelection& selection = {}) const {
    std::vector<KnownJob> found;
    auto query = JobQuery::open(reader, selection, true);
    EXPECT_TRUE(query) << query.error().what;
    for (bool more = static_cast<bool>(query); more;) {
      const auto step = query->step([&](KnownJob job) { found.push_back(std::move(job)); });
      EXPECT_TRUE(step) << step.error().what;
      more = step && *step;
    }
    return found;
  }
  std::vector<std::string> names(const JobSelection& selection = {}) const {
    std::vector<std::string> found;
    for (const auto& known : jobs(selection)) found.push_back(known.job.name);
    return found;
  }
};

TEST_F(HistoryIndexTest, ADatabaseThatIsALinkIsNotFollowed) {
  append("stats.2026_11_01", record("a", "amy", 1400) + "\n");
  std::filesystem::create_symlink("made", path("history.db"));
  update();
  EXPECT_FALSE(std::filesystem::exists(path("made")));
  EXPECT_THAT(told, Contains(HasSubstr("history.db: it is a link, not a file")));
  std::filesystem::remove(path("history.db"));
  update();
  std::filesystem::rename(path("history.db"), path("made"));
  std::filesystem::create_symlink("made", path("history.db"));
  EXPECT_FALSE(reader->open());
}

TEST_F(HistoryIndexTest, ALinkToItsDirectoryIsFollowed) {
  append("stats.2026_11_01", record("a", "amy", 1400) + "\n");
  const Folder elsewhere;
  const auto link = elsewhere.path() + "/stats";
  std::filesystem::create_directory_symlink(folder.path(), link);
  HistoryIndex made(link, [this](const std::string& line) { told.push_back(line); });
  made.begin();
  read_all(made);
  EXPECT_THAT(told, IsEmpty());
  EXPECT_THAT(names(), ElementsAre("a"));
}

TEST_F(HistoryIndexTest, ReadsRecordsAndWhatStandsBesideThem) {
  append("stats.2026_11_01", "VERSION 230\n# JobID\n" + record("a", "amy", 1400) + "\n");
  append("history.2026_11_01", "JOB a 1000 1400 3 policy:1000-1100\nRES r.0 standing 1 9 2 4\n");
  update();
  const auto found = jobs();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].job.who[CredentialKind::user], "amy");
  EXPECT_EQ(found[0].exit_code, 3);
  EXPECT_THAT(found[0].waits, ElementsAre(Wait{"policy", Time(1000), Time(1100)}));
  auto query = RowQuery<PastReservation>::open(reader, Time(0), Time(100));
  ASSERT_TRUE(query);
  std::vector<PastReservation> reservations;
  ASSERT_TRUE(query->step(
      [&](const PastReservation& reservation) { reservations.push_back(reservation); }));
  EXPECT_THAT(reservations,
              ElementsAre(PastReservation{"r.0", "standing", Time(1), Time(9), 2, 4}));
  EXPECT_THAT(told, IsEmpty());
}

TEST_F(HistoryIndexTest, ReadsFilesThatTheSiteHasCompressedOnce) {
  append("stats.2026_11_01", "VERSION 230\n# JobID\n" + record("a", "amy", 1400) + "\n");
  ASSERT_EQ(std::system(("gzip -k " + path("stats.2026_11_01")).c_str()), 0);
  update();
  EXPECT_EQ(jobs().size(), 1U) << "the plain file counts while it is there";
  std::filesystem::remove(path("stats.2026_11_01"));
  update();
  EXPECT_EQ(jobs().size(), 1U);
  std::filesystem::remove(path("history.db"));
  update();
  EXPECT_EQ(jobs().size(), 1U) << "as the compressed file tells";
}

TEST_F(HistoryIndexTest, ReadsTheRestOfAFileThatWasCompressedMeanwhile) {
  append("stats.2026_11_01", "VERSION 230\n# JobID\n" + record("a", "amy", 1400) + "\n");
  update();
  append("stats.2026_11_01", record("b", "amy", 1500) + "\n");
  ASSERT_EQ(std::system(("gzip " + path("stats.2026_11_01")).c_str()), 0);
  for (int i = 0; i < 2; ++i) {
    update();
    EXPECT_EQ(jobs().size(), 2U);
  }
}

TEST_F(HistoryIndexTest, OpensACompressedFileOnce) {
  constexpr int kJobs = 8000;
  std::string text;
  for (int i = 0; i < kJobs; ++i) text += record(fmt::format("a{}", i), "amy", 1400) + "\n";
  ASSERT_GT(text.size(), 1U << 20U);
  append("stats.2026_11_01", text);
  ASSERT_EQ(std::system(("gzip " + path("stats.2026_11_01")).c_str()), 0);
  auto made = index();
  made.begin();
  EXPECT_TRUE(made.go_on(HistoryIndex::Clock::duration(0), Time(0)));
  std::filesystem::remove(path("stats.2026_11_01.gz"));
  read_all(made);
  EXPECT_EQ(jobs().size(), std::size_t{kJobs});
}

TEST_F(HistoryIndexTest, KnowsHowLongAJobWasSuspended) {
  append("stats.2026_11_01", with(record("a", "amy", 1400), 44, "SUSPENDTIME=100;") + "\n");
  update();
  ASSERT_EQ(jobs().size(), 1U);
  const RecordedJob job = jobs()[0].job;
  EXPECT_EQ(job.run(), job.ended - job.started - Seconds(100));
}

int descriptors() {
  const std::filesystem::directory_iterator open("/proc/self/fd");
  return static_cast<int>(std::distance(begin(open), end(open)));
}

// A user who asks on many connections would have all descriptors, and a cache for each.
TEST_F(HistoryIndexTest, QuestionsUnderWayShareOneDatabase) {
  append("stats.2026_11_01", record("a", "amy", 1400) + "\n");
  update();
  const int before = descriptors();
  std::vector<JobQuery> many;
  for (int i = 0; i < 50; ++i) many.push_back(*JobQuery::open(reader, {}, true));
  EXPECT_LE(descriptors(), before + 4);
  for (JobQuery& query : many) {
    int found = 0;
    while (*query.step([&](const KnownJob&) { ++found; })) {
    }
    EXPECT_EQ(found, 1);
  }
  // One that has been put in its place is another.
  ASSERT_TRUE(remove_database(folder.path()));
  append("stats.2026_11_01", record("b", "bob", 1500) + "\n");
  update();
  EXPECT_THAT(names(), ElementsAre("a", "b"));
  many.clear();
  EXPECT_LE(descriptors(), before) << "it is closed when nobody reads it";
}

// Reading the hosts of a large job takes as long as reading many small ones.
TEST_F(HistoryIndexTest, AStepReadsSoManyHostsWhereNodesAreAskedFor) {
  std::string lines;
  for (int i = 0; i < 60; ++i)
    lines += with(record(fmt::format("j{}", i), "amy", 1400 + i / 2), 38,
                  i % 2 == 0 ? "n[1-3000]:m1" : "n[3001-6000]:m2") +
             "\n";
  append("stats.2026_11_01", lines);
  update();
  JobSelection selection;
  selection.nodes = {"m2"};
  EXPECT_EQ(names(selection).size(), 30U) << "none is left out, and none comes twice";
  auto query = JobQuery::open(reader, selection, true);
  ASSERT_TRUE(query);
  int found = 0;
  const auto step = query->step([&](const KnownJob&) { ++found; });
  ASSERT_TRUE(step && *step);
  EXPECT_LT(found, 5) << "of the first step";
}

TEST_F(HistoryIndexTest, AStepLooksUpSoManyNumbersOfJobs) {
  append("stats.2026_11_01", record("7.host", "amy", 1400) + "\n" + record("8", "amy", 1500) +
                                 "\n" + record("77.host", "amy", 1600) + "\n");
  update();
  JobSelection selection;
  selection.names = {"7", "8"};
  for (int i = 0; i < 1000; ++i) selection.names.insert(fmt::format("unknown{}", i));
  auto query = JobQuery::open(reader, selection, true);
  ASSERT_TRUE(query && query->let_names_be_numbers());
  std::vector<std::string> found;
  int steps = 0;
  for (bool more = true; more; ++steps) {
    const auto step = query->step([&](const KnownJob& known) { found.push_back(known.job.name); });
    ASSERT_TRUE(step) << step.error().what;
    more = *step;
    if (steps < 5) {
      ASSERT_TRUE(more && found.empty()) << "step " << steps;
    }
  }
  EXPECT_THAT(found, ElementsAre("7.host", "8"));
  EXPECT_GT(steps, 1000) << "each name is a search of its own";
}

TEST_F(HistoryIndexTest, GoesOnWhereItEndedAndWaitsForTheEndOfALine) {
  const auto line = record("a", "amy", 1400) + "\n";
  append("stats.2026_11_01", line + line.substr(0, 20));
  update();
  EXPECT_THAT(names(), ElementsAre("a"));
  append("stats.2026_11_01", line.substr(20));
  append("stats.2026_11_01", record("b", "bob", 1500) + "\n");
  update();
  EXPECT_THAT(names(), ElementsAre("a", "a", "b"));
  update();
  EXPECT_EQ(names().size(), 3U);
}

TEST_F(HistoryIndexTest, FollowsNotedFiles) {
  auto made = index();
  made.begin();
  read_all(made);
  append("stats.2026_11_01", record("a", "amy", 1400) + "\n");
  EXPECT_FALSE(made.go_on(std::chrono::milliseconds(5), Time(0)));
  made.note(path("stats.2026_11_01"));
  read_all(made);
  EXPECT_THAT(names(), ElementsAre("a"));
}

TEST_F(HistoryIndexTest, AJobIsNeverKnownWithoutWhatStandsBesideItsRecord) {
  auto made = index();
  made.begin();
  append("stats.2026_11_01", record("a", "amy", 1400) + "\n");
  append("history.2026_11_01", "JOB a 1000 1400 3 -\n");
  made.note(path("stats.2026_11_01"));
  made.note(path("history.2026_11_01"));
  for (bool more = true; more;) {
    more = made.go_on(std::chrono::milliseconds(0), Time(0));
    for (const auto& job : jobs()) EXPECT_EQ(job.exit_code, 3);
  }
  EXPECT_EQ(names().size(), 1U);
}

TEST_F(HistoryIndexTest, LinesThatAreNoRecordsArePassedOver) {
  append("stats.2026_11_01", "nonsense\n" + record("a", "amy", 1400) + "\n\n");
  append("history.2026_11_01", "nonsense\nJOB a\n");
  append("stats.sim", record("simulated", "amy", 1400) + "\n");
  update();
  EXPECT_THAT(names(), ElementsAre("a"));
}

TEST_F(HistoryIndexTest, MinutesAddUp) {
  append("history.2026_11_01", "USE 60 20 40 80 20 0\nUSE 60 40 0 160 40 80\n");
  update();
  auto query = RowQuery<MinuteOfUse>::open(reader, Time(0), Time(100));
  ASSERT_TRUE(query);
  std::vector<MinuteOfUse> minutes;
  ASSERT_TRUE(query->step([&](const MinuteOfUse& minute) { minutes.push_back(minute); }));
  EXPECT_THAT(minutes, ElementsAre(MinuteOfUse{Time(60), 60, 40, 240, 60, 80}));
}

TEST_F(HistoryIndexTest, ForgetsWhatIsTooOld) {
  append("stats.2026_11_01", record("old", "amy", 1400) + "\n" + record("new", "amy", 5000) + "\n");
  append("history.2026_11_01", "JOB old 1000 1400 0 -\nUSE 60 20 40 80 20 0\n");
  update();
  ASSERT_EQ(names().size(), 2U);
  auto made = index();
  made.begin();
  while (made.go_on(std::chrono::milliseconds(5), Time(3000))) {
  }
  EXPECT_THAT(names(), ElementsAre("new"));
  auto database = open_for_reading(folder.path());
  ASSERT_TRUE(database);
  EXPECT_EQ(*database->ask("SELECT count(*) FROM minutes"), 0);
  EXPECT_EQ(*database->ask("SELECT count(*) FROM ends"), 0);
}

TEST_F(HistoryIndexTest, AnUnusableDatabaseIsSetAsideAndRebuilt) {
  append("stats.2026_11_01", record("a", "amy", 1400) + "\n");
  const auto expect_made_anew = [&](const std::string& why) {
    told.clear();
    update();
    EXPECT_THAT(names(), ElementsAre("a")) << why;
    EXPECT_THAT(told, ElementsAre(HasSubstr("rebuilt"))) << why;
    EXPECT_TRUE(std::filesystem::exists(path("history.db.unusable"))) << why;
  };
  std::ofstream(path("history.db")) << std::string(8192, 'x');
  expect_made_anew("no database");
  {
    auto database = sqlite::Database::open(path("history.db"), sqlite::Database::Mode::create);
    ASSERT_TRUE(database->run("PRAGMA user_version = 999"));
  }
  expect_made_anew("another version");
  ASSERT_TRUE(remove_database(folder.path()));
  {
    auto database = sqlite::Database::open(path("history.db"), sqlite::Database::Mode::create);
    ASSERT_TRUE(database->run("CREATE TABLE theirs (a)"));
  }
  expect_made_anew("somebody else's");
}

TEST_F(HistoryIndexTest, ADatabaseThatAQueryFindsDamagedIsRebuilt) {
  append("stats.2026_11_01", record("a", "amy", 1400) + "\n");
  update();
  auto made = index();  // what it knows of the file is in its cache
  made.begin();
  read_all(made);
  std::fstream(path("history.db"), std::ios::in | std::ios::out) << "no database any more";
  EXPECT_FALSE(JobQuery::open(made.reader(), {}, true));
  read_all(made);
  EXPECT_THAT(told, ElementsAre(HasSubstr("the history is damaged and is rebuilt")));
  EXPECT_THAT(names(), ElementsAre("a"));
  read_all(made);
  EXPECT_EQ(told.size(), 1U) << "once";
}

TEST_F(HistoryIndexTest, ARemovedOrReplacedDatabaseIsRebuilt) {
  append("stats.2026_11_01", record("a", "amy", 1400) + "\n");
  const auto expect_made_anew = [&](const std::function<void()>& lose, const std::string& why) {
    auto made = index();
    made.begin();
    read_all(made);
    auto expected = names();
    lose();
    told.clear();
    append("stats.2026_11_01", record("b", "amy", 1500) + "\n");
    made.note(path("stats.2026_11_01"));
    read_all(made);
    expected.push_back("b");
    EXPECT_THAT(names(), UnorderedElementsAreArray(expected)) << why;
    ASSERT_FALSE(told.empty()) << why;
    EXPECT_THAT(told.front(), HasSubstr("was removed or replaced")) << why;
  };
  expect_made_anew([&] { ASSERT_TRUE(remove_database(folder.path())); }, "all of it");
  expect_made_anew([&] { std::filesystem::remove(path("history.db")); }, "the file alone");
  expect_made_anew(
      [&] {
        std::filesystem::remove(path("history.db"));
        std::ofstream(path("history.db")) << std::string(8192, 'x');
      },
      "another file in its place");
}

TEST_F(HistoryIndexTest, AFileThatHasBecomeShorterHasAllMadeAnew) {
  append("stats.2026_11_01", record("a", "amy", 1400) + "\n" + record("b", "amy", 1500) + "\n");
  update();
  folder.write("stats.2026_11_01", {record("c", "amy", 1600)});
  update();
  EXPECT_THAT(names(), ElementsAre("c"));
  EXPECT_THAT(told, ElementsAre(HasSubstr("is shorter than the part already read")));
}

TEST_F(HistoryIndexTest, AnIndexThatCannotBeKeptIsReportedOnce) {
  HistoryIndex nowhere("/nowhere/stats", [this](const std::string& line) { told.push_back(line); });
  nowhere.begin();
  EXPECT_FALSE(nowhere.go_on(std::chrono::milliseconds(5), Time(0)));
  nowhere.note("/nowhere/stats/stats.2026_11_01");
  EXPECT_FALSE(nowhere.go_on(std::chrono::milliseconds(5), Time(0)));
  EXPECT_FALSE(nowhere.done());
  EXPECT_THAT(told, ElementsAre(HasSubstr("cannot be written now")));
}

TEST_F(HistoryIndexTest, QuestionsComeInTheOrderOfEndsWhateverIndexAnswersThem) {
  std::mt19937 random(testing::UnitTest::GetInstance()->random_seed());
  struct Row {
    int ended;
    std::string name, user, account, job_class;
  };
  std::vector<Row> rows;
  for (int i = 0; i < 1500; ++i)
    rows.push_back({2000 + static_cast<int>(random() % 300), fmt::format("j{}", i / 2),
                    fmt::format("u{}", random() % 3), fmt::format("a{}", random() % 3),
                    fmt::format("c{}", random() % 3)});
  for (const Row& row : rows)
    append(fmt::format("stats.2026_11_0{}", 1 + row.ended / 100 % 3),
           with(with(record(row.name, row.user, row.ended), 26, row.account), 8,
                "[" + row.job_class + ":1]") +
               "\n");
  update();
  const auto expect_like = [&](const JobSelection& selection, const auto& fits) {
    std::vector<std::pair<int, std::string>> expected, found;
    for (const Row& row : rows)
      if (fits(row)) expected.emplace_back(row.ended, row.name);
    for (const auto& known : jobs(selection))
      found.emplace_back(static_cast<int>(known.job.ended.raw()), known.job.name);
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end(),
                               [](const auto& a, const auto& b) { return a.first < b.first; }));
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, expected);
  };
  JobSelection selection;
  selection.ended_from = Time(2050);
  selection.ended_by = Time(2250);
  const auto in_time = [](const Row& row) { return row.ended >= 2050 && row.ended <= 2250; };
  expect_like(selection, in_time);
  selection.who[CredentialKind::account] = {"a1"};
  expect_like(selection, [&](const Row& row) { return in_time(row) && row.account == "a1"; });
  selection.who[CredentialKind::user] = {"u2"};
  expect_like(selection, [&](const Row& row) {
    return in_time(row) && row.account == "a1" && row.user == "u2";
  });
  selection.who[CredentialKind::user] = {"u0", "u1"};
  selection.who[CredentialKind::account] = {};
  expect_like(selection, [&](const Row& row) { return in_time(row) && row.user != "u2"; });
  for (int i = 3; i < 1000; ++i) selection.who[CredentialKind::user].insert(fmt::format("u{}", i));
  expect_like(selection, [&](const Row& row) { return in_time(row) && row.user != "u2"; });
  selection.who[CredentialKind::user] = {};
  selection.who[CredentialKind::job_class] = {"c0", "c2", "nosuch"};
  expect_like(selection, [&](const Row& row) { return in_time(row) && row.job_class != "c1"; });
  selection.who[CredentialKind::job_class] = {};
  for (int i = 0; i < 700; i += 7) selection.names.insert(fmt::format("j{}", i));
  expect_like(selection, [&](const Row& row) {
    const int number = std::stoi(row.name.substr(1));
    return in_time(row) && number % 7 == 0 && number < 700;
  });
}

TEST_F(HistoryIndexTest, AQuestionReadsTheJobsOfThoseWhomItNamesAndNoOthers) {
  std::string text;
  for (int i = 0; i < 6000; ++i) text += record(fmt::format("j{}", i), "amy", 2000 + i) + "\n";
  for (const auto* name : {"bob", "cid"}) {
    auto line = with(with(record(name, name, 5000), 5, name), 8, fmt::format("[{}:1]", name));
    text += with(with(line, 26, name), 24, fmt::format("{0}:{0}", name)) + "\n";
  }
  append("stats.2026_11_01", text);
  update();
  for (const auto kind : kCredentialKinds) {
    JobSelection selection;
    selection.who[kind] = {"cid", "bob"};
    auto query = JobQuery::open(reader, selection, true);
    ASSERT_TRUE(query) << query.error().what;
    std::vector<std::string> found;
    int steps = 1;
    while (*query->step([&](const KnownJob& known) { found.push_back(known.job.name); })) ++steps;
    EXPECT_THAT(found, ElementsAre("bob", "cid"));
    EXPECT_LE(steps, 3) << "of some hundreds of jobs each";
  }
}

/// Everything in the tables, but for where it stands.
std::vector<std::string> content(const std::string& directory) {
  std::vector<std::string> rows;
  auto database = open_for_reading(directory);
  EXPECT_TRUE(database) << database.error().what;
  for (const auto* sql :
       {"SELECT 'job' || name || user || ended || hosts || state FROM jobs ORDER BY 1",
        "SELECT 'end' || name || submitted || exit_code || waits FROM ends ORDER BY 1",
        "SELECT 'res' || name || start || end FROM reservations ORDER BY 1",
        "SELECT 'use' || start || ' ' || seconds || ' ' || busy FROM minutes ORDER BY 1",
        "SELECT 'file' || name || read_to FROM files ORDER BY 1"}) {
    auto statement = database->prepare(sql);
    EXPECT_TRUE(statement) << statement.error().what;
    for (auto row = statement->step(); row && *row; row = statement->step())
      rows.push_back(statement->text(0));
  }
  return rows;
}

TEST_F(HistoryIndexTest, KeptThroughSuddenEndsItIsWhatMakingItAnewGives) {
  std::mt19937 random(testing::UnitTest::GetInstance()->random_seed());
  const auto chance = [&](unsigned of) { return random() % of == 0; };
  auto made = std::make_unique<HistoryIndex>(folder.path(), [](const std::string&) {});
  made->begin();
  std::string unfinished;  // of a line that is written in two parts
  for (int i = 0; i < 600; ++i) {
    const auto file = fmt::format("stats.2026_11_0{}", 1 + i / 200);
    const auto event = fmt::format("history.2026_11_0{}", 1 + i / 200);
    if (chance(10)) append(event, fmt::format("USE {} 30 {} 90 1 1\n", i / 3 * 60, random() % 60));
    if (chance(20)) append(event, fmt::format("RES r.{} standing {} {} 1 1\n", i, i, i + 5));
    append(event, fmt::format("JOB j{} 1000 {} {} -\n", i, 2000 + i, random() % 3));
    const auto line = record(fmt::format("j{}", i), "amy", 2000 + i) + "\n";
    const auto half = chance(5) ? line.size() / 2 : line.size();
    append(file, line.substr(0, half));
    made->note(path(file));
    made->note(path(event));
    if (chance(3)) made->go_on(std::chrono::microseconds(random() % 300), Time(0));
    append(file, line.substr(half));
    made->note(path(file));
    if (chance(40)) {  // as it is left by a sudden end: nothing is closed or written back
      made = std::make_unique<HistoryIndex>(folder.path(), [](const std::string&) {});
      made->begin();
    }
  }
  read_all(*made);
  made.reset();
  const auto kept = content(folder.path());
  ASSERT_TRUE(remove_database(folder.path()));
  update();
  EXPECT_EQ(content(folder.path()), kept);
  EXPECT_GT(kept.size(), 1200U);
}

}  // namespace
}  // namespace maui::history
