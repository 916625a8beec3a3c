// showhist, showstats -t, showgrid -t and checkjob of what only the history knows.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "cmd/command_fixture.h"
#include "history/history_index.h"
#include "sim/trace_text.h"

namespace maui::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Jobs 1 and 2 of amy and 3 of bob ended, each an hour after the other, the last of them now.
class HistoryTest : public CommandTest {
 protected:
  HistoryTest() {
    server.reader = std::make_shared<history::HistoryReader>(folder.path());
    std::vector<std::string> records, events;
    for (int i = 1; i <= 3; ++i) {
      const auto end = kNow.raw() - (3 - i) * 3600;
      auto line = with(job_line(std::to_string(i)), 4, i < 3 ? "amy" : "bob");
      line = with(with(line, 9, std::to_string(end - 1000)), 10, std::to_string(end - 900));
      line = with(with(line, 11, std::to_string(end - 900)), 12, std::to_string(end));
      if (i == 2) line = with(line, 8, "[NONE]");
      records.push_back(with(with(line, 26, "proj" + std::to_string(i)), 38, "n1:n2"));
      events.push_back(fmt::format("JOB {} {} {} {} insufficient_idle_procs:{}-{}", i, end - 1000,
                                   end, i, end - 1000, end - 900));
      events.push_back(fmt::format("USE {} 60 120 240 60 0", end / 60 * 60));
    }
    events.push_back(fmt::format("RES maint.0 standing {} {} 2 4", kNow.raw() - 600, kNow.raw()));
    folder.write("stats.2001_09_09", records);
    folder.write("history.2001_09_09", events);
    read_files();
  }
  void read_files() {
    history::HistoryIndex index(folder.path(), [](const std::string&) {});
    index.begin();
    while (index.go_on(std::chrono::milliseconds(100), Time(0))) {
    }
  }
  std::vector<std::string> names(const std::string& line, const std::string& user = "root") {
    std::vector<std::string> all;
    for (const CompletedRow& row : get<HistoryReply>(line, user).jobs) all.push_back(row.name);
    return all;
  }

  Folder folder;
};

TEST_F(HistoryTest, AdministratorsSeeAllJobsAndOthersTheirOwn) {
  EXPECT_THAT(names("showhist -s 1970-01-01"), ElementsAre("1", "2", "3"));
  EXPECT_THAT(names("showhist -s 1970-01-01", "help"), ElementsAre("1", "2", "3"));
  EXPECT_THAT(names("showhist -s 1970-01-01", "amy"), ElementsAre("1", "2"));
  EXPECT_EQ(why_not("showhist 3", "amy"), "the history has no such job of yours: 3");
  EXPECT_EQ(why_not("showhist nosuch"), "the history has no such job: nosuch");
  EXPECT_EQ(why_not("showhist 1 nosuch"), "(done)");
  EXPECT_THAT(names("showhist -s 1970-01-01 -u amy", "amy"), ElementsAre("1", "2"));
  EXPECT_THAT(why_not("showhist -u bob", "amy"), HasSubstr("not authorized"));
  EXPECT_THAT(why_not("showhist -r", "amy"), HasSubstr("not authorized"));
  EXPECT_THAT(why_not("showhist -m", "amy"), HasSubstr("not authorized"));
}

TEST_F(HistoryTest, JobsAreChosenByTimeCredentialsNodesAndName) {
  const auto hour_ago = std::to_string(kNow.raw() - 3600);
  EXPECT_THAT(names("showhist -s " + hour_ago), ElementsAre("2", "3"));
  EXPECT_THAT(names("showhist -s 1970-01-01 -e " + hour_ago), ElementsAre("1", "2"));
  EXPECT_THAT(names("showhist -e " + hour_ago), ElementsAre("1", "2"));
  EXPECT_THAT(names("showhist -e 2001-09-09"), IsEmpty()) << "of the day before";
  EXPECT_THAT(names("showhist -s 1970-01-01 -a proj1,proj3"), ElementsAre("1", "3"));
  EXPECT_THAT(names("showhist -s 1970-01-01 -n n[2-4]").size(), 3U);
  EXPECT_THAT(names("showhist -s 1970-01-01 -n n3"), IsEmpty());
  EXPECT_THAT(names("showhist 2 3"), ElementsAre("2", "3"));
  EXPECT_EQ(get<HistoryReply>("showhist 2").jobs.at(0).exit_code, 2);
  EXPECT_EQ(get<HistoryReply>("showhist 2").jobs.at(0).job_class, "[NONE]");
}

TEST_F(HistoryTest, TheNumberOfAJobIsEnough) {
  folder.write("stats.2001_09_08", {with(job_line("77.host"), 4, "amy")});
  read_files();
  EXPECT_EQ(get<EndedJobReply>("checkjob 77", "amy").job.name, "77.host");
  EXPECT_THAT(names("showhist 77"), ElementsAre("77.host"));
  EXPECT_EQ(why_not("showhist 7"), "the history has no such job: 7");
  EXPECT_THAT(why_not("checkjob 77", "bob"), HasSubstr("'77'"));
}

