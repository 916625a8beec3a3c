#include "sim/listed_machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/input_format.h"
#include "sim/job_log_text.h"

namespace maui {
namespace {

using testing::HasSubstr;

const std::string kScontrol =
    "NodeName=n1 Arch=x86_64 CoresPerSocket=16 CPUAlloc=0 CPUEfctv=64 CPUTot=64 CPULoad=0.1 "
    "AvailableFeatures=fast,ib ActiveFeatures=fast,ib Gres=gpu:a100:4(S:0-1),tape:1 NodeAddr=n1 "
    "OS=Linux 6.1 #1 RealMemory=256000 AllocMem=0 State=IDLE Partitions=long,short \n"
    "NodeName=n2 CPUTot=32 Gres=(null) RealMemory=128000 State=DOWN* AvailableFeatures=(null)\n";
const std::string kPbsnodes =
    "n1\n     state = free\n     np = 8\n     properties = fast,ib\n     ntype = cluster\n"
    "     status = rectime=1,physmem=16384000kb,ncpus=8\n     gpus = 2\n\n"
    "n2\n     Mom = n2\n     pcpus = 4\n     resources_available.mem = 4096000kb\n"
    "     resources_available.ncpus = 4\n";

class ListedMachineTest : public testing::Test {
 protected:
  std::string file(const std::string& text) { return test::write_text(folder_, "nodes", text); }
  TemporaryDirectory folder_;
  TraceSummary summary_;
};

TEST_F(ListedMachineTest, SlurmListsALineANode) {
  const auto path = file(kScontrol);
  EXPECT_EQ(*machine_format(path), MachineFormat::scontrol);
  const auto nodes = read_scontrol_nodes(path, summary_);
  ASSERT_TRUE(nodes) << nodes.error().what;
  ASSERT_EQ(nodes->size(), 2U);
  const NodeReport& first = nodes->front();
  EXPECT_EQ(first.node.configured.procs(), 64);
  EXPECT_EQ(first.node.configured.memory(), 256000);
  EXPECT_EQ(first.features, (std::vector<std::string>{"fast", "ib"}));
  EXPECT_EQ(first.classes, (std::vector<std::pair<std::string, int>>{{"long", 64}, {"short", 64}}));
  EXPECT_EQ(first.generic, (std::vector<std::pair<std::string, int>>{{"gpu", 4}}));
  EXPECT_TRUE(nodes->back().generic.empty());
  EXPECT_TRUE(nodes->back().features.empty());
}

TEST_F(ListedMachineTest, PbsListsAParagraphANode) {
  const auto path = file(kPbsnodes);
  EXPECT_EQ(*machine_format(path), MachineFormat::pbsnodes);
  const auto nodes = read_pbsnodes(path, summary_);
  ASSERT_TRUE(nodes) << nodes.error().what;
  ASSERT_EQ(nodes->size(), 2U);
  EXPECT_EQ(nodes->front().node.configured.procs(), 8);
  EXPECT_EQ(nodes->front().node.configured.memory(), 16000);
  EXPECT_EQ(nodes->front().generic, (std::vector<std::pair<std::string, int>>{{"gpu", 2}}));
  EXPECT_EQ(nodes->back().node.configured.procs(), 4);
  EXPECT_EQ(nodes->back().node.configured.memory(), 4000);
}

TEST_F(ListedMachineTest, WrongNodesAreNamed) {
  ASSERT_TRUE(
      read_scontrol_nodes(file(kScontrol + "NodeName=n1 CPUTot=1\nNodeName=n3\nx\n"), summary_));
  ASSERT_EQ(summary_.problems.size(), 3U);
  EXPECT_THAT(summary_.problems[0], HasSubstr("nodes:3: node 'n1' occurs twice"));
  EXPECT_THAT(summary_.problems[1], HasSubstr("nodes:4: invalid CPUTot ''"));
  EXPECT_THAT(summary_.problems[2], HasSubstr("nodes:5: expected NodeName="));
  ASSERT_TRUE(read_scontrol_nodes(file(kScontrol + "NodeName= CPUTot=1\n"), summary_));
  EXPECT_THAT(summary_.problems.back(), HasSubstr("nodes:3: invalid NodeName ''"));
  const auto none = read_pbsnodes(file("n1\n     state = down\n"), summary_);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().what, HasSubstr("no usable node"));
}

TEST_F(ListedMachineTest, AFileThatListsNoNodesIsNamedWithWhatWasExpected) {
  const std::string swf = "1 0 0 60 4 -1 -1 4 60 -1 1 1 1 1 1 -1 -1 -1\n";
  for (const auto& text : {std::string("\x7f"
                                       "ELF\0\1",
                                       6),
                           swf, std::string("RMCFG[base]\n"),
                           std::string("PARTITION AVAIL\nall up\n"), std::string("n1\nn2\n")}) {
    const auto path = file(text);
    const auto format = machine_format(path);
    ASSERT_FALSE(format) << text;
    EXPECT_THAT(format.error().what, HasSubstr(path + ": unknown format of a list of nodes"));
    EXPECT_THAT(format.error().what, HasSubstr("scontrol -o show nodes"));
  }
  for (const auto& text :
       {std::string(), std::string("# nodes\n"), std::string("VERSION 230\n"),
        std::string("# nodes\nCOMPUTENODE\n"),
        std::string("COMPUTENOD AVAILABLE 0 n1 base 1M 1M 1M 1 1 1 1 l x [a] [b:1] [c] 1 - - -\n")})
    EXPECT_EQ(*machine_format(file(text)), MachineFormat::trace) << text;
}

TEST_F(ListedMachineTest, NoTextCrashesTheReaders) {
  std::mt19937 random(13);
  for (int round = 0; round < 1000; ++round) {
    const auto slurm = file(test::mutated(kScontrol, random));
    [[maybe_unused]] const auto a = read_scontrol_nodes(slurm, summary_);
    const auto pbs = file(test::mutated(kPbsnodes, random));
    [[maybe_unused]] const auto b = read_pbsnodes(pbs, summary_);
    [[maybe_unused]] const auto c = machine_format(pbs);
  }
}

}  // namespace
}  // namespace maui
