// The sentences of seed 7.1.5.2.3 and 7.1.5.2.4.
#include "maui/access_list.h"

#include <gtest/gtest.h>

#include "maui/reservation.h"

namespace maui {
namespace {

constexpr UserId kHelpdesk{0U}, kAmy{1U};
constexpr GroupId kOperations{0U}, kSysadmin{1U}, kPhysics{2U};
constexpr AccountId kProjectX{0U}, kProjectY{1U}, kProjectZ{2U};
constexpr ClassId kInteractive{0U}, kBatch{1U};
constexpr QosId kHigh{0U}, kLow{1U}, kSpecial{2U}, kPlain{3U};

template <class IdType>
AccessCriterion named(AccessKind kind, IdType id, Affinity affinity = Affinity::positive) {
  return {kind, static_cast<std::int64_t>(id.raw()), Comparison::at_most, affinity};
}
template <class IdType>
AccessCriterion barred(AccessKind kind, IdType id) {
  AccessCriterion criterion = named(kind, id);
  criterion.negated = true;
  return criterion;
}
AccessCriterion required(AccessCriterion criterion) {
  criterion.required = true;
  return criterion;
}
AccessCriterion overlap(std::int64_t seconds) { return {AccessKind::time, seconds}; }

Applicant job(UserId user, GroupId group = {}, AccountId account = {}, ClassId job_class = {},
              QosId qos = {}) {
  Applicant applicant;
  applicant.who = {user, group, account, job_class, qos};
  return applicant;
}

// SRCFG[special] TIMELIMIT=1:00:00* QOSLIST=high,low,special- ACCOUNTLIST=!projectX,!projectY
AccessList special() {
  return {{barred(AccessKind::account, kProjectX), barred(AccessKind::account, kProjectY),
           named(AccessKind::qos, kHigh), named(AccessKind::qos, kLow),
           named(AccessKind::qos, kSpecial, Affinity::negative), required(overlap(3600))}};
}

TEST(AccessListTest, AnEmptyListAdmitsNobody) {
  EXPECT_FALSE(AccessList{}.admission(job(kAmy)).admitted);
}

TEST(AccessListTest, AnyOneOfTheListsIsEnough) {
  const AccessList debug{{named(AccessKind::user, kHelpdesk), named(AccessKind::group, kOperations),
                          named(AccessKind::group, kSysadmin)}};
  EXPECT_TRUE(debug.admission(job(kHelpdesk, kPhysics)).admitted);
  EXPECT_TRUE(debug.admission(job(kAmy, kSysadmin)).admitted);
  EXPECT_FALSE(debug.admission(job(kAmy, kPhysics)).admitted);
  EXPECT_EQ(debug.admission(job(kHelpdesk)).overlap, kUnlimited);
}

TEST(AccessListTest, ARequiredTimeLimitGoesTogetherWithOneOfTheOthers) {
  const auto high = special().admission(job(kAmy, {}, {}, {}, kHigh));
  EXPECT_EQ(high, (Admission{true, Seconds(3600), Affinity::positive}));
  EXPECT_TRUE(special().admission(job(kAmy, {}, kProjectZ, {}, kPlain)).admitted);
  EXPECT_FALSE(special().admission(job(kAmy, {}, {}, {}, kPlain)).admitted);
}

TEST(AccessListTest, ATimeLimitThatIsNotRequiredIsOneWayInAmongOthers) {
  const AccessList list{{named(AccessKind::user, kHelpdesk), overlap(3600)}};
  EXPECT_EQ(list.admission(job(kHelpdesk)).overlap, kUnlimited);
  EXPECT_EQ(list.admission(job(kAmy)).overlap, Seconds(3600));
}

TEST(AccessListTest, ATimeLimitAloneAdmitsAnybodyForSoLong) {
  EXPECT_EQ(AccessList{{overlap(60)}}.admission(job(kAmy)).overlap, Seconds(60));
  EXPECT_EQ(AccessList{{required(overlap(60))}}.admission(job(kAmy)).overlap, Seconds(60));
}

TEST(AccessListTest, AllRequiredListsMustBeMet) {
  const AccessList list{{required(named(AccessKind::group, kPhysics)),
                         required(named(AccessKind::job_class, kInteractive))}};
  EXPECT_TRUE(list.admission(job(kAmy, kPhysics, {}, kInteractive)).admitted);
  EXPECT_FALSE(list.admission(job(kAmy, kPhysics, {}, kBatch)).admitted);
  EXPECT_FALSE(list.admission(job(kAmy, kOperations, {}, kInteractive)).admitted);
}

TEST(AccessListTest, ARequiredListIsNotEnoughWhereThereAreOthers) {
  const AccessList list{
      {required(named(AccessKind::group, kPhysics)), named(AccessKind::user, kHelpdesk)}};
  EXPECT_FALSE(list.admission(job(kAmy, kPhysics)).admitted);
  EXPECT_TRUE(list.admission(job(kHelpdesk, kPhysics)).admitted);
}

TEST(AccessListTest, ANotEntryIsMetByEveryOtherAccount) {
  const AccessList list{{barred(AccessKind::account, kProjectX)}};
  EXPECT_TRUE(list.admission(job(kAmy, {}, kProjectZ)).admitted);
  EXPECT_FALSE(list.admission(job(kAmy, {}, kProjectX)).admitted);
  EXPECT_FALSE(list.admission(job(kAmy)).admitted) << "a job without an account has none of them";
}

TEST(AccessListTest, ANotEntryExcludesWhateverElseIsMet) {
  EXPECT_FALSE(special().admission(job(kAmy, {}, kProjectX, {}, kHigh)).admitted);
}

TEST(AccessListTest, AffinityIsThatOfTheEntryAndPositiveByDefault) {
  EXPECT_EQ(special().admission(job(kAmy, {}, {}, {}, kSpecial)).affinity, Affinity::negative);
  EXPECT_EQ(special().admission(job(kAmy, {}, {}, {}, kLow)).affinity, Affinity::positive);
  const AccessList list{{named(AccessKind::qos, kPlain, Affinity::neutral)}};
  EXPECT_EQ(list.admission(job(kAmy, {}, {}, {}, kPlain)).affinity, Affinity::neutral);
}

TEST(AccessListTest, TheLastResortStaysNegativeIfAnotherListMatches) {
  EXPECT_EQ(special().admission(job(kAmy, {}, kProjectZ, {}, kSpecial)).affinity,
            Affinity::negative);
}

TEST(AccessListTest, JobAttributesAdmitTheirJobs) {
  const AccessList list{
      {{AccessKind::job_attribute, static_cast<std::int64_t>(JobFlag::preemptee)}}};
  Applicant applicant = job(kAmy);
  EXPECT_FALSE(list.admission(applicant).admitted);
  put(applicant.flags, JobFlag::preemptee);
  EXPECT_TRUE(list.admission(applicant).admitted);
}

TEST(AccessListTest, LimitsOfProcessorsAndTasksAreBounds) {
  const AccessList list{{{AccessKind::procs, 8, Comparison::at_most}}};
  const AccessList wide{{{AccessKind::tasks, 8, Comparison::more}}};
  Applicant applicant = job(kAmy);
  applicant.procs = applicant.tasks = 8;
  EXPECT_TRUE(list.admission(applicant).admitted);
  EXPECT_FALSE(wide.admission(applicant).admitted);
  applicant.procs = applicant.tasks = 9;
  EXPECT_FALSE(list.admission(applicant).admitted);
  EXPECT_TRUE(wide.admission(applicant).admitted);
}

TEST(AccessListTest, ByNameAdmitsOnlyThoseWhoAskForIt) {
  Reservation reservation;
  reservation.name = "test.0.0";
  reservation.standing = "test";
  reservation.access = {{named(AccessKind::user, kAmy)}};
  put(reservation.flags, ReservationFlag::by_name);
  Applicant applicant = job(kAmy);
  EXPECT_FALSE(admission(reservation, applicant).admitted);
  applicant.requested = "test.0.0";
  EXPECT_TRUE(admission(reservation, applicant).admitted);
  applicant.requested = "test";
  EXPECT_TRUE(admission(reservation, applicant).admitted);
  applicant.requested = "other";
  EXPECT_FALSE(admission(reservation, applicant).admitted);
  EXPECT_FALSE(admission(reservation, job(kHelpdesk)).admitted);
}

}  // namespace
}  // namespace maui
