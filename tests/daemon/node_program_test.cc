// The site's own program for node allocation: what it is told, what it may say,
// and what becomes of one that fails.
#include "daemon/programs/node_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <boost/asio/post.hpp>
#include <filesystem>
#include <fstream>

#include "daemon/temporary_directory.h"
#include "programs/inquiry.h"
#include "support/scenario.h"

namespace maui {
namespace {

using test::kNow;
using test::procs;
using test::Scenario;
using testing::ElementsAre;
using testing::HasSubstr;

class NodeProgramTest : public testing::Test {
 protected:
  std::string program(const std::string& body) {
    const std::string path = directory.path() + "/choose";
    std::ofstream(path) << "#!/bin/sh\n" << body << "\n";
    ::chmod(path.c_str(), 0700);
    return path;
  }
  std::optional<std::vector<NodeTasks>> ask(NodeProgram& chooser, Time now = kNow) {
    const Job& job = cluster.job(test::job_named(cluster, "a"));
    const Request& request = cluster.request_of(job.id);
    const std::vector<NodeTasks> candidates{{NodeId(0U), 2, 0}, {NodeId(1U), 4, 0}};
    const NodeQuestion question{job, request, request.requirements[0], now, now, candidates};
    const auto known = chooser.select(cluster, question);
    if (!chooser.owes()) return known;
    EXPECT_FALSE(known);
    bool done = false;
    chooser.find_out([&] { done = true; });
    boost::asio::post(io, [&] { served_meanwhile = !done; });
    io.restart();
    io.run();
    EXPECT_TRUE(done);
    EXPECT_FALSE(chooser.owes());
    return chooser.select(cluster, question);
  }
  NodeProgram chooser_of(const std::string& body) {
    return {io, program(body), [this](const std::string& what) { complaints.push_back(what); }};
  }

  TemporaryDirectory directory;
  Cluster cluster = Scenario().nodes(2, procs(4)).job("a").by("amy").tasks(3).build();
  std::vector<std::string> complaints;
  boost::asio::io_context io;
  bool served_meanwhile = false;
};

TEST_F(NodeProgramTest, ReadsTheJobAndItsCandidatesOnStandardInput) {
  auto chooser = chooser_of("cat > " + directory.path() + "/told; echo n2");
  const auto answer = ask(chooser);
  ASSERT_TRUE(answer);
  EXPECT_THAT(*answer, ElementsAre(NodeTasks{NodeId(1U), 0, 0}));
  std::ifstream question(directory.path() + "/told");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(question), {}),
            "job a\nuser amy\nnow 1000000\nstart 1000000\nlimit 3600\ntasks 3\nnodes 0\n"
            "node n1 2\nnode n2 3\n");
}

TEST_F(NodeProgramTest, MaySayHowManyTasksEachNodeGets) {
  auto chooser = chooser_of("printf 'n2 2\\n\\nn1 1\\n'");
  EXPECT_THAT(*ask(chooser), ElementsAre(NodeTasks{NodeId(1U), 2, 0}, NodeTasks{NodeId(0U), 1, 0}));
  EXPECT_TRUE(complaints.empty());
}

TEST_F(NodeProgramTest, IsNotAskedAgainInAnIterationInWhichItFailed) {
  auto chooser = chooser_of("echo x >> " + directory.path() + "/calls; exit 3");
  EXPECT_FALSE(ask(chooser));
  EXPECT_FALSE(ask(chooser));
  ASSERT_EQ(complaints.size(), 1U);
  EXPECT_THAT(complaints[0], HasSubstr("it exited with status 3; nodes are chosen without it"));
  EXPECT_FALSE(ask(chooser, kNow + Seconds(60)));
  EXPECT_EQ(complaints.size(), 2U);
}

TEST_F(NodeProgramTest, IsAskedOnceInAnIterationWhateverItIsAsked) {
  auto chooser = chooser_of("echo x >> " + directory.path() + "/calls; echo n2");
  EXPECT_TRUE(ask(chooser));
  EXPECT_TRUE(ask(chooser));
  EXPECT_EQ(std::filesystem::file_size(directory.path() + "/calls"), 2U);
  EXPECT_TRUE(ask(chooser, kNow + Seconds(60)));
  EXPECT_EQ(std::filesystem::file_size(directory.path() + "/calls"), 4U);
}

TEST_F(NodeProgramTest, IsNotWaitedForAndEndsAfterASecond) {
  auto chooser = chooser_of("sleep 1000");
  EXPECT_FALSE(ask(chooser));
  EXPECT_TRUE(served_meanwhile);
  EXPECT_THAT(complaints.at(0), HasSubstr("it took longer than 1000 ms; nodes are chosen"));
}

TEST_F(NodeProgramTest, InvalidOutputIsReported) {
  auto chooser = chooser_of("echo n2; echo n9");
  EXPECT_FALSE(ask(chooser));
  EXPECT_THAT(complaints.at(0), HasSubstr("line 2: no node 'n9'"));
  EXPECT_FALSE(read_answer(cluster, "n1 many"));
  EXPECT_FALSE(read_answer(cluster, "n1 -1"));
  EXPECT_FALSE(read_answer(cluster, "n1 1 1"));
}

TEST_F(NodeProgramTest, AProgramThatDoesNotEndIsKilled) {
  const auto slow =
      inquire_and_wait({program("sleep 1000 & sleep 1000")}, "", {std::chrono::milliseconds(50)});
  ASSERT_FALSE(slow);
  EXPECT_EQ(slow.error().what, "it took longer than 50 ms");
}

TEST_F(NodeProgramTest, AProgramThatReadsNothingMayAnswer) {
  const auto deaf = inquire_and_wait({program("exec 0<&-; echo n1")}, std::string(1 << 20, 'x'),
                                     {std::chrono::seconds(10)});
  ASSERT_TRUE(deaf) << deaf.error().what;
  EXPECT_EQ(*deaf, "n1\n");
}

TEST_F(NodeProgramTest, AMissingProgramIsReported) {
  const auto missing =
      inquire_and_wait({directory.path() + "/none"}, "", {std::chrono::seconds(1)});
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().what, HasSubstr("cannot run it"));
}

}  // namespace
}  // namespace maui
