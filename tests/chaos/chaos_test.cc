// Simulated days in which everything fails: the scheduler is killed at any moment and started
// again from what it has written, resource managers refuse, hang and garble, jobs and nodes vanish
// and return, nodes fail, the disk is full, the clock jumps.
//
// After each step: nothing is dedicated twice, no job is started twice or in spite of a hold that
// was promised.  After each restart: holds, priorities and reservations stand.  In the end: every
// job is accounted once.
// CHAOS_SEEDS says how many of them; each is the same whenever it is run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "base/text.h"
#include "chaos/mortal_scheduler_test.h"
#include "support/set_holds.h"

namespace maui::test {
namespace {

constexpr Seconds kStep{30}, kCheckpointInterval{300}, kChaos{24 * 3600};
constexpr Seconds kOutage{1200};        // the longest
constexpr Seconds kHidden{200};         // less than JOBPURGETIME
constexpr Seconds kEndsKept{4 * 3600};  // so long ends are told
constexpr int kInDoubt = 2;             // jobs

/// Promises of answered commands and written checkpoints.
struct Promises {
  std::map<std::string, SystemPriority> held;  // jobs with a system hold
  std::map<std::string, CheckpointedReservation> reservations;
};

class ChaosTest : public MortalSchedulerTest, public testing::WithParamInterface<int> {
 protected:
  ChaosTest() : MortalSchedulerTest(kStep) {
    clear(static_cast<unsigned>(GetParam()));
    settings_.jobs.purge_time = Seconds(900);
    settings_.jobs.sync_time = Seconds(600);
    settings_.jobs.defer_time = Seconds(600);
    const int count = 1 + GetParam() % 2;
    for (int i = 0; i < count; ++i) add_site(fmt::format("s{}", i), 6);
    boot();
  }

  void boot() {
    clock_.time = machine_ + jump_;
    start();
    looked_ = false;
    ups_ = 0;
  }
  void kill_and_boot() {
    ++kills_;
    // Some of what was under way arrives all the same.
    for (Question& question : std::exchange(questions_, {}))
      if (question.site->weather == Weather::fine && chance_.one_in(2))
        question.site->batch.answer(question.request);
    kill();
    if (chance_.one_in(3)) time_passes(Seconds(chance_.below(1500)));
    boot();
  }
  void time_passes(Seconds time) {
    machine_ = machine_ + time;
    for (auto& site : sites_) site->batch.advance(machine_);
  }

  /// Answers come one by one; at any of them the scheduler may be killed.
  bool pump(int kill_one_in) {
    while (!questions_.empty()) {
      if (kill_one_in > 0 && chance_.one_in(kill_one_in)) {
        kill_and_boot();
        return false;
      }
      const Question question = next_question();
      question.done(carry(*question.site, question.request, chance_, machine_));
    }
    return true;
  }

  void step(bool chaos) {
    time_passes(chaos ? Seconds(1 + chance_.below(59)) : kStep);
    if (chaos) {
      change_weather();
      trouble();
      users();
    }
    clock_.time = std::max(clock_.time, machine_ + jump_);
    if (!engine().iterating()) {
      scheduler_->hurry();
      engine().iterate([this] { look(); });
    }
    if (!pump(chaos ? 60 : 0)) return;
    if (engine().iterating()) return;
    disk_->flush();
    if (chaos && chance_.one_in(4)) command();
    if (!pump(chaos ? 60 : 0)) return;
    if (machine_ - checkpointed_ >= kCheckpointInterval) write();
    if (chaos && chance_.one_in(40)) kill_and_boot();
    judge();
  }

  void write() {
    scheduler_->write_checkpoint();
    checkpointed_ = machine_;
    if (disk_->full) return;
    first_checkpoint_ = std::min(first_checkpoint_, machine_);
    promise();
  }

  /// Takes what is on the disk as promised from here on.
  void promise() {
    promised_ = {};
    for (auto& site : sites_)
      for (auto& [name, job] : site->batch.jobs) job.kept_back = false;
    const Cluster& known = engine().cluster();
    for (const JobId id : known.jobs()) {
      const Job& job = known.job(id);
      if (!job.waiting() || !has(job.holds, Hold::system)) continue;
      promised_.held[job.name] = job.system_priority;
      if (BatchJob* truth = find(job.name)) truth->kept_back = true;
    }
    for (const auto& reservation : engine().checkpoint().reservations)
      promised_.reservations[reservation.terms.name] = reservation;
  }

