// Limited shared access: the owner of a reservation takes his nodes back (seed 7.1.5.2.5, example
// 5).
#include "sched/reservations/owner_preemption.h"

#include <gtest/gtest.h>

#include "sched/cycle.h"
#include "support/carry_out.h"
#include "support/scenario.h"

namespace maui::test {
namespace {

struct Shared {
  std::uint16_t flags = static_cast<std::uint16_t>(ReservationFlag::owner_preempt);
  std::string owner = "ACCOUNT:jupiter";
  Time start = kNow - hours(1);
  std::vector<std::string> nodes = {"n1"};
};

/// SRCFG[jupiter] HOSTLIST=n1 ACCOUNTLIST=jupiter,saturn- OWNER=ACCOUNT:jupiter FLAGS=OWNERPREEMPT
Cluster shared_cluster(Scenario scenario, const Shared& shared) {
  Cluster cluster = scenario.build();
  Reservation r;
  r.name = "jupiter.0.0";
  r.kind = ReservationKind::standing;
  r.start = shared.start;
  r.flags = shared.flags;
  r.owner = shared.owner;
  for (const std::string& node : shared.nodes) r.nodes.push_back({node_named(cluster, node), 1, 0});
  r.access.add(AccessKind::account, cluster.accounts.intern("jupiter"));
  r.access.add(AccessKind::account, cluster.accounts.intern("saturn"));
  r.access.criteria.back().affinity = Affinity::negative;
  cluster.add_reservation(std::move(r));
  return cluster;
}

std::string planned(Scenario scenario, const Shared& shared, const Settings& settings = {}) {
  const Cluster cluster = shared_cluster(std::move(scenario), shared);
  return decisions(cluster, plan(cluster, settings, kNow));
}

Scenario used_by(const std::string& account) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).job("guest").account(account).running_on({{"n1", 1}}, minutes(30));
  return scenario;
}

TEST(OwnerPreemption, TheOwnersJobTakesTheNodeOfAGuest) {
  EXPECT_EQ(planned(used_by("saturn").job("own").account("jupiter"), {}),
            "requeue guest for own\nstart own on n1:1\n");
}

TEST(OwnerPreemption, IgnoresThePriorityOfTheGuest) {
  Settings settings;
  settings.accounts["saturn"].priority = 1000;
  settings.priority.account.weight = 1;
  EXPECT_EQ(planned(used_by("saturn").job("own").account("jupiter"), {}, settings),
            "requeue guest for own\nstart own on n1:1\n");
}

TEST(OwnerPreemption, TheOwnersOwnJobsStay) {
  EXPECT_EQ(planned(used_by("jupiter").job("own").account("jupiter"), {}),
            "reserve own in 1800 s on n1:1\n");
}

TEST(OwnerPreemption, GuestsDoNotTakeFromEachOther) {
  EXPECT_EQ(planned(used_by("saturn").job("other").account("saturn"), {}),
            "reserve other in 1800 s on n1:1\n");
}

TEST(OwnerPreemption, AGuestDoesNotTakeTheNodesOfAnOwnerThatWouldTakeThemBack) {
  Settings settings;
  settings.qos["both"].flags = {"PREEMPTOR", "PREEMPTEE"};
  const auto made = [&](const std::string& account) {
    Scenario scenario;
    scenario.nodes(1, procs(1)).job("own").account("jupiter").qos("both");
    scenario.queued(hours(1)).running_on({{"n1", 1}}, minutes(30));
    return planned(scenario.job("guest").account(account).qos("both").queued(hours(2)), {},
                   settings);
  };
  EXPECT_EQ(made("saturn"), "reserve guest in 1800 s on n1:1\n");
  EXPECT_EQ(made("jupiter"), "requeue own for guest\nstart guest on n1:1\n");
}

// Otherwise the two would take each other's nodes in every iteration.
TEST(OwnerPreemption, AGuestDoesNotTakeAnOwnersJobElsewhereThatWouldTakeTheNodesInTurn) {
  Settings settings;
  settings.qos["up"].flags = {"PREEMPTOR"};
  settings.qos["down"].flags = {"PREEMPTEE"};
  const auto made = [&](const std::string& owner) {
    Scenario scenario;
    scenario.nodes(2, procs(1)).job("own").account(owner).qos("down");
    scenario.running_on({{"n2", 1}}, minutes(30));
    return planned(scenario.job("guest").account("saturn").qos("up").tasks(2), {}, settings);
  };
  EXPECT_EQ(made("jupiter"), "reserve guest in 1800 s on n2:1 n1:1\n");
  EXPECT_EQ(made("mars"), "requeue own for guest\nstart guest on n2:1 n1:1\n");
}

