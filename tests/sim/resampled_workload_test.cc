#include "sim/resampled_workload.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "sim/logged_job.h"

namespace maui {
namespace {

constexpr std::int64_t kWeekSeconds = 7 * kDaySeconds;

std::unique_ptr<Workload> made_up() {
  std::mt19937 random(8);
  std::vector<LoggedJob> jobs(1);
  jobs[0].name = "j0";
  jobs[0].user = "u0";
  jobs[0].started = Time(1'000'000);
  for (int i = 1; i < 300; ++i) {
    LoggedJob& job = jobs.emplace_back();
    job.name = "j" + std::to_string(i);
    job.user = "u" + std::to_string(random() % 7);
    job.submitted = Time(static_cast<std::int64_t>(random() % (10 * kWeekSeconds)));
    job.started = job.submitted;
  }
  for (auto& job : jobs) job.submitted = job.submitted + Seconds(1'000'000);
  for (auto& job : jobs) job.ended = job.submitted + Seconds(60), job.started = job.submitted;
  return make_workload(std::move(jobs), {});
}

using Weeks = std::map<std::string, std::set<std::int64_t>>;  // by user

TEST(ResampledWorkloadTest, EveryJobKeepsItsUserAndItsTimeOfTheWeek) {
  const auto original = made_up();
  std::map<std::string, std::pair<std::string, std::int64_t>> known;  // user and time of the week
  Weeks active;
  for (std::size_t i = 0; i < original->size(); ++i) {
    const auto job = original->job(i);
    const auto since = (original->submitted(i) - original->submitted(0)).raw();
    known[job.name] = {job.user, since % kWeekSeconds};
    active[job.user].insert(since / kWeekSeconds);
  }
  const auto drawn = resample(made_up(), 5);
  Weeks drawn_in;
  std::set<std::string> names;
  for (std::size_t i = 0; i < drawn->size(); ++i) {
    const auto job = drawn->job(i);
    const auto since = (drawn->submitted(i) - original->submitted(0)).raw();
    EXPECT_EQ(job.job.submitted, drawn->submitted(i));
    const auto& [user, clock] = known.at(job.name.substr(0, job.name.find('#')));
    EXPECT_EQ(job.user, user);
    EXPECT_EQ(since % kWeekSeconds, clock);
    drawn_in[user].insert(since / kWeekSeconds);
    EXPECT_TRUE(names.insert(job.name).second) << job.name;
    if (i > 0) {
      EXPECT_LE(drawn->submitted(i - 1), drawn->submitted(i));
    }
  }
  EXPECT_EQ(drawn_in, active);
}

TEST(ResampledWorkloadTest, ASeedDrawsTheSame) {
  const auto names = [](std::uint64_t seed) {
    const auto drawn = resample(made_up(), seed);
    std::vector<std::string> all;
    for (std::size_t i = 0; i < drawn->size(); ++i) all.push_back(drawn->job(i).name);
    return all;
  };
  EXPECT_EQ(names(1), names(1));
  EXPECT_NE(names(1), names(2));
}

}  // namespace
}  // namespace maui