  void look() {
    const auto records = engine().rm_records();
    const bool all_up = std::all_of(records.begin(), records.end(),
                                    [](const RmRecord& record) { return record.up; });
    if (!all_up) ups_ = 0;
    // A late answer is taken up one iteration later.
    if (looked_ || !all_up || ++ups_ < 2) return;
    looked_ = true;
    const Cluster& known = engine().cluster();
    for (const auto& [name, priority] : promised_.held) {
      const BatchJob* truth = find(name);
      if (truth == nullptr || !truth->waits() || truth->hidden_until > machine_) continue;
      const JobId id = known.find_job(name);
      ASSERT_TRUE(id.valid()) << name;
      EXPECT_TRUE(has(known.job(id).holds, Hold::system)) << name;
      EXPECT_EQ(known.job(id).system_priority, priority) << name;
    }
    for (const auto& [name, reservation] : promised_.reservations) {
      if (reservation.terms.end <= engine().now()) continue;
      EXPECT_TRUE(known.find_reservation(name).valid() || nodes_hidden(reservation)) << fmt::format(
          "{} on {} from {} to {} at {}", name, reservation.shares.front().node,
          reservation.terms.start.raw(), reservation.terms.end.raw(), engine().now().raw());
    }
  }

  bool nodes_hidden(const CheckpointedReservation& reservation) {
    return std::all_of(reservation.shares.begin(), reservation.shares.end(),
                       [&](const auto& share) {
                         const NodeId node = engine().cluster().find_node(share.node);
                         return !node.valid() || engine().cluster().node(node).purged;
                       });
  }

  void change_weather() {
    if (machine_ < weather_until_) return;
    for (auto& site : sites_)
      site->weather = chance_.one_in(3) ? static_cast<Weather>(chance_.below(4)) : Weather::fine;
    disk_->full = chance_.one_in(8);
    weather_until_ = machine_ + Seconds(60 + chance_.below(static_cast<int>(kOutage.raw()) - 60));
    if (chance_.one_in(10)) jump_ = Seconds(chance_.below(600) - 300);
  }

  void trouble() {
    for (auto& site : sites_) {
      FakeBatch& batch = site->batch;
      for (BatchNode& node : batch.nodes) {
        if (node.down && chance_.one_in(20)) node.down = false;
        if (chance_.one_in(800)) batch.fail_node(node);
        if (chance_.one_in(500)) node.hidden_until = machine_ + kHidden;
      }
      for (auto& [name, job] : batch.jobs)
        if (!job.ended_already() && chance_.one_in(800)) job.hidden_until = machine_ + kHidden;
      batch.forget_ended(kEndsKept);
    }
  }

  void users() {
    for (auto& site : sites_)
      if (chance_.one_in(8))
        site->batch.submit(1 + chance_.below(8), Seconds(600 + chance_.below(1500)),
                           Seconds(60 + chance_.below(1200)));
  }

  void command() {
    const Cluster& known = engine().cluster();
    const auto jobs = known.jobs();
    if (jobs.empty()) return;
    const JobId id = jobs[static_cast<std::size_t>(chance_.below(static_cast<int>(jobs.size())))];
    const Job& job = known.job(id);
    Status status = Done{};
    switch (chance_.below(8)) {
      case 0:
        if (job.waiting())
          status = set_holds(engine(), id, static_cast<std::uint8_t>(Hold::system));
        break;
      case 1:
      case 2:
        status = set_holds(engine(), id, 0);
        promised_.held.erase(job.name);
        if (BatchJob* truth = find(job.name)) truth->kept_back = false;
        break;
      case 3:
        promised_.held.erase(job.name);
        status = engine().set_system_priority(id, {false, 1 + chance_.below(100)});
        break;
      case 4:
        if (chance_.one_in(3)) status = engine().cancel_job(id);
        break;
      case 5:
        if (job.active())
          status = engine().preempt_job(id, static_cast<Preemption>(chance_.below(2)));
        else if (job.suspended())
          status = engine().resume_job(id);
        break;
      case 6:
        reserve();
        break;
      case 7:
        if (const auto all = known.reservations(); !all.empty())
          if (known.reservation(all.front()).kind != ReservationKind::job) {
            promised_.reservations.erase(known.reservation(all.front()).name);
            status = engine().release_reservation(all.front());
          }
        break;
    }
    write();
  }

