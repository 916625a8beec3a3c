// Names of credentials and consumables come with jobs, and go when nothing refers to them any more.
#include <fmt/format.h>

#include <algorithm>

#include "engine/engine_fixture.h"

namespace maui::test {
namespace {

class UnusedNamesTest : public EngineTest {
 protected:
  static constexpr int kJobs = 400;

  /// Jobs each of which has a user, a group, an account, a class, a QOS and a resource of its own
  /// come, wait for a minute and go.
  void flood(int rounds) {
    const int end = round_ + rounds;
    for (; round_ < end; ++round_) {
      Update& next = rm().next;
      for (int i = 0; i < kJobs; ++i) next.arrived.push_back(strange_job(i));
      tick();
      for (int i = 0; i < kJobs; ++i)
        rm().next.ended.push_back({fmt::format("{}.{}", round_, i), JobState::removed, kNow + at_});
      tick();
    }
  }
  JobReport strange_job(int number) const {
    const auto own = fmt::format("{}.{}", round_, number);
    JobReport report = job_report(own, 1);
    report.user = "u" + own;
    report.group = "g" + own;
    report.account = "a" + own;
    report.job_class = "c" + own;
    report.any_class = true;
    report.qos = "q" + own;
    report.generic = {{{"r" + own, 1}}};
    if (own_partitions_) report.partition = "p" + own;
    return report;
  }
  void tick() {
    at_ += minutes(1);
    iterate(at_);
  }
  /// The scheduler's own planner.
  std::function<Plan(const Cluster&, Time)> own_planner() {
    return [this, planner = cycle_planner()](const Cluster& all, Time when) mutable {
      return planner(all, settings, when);
    };
  }
  std::size_t most_known() {
    const Cluster& all = cluster();
    return std::max({all.users.size(), all.groups.size(), all.accounts.size(), all.classes.size(),
                     all.qos.size(), all.consumables.size(), all.credentials_known()});
  }

  Seconds at_{0};
  bool own_partitions_ = false;

 private:
  int round_ = 0;
};

TEST_F(UnusedNamesTest, NamesThatComeAndGoTakeNoMoreMemoryThanThoseThatAreThere) {
  begin({});
  flood(3);
  const auto known = most_known();
  EXPECT_GE(known, std::size_t{kJobs});
  flood(20);
  EXPECT_LE(most_known(), known + kJobs);
  EXPECT_EQ(cluster().check(), std::nullopt);
}

TEST_F(UnusedNamesTest, ReferencedNamesAreKept) {
  settings.users["configured"];
  settings.fairshare.metric = FairshareMetric::dedicated_proc_seconds;
  core_starts("ran", "n1", 1);
  JobReport ran = job_report("ran", 1), waits = job_report("waits", 1);
  ran.user = "runner";
  ran.account = "charged";
  waits.user = "waiter";
  waits.generic = {{{"licence", 2}}};
  begin({ran, waits});
  engine().names().users.intern("configured");
  Reservation closed;
  closed.name = "closed";
  closed.start = kNow;
  closed.nodes = {{node("n2"), 1, 0}};
  closed.access.add(AccessKind::group, engine().names().groups.intern("guests"));
  ASSERT_TRUE(engine().add_reservation(closed));
  rm().next.ended = {{"ran", JobState::completed, kNow + minutes(1)}};
  tick();
  flood(10);
  const Cluster& all = cluster();
  EXPECT_TRUE(all.users.find("configured").valid());
  EXPECT_EQ(all.users[job("waits").credentials.user], "waiter");
  const auto& extra = all.request_of(id("waits")).requirements.front().per_task.extra();
  ASSERT_EQ(extra.size(), 1U);
  EXPECT_EQ(all.consumables[extra.front().first], "licence");
  const auto& allowed = all.reservation(all.find_reservation("closed")).access.criteria.front();
  EXPECT_EQ(all.groups[GroupId(static_cast<std::uint32_t>(allowed.value))], "guests");
  const auto& totals = engine().statistics().users;
  const auto runner = all.users.find("runner");
  ASSERT_TRUE(runner.valid());
  EXPECT_TRUE(totals.contains(runner));
  EXPECT_GT(engine().fairshare().windows.front().used[CredentialKind::account].at(
                all.accounts.find("charged").index()),
            0);
}

TEST_F(UnusedNamesTest, PartitionsThatJobsMadeUpAreFreedAndThoseInUseAreKept) {
  own_partitions_ = true;
  JobReport waits = job_report("waits", 1);
  waits.partition = "wanted";
  begin({waits});
  NodeReport mine = node_report("n3", procs(2));
  mine.partition = "mine";
  rm().next.nodes = {mine};
  flood(20);
  EXPECT_LE(cluster().partitions.size(), std::size_t{1000 + 2 * kJobs});
  EXPECT_EQ(cluster().partitions[cluster().node(node("n3")).partition], "mine");
  EXPECT_EQ(cluster().partitions[cluster().request_of(id("waits")).partitions.front()], "wanted");
  EXPECT_EQ(cluster().partitions.find("DEFAULT"), PartitionId(0U));
  EXPECT_EQ(cluster().check(), std::nullopt);
}

TEST_F(UnusedNamesTest, AttributesThatNoNodeHasAnyMoreDoNotAddUp) {
  core = own_planner();
  begin({});
  for (int i = 1; i <= 1000; ++i) {
    rm().next.nodes = {node_report("n1", procs(2, i)), node_report("n2", procs(2, 2 * i))};
    tick();
  }
  EXPECT_LE(cluster().kinds(), 200U);
  EXPECT_EQ(cluster().check(), std::nullopt);
  JobReport large = job_report("large", 1), larger = job_report("larger", 1);
  large.request.requirements.front().per_task = procs(1, 1900);
  larger.request.requirements.front().per_task = procs(1, 2100);
  rm().next.arrived = {large, larger};
  tick();
  EXPECT_EQ(show(cluster(), job("large").placement), "n2:1");
  EXPECT_FALSE(job("larger").active());
}

// Whatever was worked out for a number is not taken for true of the name that it stands for next.
TEST_F(UnusedNamesTest, ANumberThatIsUsedAgainStandsForTheNewNameAlone) {
  settings.users["limited"].limits.active[index_of(LimitKind::job)] = Limit{1, 1};
  core = own_planner();
  begin({job_report("big", 4)});
  flood(10);
  const auto known = cluster().users.size();
  rm().next.ended = {{"big", JobState::completed, kNow + at_}};
  for (const char* name : {"first", "second"}) {
    rm().next.arrived.push_back(job_report(name, 1));
    rm().next.arrived.back().user = "limited";
  }
  tick();
  EXPECT_EQ(cluster().users.size(), known) << "it has the number of one that was given up";
  EXPECT_TRUE(job("first").active());
  EXPECT_FALSE(job("second").active());
}

}  // namespace
}  // namespace maui::test