TEST(OwnerPreemption, TheOwnersJobTakesTheNodeOfAGuestThatCouldTakeItElsewhere) {
  Settings settings;
  settings.qos["up"].flags = {"PREEMPTOR"};
  settings.qos["up"].priority = 100;
  settings.qos["down"].flags = {"PREEMPTEE"};
  settings.priority.qos.weight = 1;
  EXPECT_EQ(
      planned(used_by("saturn").qos("up").job("own").account("jupiter").qos("down"), {}, settings),
      "requeue guest for own\nstart own on n1:1\n");
}

TEST(OwnerPreemption, WithoutTheFlagTheGuestStays) {
  EXPECT_EQ(planned(used_by("saturn").job("own").account("jupiter"), {0, "ACCOUNT:jupiter"}),
            "reserve own in 1800 s on n1:1\n");
}

TEST(OwnerPreemption, AccessAloneDoesNotMakeAnOwner) {
  const Shared others{static_cast<std::uint16_t>(ReservationFlag::owner_preempt), "USER:tom"};
  EXPECT_EQ(planned(used_by("saturn").job("own").account("jupiter"), others),
            "reserve own in 1800 s on n1:1\n");
}

TEST(OwnerPreemption, JobsOutsideOfTheReservationStay) {
  Scenario scenario;
  scenario.nodes(2, procs(1)).job("guest").account("saturn").running_on({{"n2", 1}});
  scenario.job("mine").account("jupiter").running_on({{"n1", 1}}, minutes(30));
  EXPECT_EQ(planned(scenario.job("own").account("jupiter"), {}), "reserve own in 1800 s on n1:1\n");
}

TEST(OwnerPreemption, TheGuestGoesOnlyWhereTheOwnerCannotRunElsewhere) {
  EXPECT_EQ(planned(used_by("saturn").nodes(1, procs(1)).job("own").account("jupiter"), {}),
            "start own on n2:1\n");
}

TEST(OwnerPreemption, OnlyWhileTheReservationIsActive) {
  Shared later;
  later.start = kNow + minutes(5);
  EXPECT_EQ(planned(used_by("saturn").job("own").account("jupiter"), later),
            "reserve own in 1800 s on n1:1\n");
}

TEST(OwnerPreemption, ThePolicySaysWhatIsDoneToTheGuest) {
  Settings settings;
  settings.jobs.preemption = Preemption::suspend;
  EXPECT_EQ(planned(used_by("saturn").job("own").account("jupiter"), {}, settings),
            "suspend guest for own\nstart own on n1:1\n");
}

// It would have to leave again at once.
TEST(OwnerPreemption, ASuspendedGuestDoesNotResumeBeforeAnOwnerThatWaits) {
  Settings settings;
  settings.accounts["saturn"].priority = 1000;
  settings.priority.account.weight = 1;
  const auto made = [&](Scenario scenario, const Shared& shared) {
    Cluster cluster = shared_cluster(std::move(scenario), shared);
    cluster.suspend_job(job_named(cluster, "guest"), kNow - minutes(1));
    return decisions(cluster, plan(cluster, settings, kNow));
  };
  const auto own = used_by("saturn").job("own").account("jupiter");
  EXPECT_EQ(made(own, {}).substr(0, 18), "start own on n1:1\n");
  EXPECT_EQ(made(own, {0, "ACCOUNT:jupiter"}).substr(0, 13), "resume guest\n");
  settings.accounts["saturn"].priority = 0;
  settings.accounts["mars"].priority = 1000;
  const auto passed = used_by("saturn").job("first").account("mars").job("own").account("jupiter");
  EXPECT_EQ(made(passed, {}).substr(0, 18), "start own on n1:1\n");
}

/// Guests have the higher priority.
Settings guests_first() {
  Settings settings;
  settings.accounts["saturn"].priority = 1000;
  settings.priority.account.weight = 1;
  return settings;
}

TEST(OwnerPreemption, AGuestDoesNotStartBeforeAnOwnerThatWaits) {
  const auto made = [](int tasks) {
    Shared both;
    both.nodes = {"n1", "n2"};
    Scenario scenario;
    scenario.nodes(2, procs(1)).job("guest").account("saturn");
    scenario.job("first").account("jupiter").running_on({{"n2", 1}}, minutes(30));
    return planned(scenario.job("own").account("jupiter").tasks(tasks), both, guests_first());
  };
  EXPECT_EQ(made(1), "start own on n1:1\nreserve guest in 1800 s on n2:1\n");
  EXPECT_EQ(made(2), "start guest on n1:1\nreserve own in 3600 s on n1:1 n2:1\n");
}