  void reserve() {
    const auto nodes = engine().cluster().nodes();
    if (nodes.empty()) return;
    Reservation wanted;
    wanted.start = engine().now() + Seconds(chance_.below(7200));
    wanted.end = wanted.start + Seconds(600 + chance_.below(7200));
    wanted.nodes = {
        {nodes[static_cast<std::size_t>(chance_.below(static_cast<int>(nodes.size())))].id, 1, 0}};
    EXPECT_TRUE(engine().add_reservation(wanted));
  }

  BatchJob* find(const std::string& name) {
    for (auto& site : sites_)
      if (const auto at = site->batch.jobs.find(name); at != site->batch.jobs.end())
        return &at->second;
    return nullptr;
  }

  void judge() {
    const auto wrong = engine().cluster().check();
    ASSERT_FALSE(wrong) << *wrong;
    for (auto& site : sites_) ASSERT_TRUE(site->batch.wrongs.empty()) << site->batch.wrongs.front();
  }

  void run(Seconds length) {
    while (machine_ < kBegin + length && !HasFatalFailure()) step(true);
  }

  /// Fair weather until everything has ended.
  void release_all() {
    for (const JobId id : engine().cluster().jobs()) {
      EXPECT_TRUE(engine().cluster().job(id).holds == 0 || set_holds(engine(), id, 0));
      if (engine().cluster().job(id).suspension_reason->cause == SuspensionCause::by_hand)
        static_cast<void>(engine().resume_job(id));  // unless its nodes are in use
    }
    write();
  }

  void drain() {
    jump_ = Seconds(0);
    disk_->full = false;
    for (auto& site : sites_) {
      site->weather = Weather::fine;
      for (BatchNode& node : site->batch.nodes) node.down = false;
    }
    for (int i = 0; i < 3000 && !HasFatalFailure() && left() > 0; ++i) {
      if (i % 20 == 0) release_all();
      step(false);
    }
    for (int i = 0; i < 40; ++i) step(false);
    write();
  }
  int left() const {
    int count = 0;
    for (const auto& site : sites_)
      for (const auto& [name, job] : site->batch.jobs) count += job.ended_already() ? 0 : 1;
    return count;
  }

  void judge_records() {
    std::map<std::string, int> records;
    std::ifstream in(disk_->records_path());
    int ran = 0;
    for (std::string line; std::getline(in, line);) {
      const auto fields = words(line);
      ++records[std::string(fields[0])];
      ran += fields[9] == "0" ? 0 : 1;  // when it was started
    }
    for (const auto& site : sites_)
      for (const auto& [name, job] : site->batch.jobs) {
        EXPECT_TRUE(job.ended_already()) << name << " never ended";
        // A scheduler that is killed before its first checkpoint leaves nothing to go on from.
        if (job.ended < first_checkpoint_)
          EXPECT_LE(records[name], 1) << name;
        else
          EXPECT_EQ(records[name], 1) << name;
        EXPECT_LE(job.starts, job.returns + 1) << name;
      }
    // Statistics count each job that ran once; one that was removed while nobody knew whether it
    // ran may count either way.
    const auto counted = engine().statistics().all.jobs;
    EXPECT_GE(counted, ran - kInDoubt);
    EXPECT_LE(counted, ran + kInDoubt);
  }

  Time machine_ = kBegin, weather_until_ = kBegin + kStep, checkpointed_ = kBegin - kChaos;
  Time first_checkpoint_ = kForever;
  Seconds jump_{0};
  Promises promised_;
  int kills_ = 0;
  int ups_ = 0;          // iterations in a row in which all resource managers were up
  bool looked_ = false;  // since the last start, at answers of all resource managers
};

TEST_P(ChaosTest, NothingIsLostAndNothingIsDoneTwice) {
  run(kChaos);
  ASSERT_NO_FATAL_FAILURE(drain());
  judge_records();
  EXPECT_GT(kills_, 20);
}

INSTANTIATE_TEST_SUITE_P(Days, ChaosTest,
                         testing::Range(1, 1 + number_from_environment("CHAOS_SEEDS", 4)));

}  // namespace
}  // namespace maui::test
