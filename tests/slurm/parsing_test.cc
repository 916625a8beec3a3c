// Texts of Slurm's: arrays, generic resources, licences, constraints, our own notes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "cluster_builders.h"
#include "slurm/features.h"
#include "slurm/gate.h"
#include "slurm/gres.h"
#include "slurm/lists.h"
#include "slurm/start_note.h"

namespace maui::slurm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(GateTest, IsAmongThePluginsOrMissed) {
  for (const auto* plugins : {"lua", "job_submit/lua", "cray_aries,lua", "throttle, lua"})
    EXPECT_EQ(no_gate_in(plugins), "") << plugins;
  for (const auto* plugins : {"", "(null)", "throttle", "luau"})
    EXPECT_THAT(no_gate_in(plugins), testing::HasSubstr("Slurm starts jobs by itself")) << plugins;
}

TEST(ArrayTest, RangesListsAndStepsAreExpanded) {
  EXPECT_THAT(*array_tasks("0-2,7,10-20:5", 100), ElementsAre(0, 1, 2, 7, 10, 15, 20));
}

TEST(ArrayTest, TheLimitOfTasksThatRunAtOnceIsNoTask) {
  EXPECT_THAT(*array_tasks("1-2%1", 100), ElementsAre(1, 2));
}

TEST(ArrayTest, NoMoreThanAskedForAreExpanded) {
  EXPECT_EQ(array_tasks("0-4294967294", 3)->size(), 3u);
  EXPECT_TRUE(has_array_task("7,0-4294967294:2%1", 4294967294));
  EXPECT_FALSE(has_array_task("7,0-4294967294:2%1", 9));
  EXPECT_TRUE(has_array_task("7,0-4294967294:2%1", 7));
  EXPECT_FALSE(has_array_task("x", 7));
}

TEST(ArrayTest, RefusesAnInvalidTaskList) {
  for (const char* text : {"", "a", "1-", "5-2", "1-9:0", "1,,2"})
    EXPECT_FALSE(array_tasks(text, 9)) << text;
}

TEST(ArrayTest, TasksThatShareARecordAreJobsOfTheirOwn) {
  Job record = waiting(20);
  record.array_job = 20;
  record.array_tasks = "3,5";
  std::vector<std::string> names;
  for (const Job& job : separated(record)) names.push_back(job_name(job));
  EXPECT_THAT(names, ElementsAre("20_3", "20_5"));
}

TEST(ArrayTest, ATaskKeepsItsNameWhenItGetsARecord) {
  Job task = running(23, "n1");
  task.array_job = 20;
  task.array_task = 3;
  EXPECT_EQ(job_name(task), "20_3");
}

TEST(GresTest, KindsAndTypesAreBothCounted) {
  EXPECT_THAT(
      generic_resources("gpu:a100:2(S:0-1),gpu:v100:1,tape"),
      ElementsAre(Pair("gpu", 3), Pair("gpu_a100", 2), Pair("gpu_v100", 1), Pair("tape", 1)));
}

TEST(GresTest, EveryReleaseSpellsRequestsItsOwnWay) {
  for (const char* text : {"gres:gpu:2", "gres/gpu:2", "gres/gpu=2", "gpu:2"})
    EXPECT_THAT(generic_resources(text), ElementsAre(Pair("gpu", 2))) << text;
}

// From release 23.11 on, -c is in tres_per_task, too.
TEST(GresTest, OtherTrackableResourcesAreNotOfNodes) {
  for (const char* text : {"cpu=8", "cpu:24", "mem=4G", "license/matlab=1", "billing=8"})
    EXPECT_THAT(generic_resources(text), IsEmpty()) << text;
  EXPECT_THAT(generic_resources("cpu=7,gres/gpu=1"), ElementsAre(Pair("gpu", 1)));
  EXPECT_THAT(generic_resources("gres/fs=1"), ElementsAre(Pair("fs", 1)));
}

TEST(GresTest, NothingIsNoResource) {
  EXPECT_THAT(generic_resources("(null)"), IsEmpty());
  EXPECT_THAT(generic_resources(""), IsEmpty());
}

TEST(ListsTest, RangesAreCounted) {
  EXPECT_EQ(count_in_ranges("0-3,6"), 5);
  EXPECT_EQ(count_in_ranges("7"), 1);
  EXPECT_EQ(count_in_ranges(""), 0);
  EXPECT_EQ(count_in_ranges("3-1,x"), 0);
}

TEST(ListsTest, AmountsStandBehindNumbers) {
  EXPECT_EQ(amounts_by_number("1=4,2=1000"), (std::map<int, std::int64_t>{{1, 4}, {2, 1000}}));
  EXPECT_TRUE(amounts_by_number("1=-1,x=2,3").empty());
}

TEST(LicenseTest, AMissingCountMeansOne) {
  EXPECT_THAT(licenses("matlab:2,tape@server"),
              ElementsAre(Pair("matlab", 2), Pair("tape@server", 1)));
}

TEST(LicenseTest, ACountBeyondTheRangeIsTheMostThatThereIs) {
  EXPECT_THAT(licenses("matlab:5000000000"),
              ElementsAre(Pair("matlab", std::numeric_limits<int>::max())));
}

std::vector<Node> racks() {
  std::vector<Node> nodes = {node("n1"), node("n2"), node("n3")};
  nodes[0].features = "ib,fast";
  nodes[1].features = "opa,fast";
  nodes[2].features = "ib";
  return nodes;
}