// The owner's job needs both nodes: it waited until "first" had left n1.
TEST(OwnerPreemption, NoGuestComesToTheNodesForWhichAnOwnerPreemptsAnother) {
  Shared both;
  both.nodes = {"n1", "n2"};
  for (const Preemption how : {Preemption::requeue, Preemption::suspend}) {
    SCOPED_TRACE(static_cast<int>(how));
    Scenario scenario;
    scenario.nodes(2, procs(1)).job("guest").account("saturn");
    if (how == Preemption::suspend) scenario.running_on({{"n1", 1}}, minutes(30));
    scenario.job("other").account("saturn").running_on({{"n2", 1}}, minutes(30));
    Cluster cluster = shared_cluster(scenario.job("own").account("jupiter").tasks(2), both);
    Settings settings = guests_first();
    settings.jobs.preemption = how;
    if (how == Preemption::suspend)
      cluster.suspend_job(job_named(cluster, "guest"), kNow - minutes(1));
    const Plan made = plan(cluster, settings, kNow);
    EXPECT_EQ(
        decisions(cluster, made, kNow),
        how == Preemption::suspend
            ? "suspend other for own\nstart own on n2:1 n1:1\n"
            : "requeue other for own\nstart own on n2:1 n1:1\nreserve guest in 3600 s on n2:1\n");
    EXPECT_EQ(made.starts, 1U);
    carry_out(cluster, made, kNow);
    EXPECT_EQ(cluster.check(), std::nullopt);
  }
}

// The guest of n1 waits for the owner, and n2 remains for the next job.
TEST(OwnerPreemption, OthersGetTheNodesThatAGuestLeavesToThem) {
  Shared first;
  Scenario scenario;
  scenario.nodes(2, procs(1)).job("guest").account("saturn").tasks(2);
  scenario.job("own").account("jupiter").job("other").account("mars");
  Settings settings = guests_first();
  EXPECT_EQ(planned(scenario, first, settings),
            "start own on n1:1\nbackfill other on n2:1\nreserve guest in 3600 s on n2:1 n1:1\n");
}

/// Preemptors come first, then jobs that they may preempt.
Settings preemptors_first() {
  Settings settings;
  settings.priority.qos.weight = 1;
  settings.qos["up"].flags = {"PREEMPTOR"};
  settings.qos["up"].priority = 1000;
  settings.qos["down"].flags = {"PREEMPTEE"};
  settings.qos["down"].priority = 500;
  return settings;
}

/// Guests go to the reservation first.
void attract_guests(Cluster& cluster) {
  const ReservationId id = cluster.reservations().front();
  Reservation preferred = cluster.reservation(id);
  preferred.access.criteria.back().affinity = Affinity::positive;
  cluster.change_reservation(id, preferred);
}

// The owner takes the reservation that it starts in, so it takes the other node at once.
TEST(OwnerPreemption, AGuestThatGivesWayToTheOwnerTakesAnotherJobInTheSamePlan) {
  for (const char* mine : {"n1", "n2"}) {
    Shared one;
    one.nodes = {mine};
    Scenario scenario;
    scenario.nodes(2, procs(1)).job("guest").account("saturn").qos("up");
    scenario.job("other").account("saturn").qos("down");
    Cluster cluster = shared_cluster(scenario.job("own").account("jupiter"), one);
    attract_guests(cluster);
    EXPECT_EQ(started(cluster, plan(cluster, preemptors_first(), kNow)), "own guest") << mine;
  }
}

// `own` gives way to `mine`, and could then take the node of `small`, which has started since.
TEST(OwnerPreemption, AnOwnerThatHasToWaitTakesAGuestThatHasStartedSince) {
  Settings settings = preemptors_first();
  settings.backfill = BackfillPolicy::none;
  settings.priority.queue_time.weight = 0;
  settings.qos["both"].flags = {"PREEMPTOR", "PREEMPTEE"};
  settings.qos["both"].priority = 700;
  Scenario scenario;
  scenario.nodes(1, procs(4)).job("big").account("saturn").qos("up").tasks(4).limit(minutes(50));
  scenario.job("small").account("saturn").qos("up").limit(minutes(76));
  scenario.job("mine").account("jupiter").qos("both").limit(minutes(41));
  scenario.job("own").account("jupiter").qos("down").tasks(3).limit(minutes(76));
  scenario.job("more").account("jupiter").qos("down").tasks(4).limit(minutes(26));
  Cluster cluster = shared_cluster(scenario, {});
  carry_out(cluster, plan(cluster, settings, kNow), kNow);
  const std::string next = decisions(cluster, plan(cluster, settings, kNow));
  EXPECT_EQ(next.find("requeue"), std::string::npos) << next;
}

