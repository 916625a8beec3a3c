// Limits of Slurm's QOS and associations.
#include "slurm/limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cluster_builders.h"

namespace maui::slurm {
namespace {

using testing::HasSubstr;

class LimitsTest : public testing::Test {
 protected:
  LimitsTest() {
    Qos high;
    high.name = "high";
    cluster.accounting.qos = {high};
    Association root, chem, ann;
    root.id = 1;
    chem.id = 2;
    chem.parent = 1;
    ann.id = 3;
    ann.parent = 2;
    cluster.accounting.associations = {root, chem, ann};
    job.qos = "high";
    job.account = "chem";
    job.association = 3;
  }
  Qos& qos() { return cluster.accounting.qos.front(); }
  Association& association(int index) {
    return cluster.accounting.associations[static_cast<std::size_t>(index)];
  }
  void run(int cpus, std::uint32_t of_association = 3, const std::string& user = "ann") {
    Job other = running(100 + static_cast<std::uint32_t>(cluster.jobs.size()), "n1");
    other.qos = "high";
    other.account = "chem";
    other.user = user;
    other.association = of_association;
    other.cpus = cpus;
    cluster.jobs.push_back(other);
  }
  Hindrance found() { return LimitUse(cluster).exceeded_by(job, {"batch"}); }

  Cluster cluster;
  Job job = waiting(7);
};

TEST_F(LimitsTest, WithoutLimitsNothingIsExceeded) {
  run(1000);
  EXPECT_FALSE(found());
}

TEST_F(LimitsTest, JobsOfAUserAreCountedInAQos) {
  qos().user.jobs = 2;
  run(1);
  run(1, 3, "bob");
  EXPECT_FALSE(found());
  run(1);
  EXPECT_THAT(found().why, HasSubstr("each user 2 jobs"));
  EXPECT_TRUE(found().passes);
}

TEST_F(LimitsTest, TheTotalLimitsOfAQosCount) {
  qos().together.cpus = 4;
  run(4, 3, "bob");
  EXPECT_TRUE(found());
  EXPECT_TRUE(found().passes);
}

TEST_F(LimitsTest, AJobThatIsTooLargeOrTooLongForItsQosNeverStarts) {
  qos().each.cpus = 4;
  job.cpus = 5;
  EXPECT_TRUE(found());
  EXPECT_FALSE(found().passes);
  job.cpus = 4;
  EXPECT_FALSE(found());
  qos().wall = 9;
  EXPECT_FALSE(found().passes);
}

TEST_F(LimitsTest, AJobThatAsksForMoreThanAllTogetherHaveNeverStarts) {
  qos().together.cpus = 4;
  job.cpus = 5;
  EXPECT_THAT(found().why, HasSubstr("has 4 CPUs at once, and the job asks for 5"));
  EXPECT_FALSE(found().passes);
  qos().together.cpus.reset();
  association(1).together.nodes = 2;
  job.min_nodes = 3;
  EXPECT_THAT(found().why, HasSubstr("has 2 nodes at once, and the job asks for 3"));
  EXPECT_FALSE(found().passes);
}

TEST_F(LimitsTest, ALimitOfNothingIsLiftedAgain) {
  association(2).jobs = 0;
  EXPECT_THAT(found().why, HasSubstr("has 0 jobs at once"));
  EXPECT_TRUE(found().passes);
}

TEST_F(LimitsTest, AnAssociationsLimitHoldsForAllUnderIt) {
  association(1).together.jobs = 1;
  run(1, 2, "bob");
  EXPECT_TRUE(found());
  EXPECT_TRUE(found().passes);
}

TEST_F(LimitsTest, MaxJobsIsTheJobsOwnAssociations) {
  association(1).jobs = 1;
  run(1);
  EXPECT_FALSE(found()) << "of the account above";
  association(2).jobs = 1;
  EXPECT_TRUE(found());
}

TEST_F(LimitsTest, LimitsOfTheQosOverrideThoseOfTheAssociation) {
  association(2).jobs = 1;
  qos().user.jobs = 5;
  run(1);
  EXPECT_FALSE(found());
}

TEST_F(LimitsTest, StartingJobsCountAsUse) {
  qos().user.jobs = 1;
  LimitUse use(cluster);
  EXPECT_FALSE(use.exceeded_by(job, {"batch"}));
  use.add(job);
  EXPECT_TRUE(use.exceeded_by(job, {"batch"}));
}

TEST_F(LimitsTest, ParentsInACircleEnd) {
  association(0).parent = 3;
  EXPECT_FALSE(found());
}

TEST_F(LimitsTest, WholeNodesCountWithAllTheirCpus) {
  cluster.nodes = {node("n1"), node("n2"), node("n3", 16)};
  association(0).together.cpus = 24;
  job.exclusive = true;
  job.min_nodes = job.max_nodes = 3;
  EXPECT_FALSE(found()) << "three times the least, until it is known where";
  job.nodes = "n1,n2,n3";
  EXPECT_THAT(found().why, HasSubstr("24 CPUs at once, and the job asks for 32"));
  job.nodes = "n1,n2";
  EXPECT_FALSE(found());
  job.exclusive = false;
  job.nodes = "n1,n2,n3";
  EXPECT_FALSE(found());
}

TEST_F(LimitsTest, ExclusiveJobsThatAreStartingHaveTheNodesThatTheyAreSentTo) {
  cluster.nodes = {node("n1"), node("n2"), node("n3", 16)};
  association(0).together.cpus = 24;
  Job first = waiting(8);
  first.association = 3;
  first.exclusive = true;
  first.priority = 1000;
  first.required_nodes = "n3";
  cluster.jobs = {first};
  job.tasks = 8;
  EXPECT_FALSE(found());
  job.tasks = 9;
  EXPECT_THAT(found().why, HasSubstr("16 are used"));
}

TEST_F(LimitsTest, AnExclusiveJobHasAsManyNodesAsItsTasksNeed) {
  cluster.nodes = {node("n1"), node("n2"), node("n3")};
  association(0).together.nodes = 1;
  job.exclusive = true;
  job.tasks = job.cpus = 9;
  EXPECT_THAT(found().why, HasSubstr("1 node at once, and the job asks for 2"));
}

TEST_F(LimitsTest, OnlyOurStartsCountAsRefusedForALimit) {
  job.priority = 1;
  job.reason = "QOSMaxCpuPerJobLimit";
  const auto refused = [&] {
    cluster.jobs = {job};
    return limit_refused(cluster);
  };
  EXPECT_TRUE(refused());
  job.reason = "Resources";
  EXPECT_FALSE(refused());
  job.reason = "AssocGrpCpuLimit";
  job.priority = 0;
  EXPECT_FALSE(refused()) << "it waits";
  job.priority = 1;
  job.het_job = 7;
  EXPECT_FALSE(refused()) << "Slurm starts it";
}

}  // namespace
}  // namespace maui::slurm