TEST(FeaturesTest, NamesJoinedByAndMustAllBeThere) {
  EXPECT_THAT(read_features("ib&fast", racks())->all, ElementsAre("ib", "fast"));
}

TEST(FeaturesTest, AnOrSelectsNodes) {
  const auto wish = read_features("(ib|opa)&fast", racks());
  EXPECT_TRUE(wish->has_alternatives);
  EXPECT_THAT(wish->alternatives, ElementsAre("n[1-3]"));
  EXPECT_THAT(wish->all, ElementsAre("fast"));
}

TEST(FeaturesTest, ABracketWantsTheSameOnAllNodes) {
  const auto wish = read_features("[ib|opa]", racks());
  EXPECT_THAT(wish->same, ElementsAre("ib", "opa"));
  EXPECT_FALSE(wish->has_alternatives);
}

TEST(FeaturesTest, TermsOfEveryKindStandTogether) {
  const auto wish = read_features("[ib|opa]&fast&(a|ib)&!opa", racks());
  EXPECT_THAT(wish->same, ElementsAre("ib", "opa"));
  EXPECT_THAT(wish->all, ElementsAre("fast"));
  EXPECT_THAT(wish->alternatives, ElementsAre("n1", "n3"));
}

TEST(FeaturesTest, BracketsWithinBracketsHaveABound) {
  for (const char bracket : {'(', '!'}) {
    const auto deep = read_features(std::string(1'000'000, bracket) + "ib", racks());
    EXPECT_FALSE(deep) << bracket;
  }
  std::string many = "!a";
  for (int i = 0; i < 1000; ++i) many += "&(!a|ib)";
  EXPECT_TRUE(read_features(many, racks())) << "one after the other they have none";
}

TEST(FeaturesTest, CountsSayOfHowManyNodes) {
  using Names = std::vector<std::string>;
  EXPECT_THAT(read_features("ib*2&fast", racks())->counted, ElementsAre(Pair(Names{"ib"}, 2)));
  EXPECT_THAT(read_features("[ib*2&opa*1]", racks())->counted,
              ElementsAre(Pair(Names{"ib"}, 2), Pair(Names{"opa"}, 1)));
  EXPECT_THAT(read_features("[(knl&snc4&flat)*4&haswell*1]", racks())->counted,
              ElementsAre(Pair(Names{"knl", "snc4", "flat"}, 4), Pair(Names{"haswell"}, 1)));
}

TEST(FeaturesTest, RefusesInvalidFeaturesAndQuotesThem) {
  for (const char* text : {"ib*", "ib*2&opa*1", "(ib", "ib|", "[ib&fast|opa]", "[ib|opa]&[a|b]",
                           "[(ib|opa)*1]", "(ib&fast*2", "()*1"}) {
    const auto wish = read_features(text, racks());
    ASSERT_FALSE(wish) << text;
    EXPECT_NE(wish.error().what.find(text), std::string::npos);
  }
}

TEST(StartNoteTest, ANoteIsReadAsItWasWritten) {
  StartNote note;
  note.started = Time(1795165419);
  note.generation = 7;
  note.min_nodes = 2;
  note.max_nodes = 4;
  note.set_nodes = 3;
  note.min_cpus = 5;
  note.overcommitted = true;
  note.required_nodes = "n[1-2],n7";
  note.excluded_nodes = "n3";
  note.shares = {3, 1};
  note.refusals = 2;
  note.refusal_code = -913;
  note.refusal = "Licenses";
  EXPECT_EQ(read_note(write_note(note)), note);
  note.started.reset();
  note.required_nodes.clear();
  note.words = "maui: held: no account";
  EXPECT_EQ(read_note(write_note(note)), note);
}

TEST(StartNoteTest, CommentsOfOthersAreNotNotes) {
  for (const char* text : {"", "maui", "see ticket 12", "maui start=soon", "maui nodes=2 set=1",
                           "maui colour=red", "maui: waits", "maui: waits | "})
    EXPECT_FALSE(read_note(text)) << text;
}

TEST(StartNoteTest, AJobIsSeenAsItsOwnerAskedForIt) {
  Job job = waiting(1);
  job.admin_comment = "maui start=5 nodes=1-0 set=2 cpus=1 on=n7";
  job.required_nodes = "n1,n2";
  job.min_nodes = job.max_nodes = 2;
  job.min_cpus = 3;
  const Job asked = as_asked(job);
  EXPECT_EQ(asked.min_nodes, 1);
  EXPECT_EQ(asked.max_nodes, 0);
  EXPECT_EQ(asked.min_cpus, 1);
  EXPECT_EQ(asked.required_nodes, "n7");
}

TEST(StartNoteTest, TheMostNodesAreKnownAfterSlurmHasForgottenThem) {
  Job job = waiting(1);
  job.admin_comment = "maui start=5 nodes=2-4 set=2 cpus=1";
  job.min_nodes = 2;
  job.max_nodes = 0;
  EXPECT_EQ(as_asked(job).max_nodes, 4);
}

TEST(StartNoteTest, LaterChangesStay) {
  Job job = waiting(1);
  job.admin_comment = "maui nodes=1-0 set=2 cpus=1 on=n7";  // taken back
  job.required_nodes = "n9";
  job.min_nodes = job.max_nodes = 4;
  const Job asked = as_asked(job);
  EXPECT_EQ(asked.min_nodes, 4);
  EXPECT_EQ(asked.required_nodes, "n9");
}

}  // namespace
}  // namespace maui::slurm