// The owner takes the guest, so the reservation goes to the guest, and not to the job below it that
// would keep the preemptor from the owner's nodes.
TEST(OwnerPreemption, ReservationsAreMadeForTheJobsThatWaitOnceAnOwnerHasTakenAStart) {
  Settings settings = preemptors_first();
  settings.priority.queue_time.weight = 0;
  settings.qos["both"].flags = {"PREEMPTOR", "PREEMPTEE"};
  settings.qos["both"].priority = 70;
  Scenario scenario;
  scenario.nodes(2, procs(4)).job("guest").account("saturn").qos("down").limit(minutes(14));
  scenario.job("large").account("saturn").qos("down").tasks(8).limit(minutes(53));
  scenario.job("small").account("jupiter").qos("both").limit(minutes(39));
  scenario.job("own").account("jupiter").qos("both").tasks(8).limit(minutes(12));
  Cluster cluster = shared_cluster(scenario, {});
  attract_guests(cluster);
  const Plan made = plan(cluster, settings, kNow);
  EXPECT_EQ(started(cluster, made), "small guest");
  carry_out(cluster, made, kNow);
  EXPECT_EQ(started(cluster, plan(cluster, settings, kNow)), "");
}

// The guest could start only on both nodes, which the owner would take back at once.
TEST(OwnerPreemption, NoJobLeavesForAGuestThatWouldHaveToGiveWayToTheOwner) {
  Scenario scenario;
  scenario.nodes(2, procs(1)).job("guest").account("saturn").qos("up").tasks(2);
  scenario.job("low").account("mars").qos("down").running_on({{"n2", 1}}, minutes(30));
  scenario.job("own").account("jupiter").tasks(2);
  const std::string made = planned(scenario, {}, preemptors_first());
  EXPECT_EQ(made.find("requeue"), std::string::npos) << made;
  EXPECT_EQ(made.find("start"), std::string::npos) << made;
}

TEST(Owners, AreCredentialsOfAnyKind) {
  Cluster cluster = Scenario()
                        .nodes(1, procs(1))
                        .classes({{"batch", 1}})
                        .job("j")
                        .by("tom", "staff")
                        .account("chem")
                        .in_class("batch")
                        .qos("high")
                        .build();
  const auto& who = cluster.job(job_named(cluster, "j")).credentials;
  const auto owned_by = [&](const char* owner) {
    Reservation r;
    r.owner = owner;
    return owns(cluster, r, who);
  };
  for (const char* mine :
       {"USER:tom", "tom", "GROUP:staff", "ACCOUNT:chem", "CLASS:batch", "QOS:high"})
    EXPECT_TRUE(owned_by(mine)) << mine;
  for (const char* not_mine : {"USER:amy", "GROUP:tom", "staff", "ACCOUNT:", "", "QOS:low"})
    EXPECT_FALSE(owned_by(not_mine)) << not_mine;
}

// --- PREEMPTEE ------------------------------------------------------------------------

std::string with_preemptee(Scenario scenario, bool flag) {
  Settings settings;
  settings.qos["high"].flags = {"PREEMPTOR"};
  Cluster cluster = scenario.build();
  Reservation r;
  r.name = "weak.0";
  if (flag) put(r.flags, ReservationFlag::preemptee);
  r.nodes = {{node_named(cluster, "n1"), 1, 0}};
  cluster.add_reservation(std::move(r));
  return decisions(cluster, plan(cluster, settings, kNow));
}

TEST(PreempteeReservation, GivesWayToPreemptorsAsALastResort) {
  const auto job = [](int nodes, const char* qos) {
    Scenario scenario;
    scenario.nodes(nodes, procs(1)).job("p").qos(qos);
    return scenario;
  };
  EXPECT_EQ(with_preemptee(job(1, "high"), true), "start p on n1:1\n");
  EXPECT_EQ(with_preemptee(job(2, "high"), true), "start p on n2:1\n");
  EXPECT_EQ(with_preemptee(job(1, "low"), true), "");
  EXPECT_EQ(with_preemptee(job(1, "high"), false), "");
}

}  // namespace
}  // namespace maui::test