TEST_F(HistoryTest, NoMoreNodesAreNamedThanThereAre) {
  EXPECT_THAT(why_not("showhist -n n[1-501],m[1-500]", "amy"),
              HasSubstr("showhist: -n: it names 1001 hosts: expected at most 1000"));
  EXPECT_THAT(names("showhist -s 1970-01-01 -n n[1-500],m[1-500]", "amy"), ElementsAre("1", "2"));
}

TEST_F(HistoryTest, CheckjobKnowsWhatTheHistoryKnows) {
  const auto reply = get<EndedJobReply>("checkjob 2", "amy");
  EXPECT_EQ(reply.job.exit_code, 2);
  EXPECT_DOUBLE_EQ(reply.limit_used, 150);
  EXPECT_THAT(reply.waits,
              ElementsAre(WaitPeriod{"insufficient idle procs", kNow.raw() - 3600 - 1000,
                                     kNow.raw() - 3600 - 900}));
  EXPECT_THAT(why_not("checkjob 3", "amy"), HasSubstr("'3'"));
  EXPECT_THAT(why_not("checkjob 4"), HasSubstr("'4'"));
  EXPECT_THAT(why_not("checkjob -n n1 2"), HasSubstr("which has ended"));
}

TEST_F(HistoryTest, StatisticsOfAPeriodCountWhatEndedInIt) {
  const auto all = get<ProfileReply>("showstats -t 1970-01-01");
  EXPECT_EQ(all.completed_jobs, 3);
  EXPECT_DOUBLE_EQ(all.dedicated_proc_hours, 3 * 2 * 900 / 3600.0);
  EXPECT_DOUBLE_EQ(all.total_proc_hours, 3 * 240 / 3600.0);
  const auto users = get<CredentialStatisticsReply>("showstats -u -t 1970-01-01");
  ASSERT_EQ(users.rows.size(), 2U);
  EXPECT_EQ(users.rows[0].name, "amy");
  EXPECT_EQ(users.rows[0].jobs, 2);
  const auto own = get<CredentialStatisticsReply>("showstats -u -t 1970-01-01", "bob");
  ASSERT_EQ(own.rows.size(), 1U);
  EXPECT_EQ(own.rows[0].name, "bob");
  EXPECT_THAT(why_not("showstats -t 1970-01-01", "bob"), HasSubstr("not authorized"));
  EXPECT_EQ(users.since, 0);
  EXPECT_EQ(users.until, kNow.raw());
  EXPECT_EQ(get<GridReply>("showgrid JOBCOUNT -t 1970-01-01").samples, 3);
  EXPECT_EQ(get<GridReply>("showgrid JOBCOUNT -t 1970-01-01,1970-01-02").samples, 0);
  EXPECT_EQ(get<GridReply>("showgrid JOBCOUNT -t 1970-01-01,1970-01-02").until, 86400);
  EXPECT_EQ(get<GridReply>("showgrid JOBCOUNT").until, -1) << "it goes on";
  EXPECT_THAT(why_not("showstats -n -t 1970-01-01"), HasSubstr("-t can be combined only with"));
}

TEST_F(HistoryTest, ReservationsAndUseAreReported) {
  const auto past = get<ReservationHistoryReply>("showhist -r -s 1970-01-01");
  EXPECT_THAT(past.reservations, ElementsAre(PastReservationRow{
                                     "maint.0", "standing", kNow.raw() - 600, kNow.raw(), 2, 4}));
  const auto use =
      get<UtilisationHistoryReply>("showhist -m -s " + std::to_string(kNow.raw() - 4 * 3600));
  EXPECT_EQ(use.step, 60);
  ASSERT_EQ(use.steps.size(), 3U);
  EXPECT_DOUBLE_EQ(use.steps[0].busy_procs, 2);
  EXPECT_DOUBLE_EQ(use.steps[0].up_procs, 4);
  EXPECT_EQ(get<UtilisationHistoryReply>("showhist -m -s 1970-01-01").step, 3600);
}

TEST_F(HistoryTest, AMissingHistoryIsReported) {
  server.reader = std::make_shared<history::HistoryReader>("/nowhere");
  EXPECT_THAT(why_not("showhist"), HasSubstr("the history cannot be read: /nowhere/history.db"));
  server.reader.reset();
  EXPECT_THAT(why_not("showhist"), HasSubstr("a simulation keeps no history"));
  EXPECT_THAT(why_not("showstats -t 1970-01-01"), HasSubstr("a simulation keeps no history"));
}

}  // namespace
}  // namespace maui::test
