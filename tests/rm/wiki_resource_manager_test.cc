#include "rm/wiki_resource_manager.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "rm/event_port.h"
#include "rm/fake_server.h"
#include "rm/wiki_notices.h"
#include "support/asking_loop.h"

namespace maui {
namespace {

constexpr Time kConnected{1'000'000};

class StoppedClock : public Clock {
 public:
  Time now() const override { return kConnected; }
};

class WikiManagerTest : public testing::Test, public test::AskingLoop {
 protected:
  void SetUp() override { link.port = server.port(); }

  WikiResourceManager& manager() {
    if (!manager_) {
      options.log = [this](int, std::string_view text) { lines.emplace_back(text); };
      options.warn = [this](std::string_view text) { lines.emplace_back(text); };
      manager_ = std::make_unique<WikiResourceManager>(options, make_wiki_dialer(io, link, clock));
    }
    return *manager_;
  }

  Result<Update> poll(Time now = kConnected) {
    return answer_to<Result<Update>>(
        [&](auto done) { manager().poll(cluster, now, std::move(done)); });
  }

  Job running(const std::string& name) {
    Node node;
    node.name = "n1";
    node.configured = Resources(4);
    const NodeId id = cluster.add_node(std::move(node));
    Job job;
    job.name = name;
    job.placement = {{id, 2, 0}};
    return job;
  }

  StoppedClock clock;
  FakeServer server{io};
  Cluster cluster;
  WikiManagerOptions options;
  WikiLinkOptions link;
  std::vector<std::string> lines;

 private:
  std::unique_ptr<WikiResourceManager> manager_;
};

TEST_F(WikiManagerTest, APollAsksForNodesAndThenForJobs) {
  server.nodes = "1#n1:STATE=Idle;CPROC=4;";
  server.jobs = "1#a:STATE=Idle;UNAME=ann;WCLIMIT=60;TASKS=1;";
  const auto update = poll();
  ASSERT_TRUE(update) << update.error().what;
  EXPECT_EQ(update->nodes.size(), 1u);
  EXPECT_EQ(update->arrived.size(), 1u);
  EXPECT_EQ(server.asked,
            (std::vector<std::string>{"CMD=GETNODES ARG=0:ALL", "CMD=GETJOBS ARG=0:ALL"}));
  EXPECT_TRUE(manager().records()[0].up);
}

TEST_F(WikiManagerTest, EachRequestCarriesTheGenerationOfTheLease) {
  options.generation = 7;
  options.introduce = true;
  const Job job = running("a");
  ASSERT_TRUE(poll());
  (void)answer_to<StartAnswer>(
      [&](auto done) { manager().start(job, cluster, kConnected, std::move(done)); });
  (void)status_of([&](auto done) { manager().suspend(job, kConnected, std::move(done)); });
  (void)status_of(
      [&](auto done) { manager().set_limit(job, Seconds(60), kConnected, std::move(done)); });
  EXPECT_EQ(
      server.asked,
      (std::vector<std::string>{
          "CMD=INITIALIZE ARG=USEHOSTEXP=N GENERATION=7 EPORT=0 EWORD=",
          "CMD=GETNODES ARG=0:ALL GENERATION=7", "CMD=GETJOBS ARG=0:ALL GENERATION=7",
          "CMD=STARTJOB ARG=a GENERATION=7 TASKLIST=n1:n1", "CMD=SUSPENDJOB ARG=a GENERATION=7",
          "CMD=MODIFYJOB ARG=a GENERATION=7 TIMELIMIT=1"}));
}

TEST_F(WikiManagerTest, WithoutALeaseRequestsCarryNoGeneration) {
  const Job job = running("a");
  ASSERT_TRUE(poll());
  (void)answer_to<StartAnswer>(
      [&](auto done) { manager().start(job, cluster, kConnected, std::move(done)); });
  (void)status_of([&](auto done) { manager().suspend(job, kConnected, std::move(done)); });
  EXPECT_EQ(server.asked, (std::vector<std::string>{
                              "CMD=GETNODES ARG=0:ALL", "CMD=GETJOBS ARG=0:ALL",
                              "CMD=STARTJOB ARG=a TASKLIST=n1:n1", "CMD=SUSPENDJOB ARG=a"}));
}

TEST_F(WikiManagerTest, OthersHaveTheirTurnWhileALongAnswerIsRead) {
  constexpr int kNodes = 1600;
  server.nodes = fmt::format("{}", kNodes);
  for (int i = 0; i < kNodes; ++i) server.nodes += fmt::format("#n{}:STATE=Idle;CPROC=4;", i);
  int turns = 0;
  options.later = counted_in(turns);
  const auto update = poll();
  ASSERT_TRUE(update) << update.error().what;
  EXPECT_EQ(update->nodes.size(), std::size_t{kNodes});
  EXPECT_EQ(turns, 6) << "as it is read, and as it is compared with what is known";
  server.nodes = "1#n1:STATE=Idle;CPROC=4;";
  EXPECT_EQ(poll()->lost_nodes.size(), std::size_t{kNodes} - 1);
  EXPECT_EQ(turns, 6);
}

// Jobs that each name nearly all nodes, which any user may have.
TEST_F(WikiManagerTest, OthersHaveTheirTurnWhileJobsAreTakenByTheHostsThatTheyName) {
  constexpr int kJobs = 1600, kHosts = 90;
  const auto jobs_with = [&](std::string_view rest) {
    server.jobs = fmt::format("{}", kJobs);
    for (int i = 0; i < kJobs; ++i)
      server.jobs += fmt::format("#j{}:STATE=Idle;UNAME=ann;WCLIMIT=60;TASKS=1;{}", i, rest);
  };
  int turns = 0;
  options.later = counted_in(turns);
  jobs_with("");
  EXPECT_EQ(poll()->arrived.size(), std::size_t{kJobs});
  EXPECT_EQ(turns, 6) << "as they are read, and as they are compared with what is known";
  turns = 0;
  jobs_with(fmt::format("EXCLUDE_HOSTLIST=n[1-{}];", kHosts));
  (void)poll();
  EXPECT_EQ(turns, 3 + kJobs / 50 - 1) << "ten names count as much as a job";
}

TEST_F(WikiManagerTest, AnEventDuringTheAnswerKeepsItsTime) {
  const Time answered = kConnected + Seconds(3);
  options.now = [answered] { return answered; };
  server.jobs = "1#a:STATE=Running;UNAME=ann;WCLIMIT=60;TASKLIST=n1;STARTTIME=1000003;";
  auto update = poll();
  ASSERT_TRUE(update && update->arrived.size() == 1);
  EXPECT_EQ(update->arrived[0].job.started, answered);
  EXPECT_EQ(update->answered, answered);
  server.jobs = "1#b:STATE=Completed;UNAME=ann;TASKLIST=n1;STARTTIME=999990;COMPLETETIME=1000002;";
  update = poll();
  ASSERT_TRUE(update && update->past.size() == 1);
  EXPECT_EQ(update->past[0].end.when, kConnected + Seconds(2));
  EXPECT_TRUE(std::none_of(lines.begin(), lines.end(), [](const std::string& line) {
    return line.find("ahead") != std::string::npos;
  }));
}

// Its dates may be by either clock.
TEST_F(WikiManagerTest, AnAnswerDuringWhichTheClockWasSetIsAskedForAgain) {
  bool set = false;
  int again = 0;
  options.changes = true;
  options.poll_interval = Seconds(60);
  options.clock_was_set = [&set] { return set; };
  options.again = [&again](std::chrono::seconds) { ++again; };
  server.jobs = "1#a:STATE=Running;UNAME=ann;WCLIMIT=60;TASKLIST=n1;STARTTIME=999990;";
  ASSERT_TRUE(poll());
  server.jobs = "1#a:STATE=Completed;UNAME=ann;TASKLIST=n1;STARTTIME=999990;COMPLETETIME=996400;";
  Job job = running("a");
  job.resource_manager = "base";
  const Placement placement = std::exchange(job.placement, {});
  cluster.start_job(cluster.add_job(std::move(job), Request{}), placement, Time(999'990));
  set = true;
  auto update = poll(kConnected + Seconds(60));
  ASSERT_TRUE(update);
  EXPECT_TRUE(update->ended.empty() && update->lost.empty());
  EXPECT_EQ(update->incomplete, (std::vector<std::string>{"base"}));
  EXPECT_EQ(again, 1);
  set = false;
  server.asked.clear();
  update = poll(kConnected + Seconds(61));
  ASSERT_TRUE(update && update->ended.size() == 1);
  EXPECT_TRUE(update->incomplete.empty());
  EXPECT_EQ(server.asked.back(), "CMD=GETJOBS ARG=0:ALL");
}

// It is slow: others were not held up, and the scheduler has noticed that the clock was set.
TEST_F(WikiManagerTest, SoIsOneThatComesAfterTheSchedulerHasNoticed) {
  int steps = 7;
  options.clock_steps = [&steps] { return steps; };
  server.jobs = "1#a:STATE=Idle;UNAME=ann;WCLIMIT=60;TASKS=1;";
  ASSERT_TRUE(poll());
  server.jobs = "1#a:STATE=Completed;UNAME=ann;STARTTIME=999990;COMPLETETIME=996400;";
  std::optional<Result<Update>> late;
  manager().poll(cluster, kConnected, [&late](Result<Update> update) { late = std::move(update); });
  ++steps;
  run_until([&late] { return late.has_value(); });
  ASSERT_TRUE(late && *late);
  EXPECT_TRUE((*late)->past.empty());
  EXPECT_EQ((*late)->incomplete, (std::vector<std::string>{"base"}));
}

TEST_F(WikiManagerTest, RequestsAndAnswersAreLoggedAndRecordsOneLevelAbove) {
  std::vector<std::string> said;
  int wanted = 8;
  options.wants_talk = [&](int level) { return level <= wanted; };
  options.talk = [&](int level, std::string_view text) {
    said.push_back(std::to_string(level) + " " + std::string(text));
  };
  server.nodes = "1#n1:STATE=Idle;CPROC=4;";
  server.jobs = "0";
  ASSERT_TRUE(poll());
  EXPECT_EQ(said, (std::vector<std::string>{
                      "7 request: CMD=GETNODES ARG=0:ALL", "7 answer to GETNODES: SC=0, 24 bytes",
                      "8 answer to GETNODES: n1:STATE=Idle;CPROC=4;",
                      "7 request: CMD=GETJOBS ARG=0:ALL", "7 answer to GETJOBS: SC=0, 1 byte"}));
  said.clear();
  wanted = 6;
  ASSERT_TRUE(poll());
  EXPECT_TRUE(said.empty());
}

TEST_F(WikiManagerTest, AnAnswerShowsForCertainWhatWasAskedForBeforeIt) {
  EXPECT_TRUE(poll()->certain.empty()) << "servers take their time";
  options.in_order = true;
  manager().reconfigure(options, nullptr);
  EXPECT_EQ(poll()->certain, (std::vector<std::string>{options.name}));
  server.asked.clear();
  std::optional<Result<Update>> answer;
  manager().poll(cluster, kConnected, [&](Result<Update> update) { answer = std::move(update); });
  run_until([&] { return server.asked.size() == 2; });
  const Job job = running("a");
  EXPECT_TRUE(status_of([&](auto done) { manager().requeue(job, kConnected, done); }));
  run_until([&] { return answer.has_value(); });
  EXPECT_TRUE((*answer)->certain.empty()) << "it may have been told before the job was requeued";
  EXPECT_FALSE(poll()->certain.empty());
}

TEST_F(WikiManagerTest, AnAnswerIsNotCertainWhileAChangeIsUnanswered) {
  options.in_order = true;
  link.timeout = Seconds(1);
  server.unanswered = "REQUEUEJOB";
  EXPECT_FALSE(poll()->certain.empty());
  std::optional<Status> requeued;
  manager().requeue(running("a"), kConnected, [&](Status status) { requeued = status; });
  EXPECT_TRUE(poll()->certain.empty()) << "the server may requeue the job after its answer";
  run_until([&] { return requeued.has_value(); });
  EXPECT_FALSE(poll()->certain.empty());
}

TEST_F(WikiManagerTest, AnUnansweredNoticeLeavesAnswersCertain) {
  options.in_order = options.notices = true;
  server.unanswered = "NOTEJOBS";
  EXPECT_FALSE(poll()->certain.empty());
  manager().note({{"a", "base", Time(1005), ""}});
  EXPECT_FALSE(poll()->certain.empty());
}

TEST_F(WikiManagerTest, RefusedNoticesAreSentAgain) {
  options.notices = true;
  server.to_commands = {-1, "slurmctld does not answer", false};
  const auto sent = [&] {
    return std::count(server.asked.begin(), server.asked.end(), "CMD=NOTEJOBS ARG=ALL a=1005");
  };
  const std::vector<JobNotice> planned{{"a", "base", Time(1005), ""}};
  EXPECT_TRUE(poll());
  manager().note(planned);
  run_until([&] { return sent() == 1; });
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(poll());
  server.to_commands = {0, "", false};
  manager().note(planned);
  run_until([&] { return sent() == 2; });
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(poll());
  manager().note(planned);
  EXPECT_TRUE(poll());
  EXPECT_EQ(sent(), 2);
}

TEST_F(WikiManagerTest, AnAnswerWithoutAskingListsNoJobs) {
  options.poll_interval = Seconds(30);
  EXPECT_TRUE(poll()->incomplete.empty());
  EXPECT_EQ(poll(kConnected + Seconds(10))->incomplete, (std::vector<std::string>{"base"}));
}

TEST_F(WikiManagerTest, SendsOnlyChangedJobNotices) {
  options.notices = true;
  const auto noted = [&](const std::vector<JobNotice>& notices) {
    server.asked.clear();
    manager().note(notices);
    EXPECT_TRUE(poll());
    std::erase_if(server.asked,
                  [](const auto& request) { return !request.starts_with("CMD=NOTEJOBS"); });
    return server.asked;
  };
  EXPECT_TRUE(noted({}).empty()) << "it has not answered yet";
  const JobNotice planned{"a", "base", Time(1005), ""}, held{"b", "base", kForever, "no account"};
  EXPECT_EQ(noted({planned, held}),
            (std::vector<std::string>{"CMD=NOTEJOBS ARG=ALL a=1005 b=\"held: no account\""}));
  EXPECT_TRUE(noted({planned, held}).empty());
  EXPECT_EQ(noted({held}), (std::vector<std::string>{"CMD=NOTEJOBS ARG=CHANGED a="}));
  manager().forget();
  EXPECT_EQ(noted({}), (std::vector<std::string>{"CMD=NOTEJOBS ARG=ALL"}));
}

TEST(WikiNoticesTest, AreReadAsTheyWereWritten) {
  const std::vector<JobNotice> notices{{"7", "", Time(1005), ""},
                                       {"20_3", "", kForever, "say \"no\" | yes"},
                                       {"8", "", kForever, ""}};
  const auto request = read_wiki_request(write_wiki(notice_request(notices, true)));
  ASSERT_TRUE(request);
  const auto given = read_notices(*request);
  EXPECT_TRUE(given.all);
  ASSERT_EQ(given.notices.size(), 3U);
  EXPECT_EQ(given.notices[0], notices[0]);
  EXPECT_EQ(given.notices[1].held, "say 'no' ' yes");
  EXPECT_EQ(given.notices[2], notices[2]);
}

TEST_F(WikiManagerTest, ChecksumsGoBothWays) {
  link.seal = server.seal = WikiSeal{12345, "root"};
  EXPECT_TRUE(poll());
  server.seal->key = 1;
  const auto update = poll();
  ASSERT_FALSE(update);
  EXPECT_EQ(update.error().what, "GETNODES: wrong checksum: the other side uses a different key");
}

TEST_F(WikiManagerTest, AServerThatIsNotThereIsAFailureThatSaysSo) {
  {
    const FakeServer gone(io);
    link.port = gone.port();
  }
  io.poll();
  const auto update = poll();
  ASSERT_FALSE(update);
  EXPECT_NE(update.error().what.find("cannot connect to 127.0.0.1:"), std::string::npos);
  EXPECT_FALSE(manager().records()[0].up);
}

TEST_F(WikiManagerTest, ASilentServerCostsItsDeadline) {
  server.silent = true;
  link.timeout = Seconds(1);
  const auto update = poll();
  ASSERT_FALSE(update);
  EXPECT_NE(update.error().what.find("GETNODES: no answer from 127.0.0.1:"), std::string::npos);
}

TEST_F(WikiManagerTest, RubbishIsAFailure) {
  for (const char* bytes : {"hello world, this is no frame", "00000004\nabcd",
                            "00000009\nSC=0 ARG=", "00000099\nSC=0", "00000014\nSC=0 ARG=x#y:z"}) {
    server.rubbish = bytes;
    manager().hurry();
    EXPECT_FALSE(poll()) << bytes;
  }
  server.rubbish.reset();
  manager().hurry();
  EXPECT_TRUE(poll());
}

TEST_F(WikiManagerTest, AfterAFailureTheServerIsLeftAloneForAWhile) {
  server.rubbish = "rubbish!";
  EXPECT_FALSE(poll());
  const auto asked = server.asked.size();
  server.rubbish.reset();
  EXPECT_FALSE(poll());
  EXPECT_EQ(server.asked.size(), asked);
  manager().hurry();
  EXPECT_TRUE(poll());
}

TEST_F(WikiManagerTest, WhenItIsLeftAloneNoLongerItIsAskedAgain) {
  std::vector<std::chrono::seconds> pauses;
  options.again = [&](std::chrono::seconds after) { pauses.push_back(after); };
  server.rubbish = "rubbish!";
  for (int i = 0; i < 10; ++i) {
    manager().hurry();
    EXPECT_FALSE(poll());
  }
  EXPECT_FALSE(poll()) << "it is left alone, which is no failure of its own";
  using namespace std::chrono_literals;
  EXPECT_THAT(pauses, testing::ElementsAre(1s, 2s, 4s, 8s, 16s, 32s, 60s, 60s, 60s, 60s));
  server.rubbish.reset();
  manager().hurry();
  EXPECT_TRUE(poll());
  EXPECT_EQ(pauses.size(), 10u);
}

TEST_F(WikiManagerTest, ARingDoesNotPollAServerThatIsLeftAlone) {
  server.rubbish = "rubbish!";
  EXPECT_FALSE(poll());
  const auto asked = server.asked.size();
  for (int i = 0; i < 10; ++i) {
    manager().ring();
    EXPECT_FALSE(poll());
  }
  EXPECT_EQ(server.asked.size(), asked);
}

TEST_F(WikiManagerTest, NodesThatCameBeforeAFailureAreHandedOnLater) {
  server.nodes = "1#n1:STATE=Idle;CPROC=4;";
  server.jobs = "not a list";
  EXPECT_FALSE(poll());
  server.jobs = "0#";
  manager().hurry();
  const auto update = poll();
  ASSERT_TRUE(update);
  EXPECT_EQ(update->nodes.size(), 1u);
}

TEST_F(WikiManagerTest, WithChangesItAsksForWhatIsNewSinceTheServersTime) {
  options.changes = true;
  link.seal = server.seal = WikiSeal{7, "root"};  // the server says that it is 1000
  EXPECT_TRUE(poll());
  EXPECT_TRUE(poll());
  EXPECT_EQ(server.asked.at(2), "CMD=GETNODES ARG=998:ALL");
  EXPECT_EQ(server.asked.at(3), "CMD=GETJOBS ARG=998:ALL");
  for (int i = 0; i < 25; ++i) EXPECT_TRUE(poll());
  const auto full = std::count(server.asked.begin(), server.asked.end(), "CMD=GETJOBS ARG=0:ALL");
  EXPECT_EQ(full, 2) << "now and then everything";
}

// The clocks differ, and the answers do not tell the server's time.
TEST_F(WikiManagerTest, WithChangesItAsksForWhatIsNewSinceTheLatestUpdate) {
  options.changes = true;
  server.jobs = "2#a:STATE=Idle;UNAME=ann;UPDATETIME=700;#b:STATE=Idle;UNAME=ann;UPDATETIME=600;";
  EXPECT_TRUE(poll());
  server.jobs = "0#";
  EXPECT_TRUE(poll());
  EXPECT_EQ(server.asked.at(3), "CMD=GETJOBS ARG=698:ALL");
  server.jobs = "1#b:STATE=Idle;UNAME=ann;UPDATETIME=710;";
  EXPECT_TRUE(poll());
  EXPECT_EQ(server.asked.at(5), "CMD=GETJOBS ARG=698:ALL");
  EXPECT_TRUE(poll());
  EXPECT_EQ(server.asked.at(7), "CMD=GETJOBS ARG=708:ALL");
  EXPECT_EQ(server.asked.at(6), "CMD=GETNODES ARG=0:ALL") << "no node told when it changed";
}

TEST_F(WikiManagerTest, NodesAreAskedForAsOftenAsNodePollFrequencySays) {
  options.node_poll_frequency = [] { return 3; };
  for (int i = 0; i < 6; ++i) EXPECT_TRUE(poll());
  EXPECT_EQ(std::count(server.asked.begin(), server.asked.end(), "CMD=GETNODES ARG=0:ALL"), 2);
  EXPECT_EQ(std::count(server.asked.begin(), server.asked.end(), "CMD=GETJOBS ARG=0:ALL"), 6);
}

TEST_F(WikiManagerTest, NodesThatAreAskedForSeldomAreAskedForSinceTheirOwnLastTime) {
  options.changes = true;
  options.node_poll_frequency = [] { return 2; };
  server.nodes = "1#n1:STATE=Idle;CPROC=4;UPDATETIME=500;";
  for (int i = 0; i < 60; ++i) {
    server.jobs = fmt::format("1#a:STATE=Idle;UNAME=ann;UPDATETIME={};", 600 + 10 * i);
    EXPECT_TRUE(poll(kConnected + Seconds(10 * i)));
  }
  EXPECT_EQ(server.asked.at(3), "CMD=GETNODES ARG=498:ALL") << "not since the jobs' last";
  EXPECT_EQ(server.asked.at(4), "CMD=GETJOBS ARG=608:ALL");
  EXPECT_EQ(std::count(server.asked.begin(), server.asked.end(), "CMD=GETNODES ARG=0:ALL"), 3);
  EXPECT_EQ(std::count(server.asked.begin(), server.asked.end(), "CMD=GETJOBS ARG=0:ALL"), 3);
}

TEST_F(WikiManagerTest, ItIsNotAskedMoreOftenThanItsPollIntervalUnlessSomethingHappens) {
  options.poll_interval = Seconds(30);
  EXPECT_TRUE(poll(kConnected));
  EXPECT_TRUE(poll(kConnected + Seconds(10)));
  EXPECT_EQ(server.asked.size(), 2u);
  manager().ring();
  EXPECT_TRUE(poll(kConnected + Seconds(11)));
  EXPECT_EQ(server.asked.size(), 4u);
  EXPECT_TRUE(poll(kConnected + Seconds(41)));
  EXPECT_EQ(server.asked.size(), 6u);
}

TEST_F(WikiManagerTest, ItIsAskedWhenTheClockWasSetBack) {
  options.poll_interval = Seconds(30);
  EXPECT_TRUE(poll(kConnected));
  EXPECT_TRUE(poll(kConnected - Seconds(3600)));
  EXPECT_EQ(server.asked.size(), 4u);
  EXPECT_TRUE(poll(kConnected - Seconds(3590)));
  EXPECT_EQ(server.asked.size(), 4u);
}

TEST_F(WikiManagerTest, AnotherWayToAskIsTakenWithTheNextQuestion) {
  options.poll_interval = Seconds(30);
  EXPECT_TRUE(poll(kConnected));
  FakeServer other(io);
  WikiLinkOptions there = link;
  there.port = other.port();
  auto sooner = options;
  sooner.poll_interval = Seconds(5);
  manager().reconfigure(sooner, make_wiki_dialer(io, there, clock));
  EXPECT_TRUE(poll(kConnected + Seconds(6)));
  EXPECT_EQ(server.asked.size(), 2u);
  EXPECT_EQ(other.asked.size(), 2u);
}

TEST_F(WikiManagerTest, AQuestionThatIsAskedWhenTheWayChangesIsStillAnswered) {
  std::optional<Result<Update>> answer;
  manager().poll(cluster, kConnected, [&](Result<Update> update) { answer = std::move(update); });
  FakeServer other(io);
  WikiLinkOptions there = link;
  there.port = other.port();
  manager().reconfigure(options, make_wiki_dialer(io, there, clock));
  run_until([&] { return answer.has_value(); });
  EXPECT_TRUE(*answer);
  EXPECT_EQ(server.asked.size() + other.asked.size(), 2u);
}

TEST_F(WikiManagerTest, IntroducesItselfOnceWhereThatIsWanted) {
  options.introduce = true;
  options.event_port = 15017;
  options.event_word = "12ab";
  EXPECT_TRUE(poll());
  EXPECT_TRUE(poll());
  EXPECT_EQ(server.asked.front(), "CMD=INITIALIZE ARG=USEHOSTEXP=N EPORT=15017 EWORD=12ab");
  EXPECT_EQ(server.asked.size(), 5u);
}

TEST_F(WikiManagerTest, SaysAtWhichPortTheServerRings) {
  options.event_port = 15017;
  EXPECT_EQ(manager().records()[0].event_port, 15017);
  options.event_port = 15018;
  manager().reconfigure(options, nullptr);
  EXPECT_EQ(manager().records()[0].event_port, 15018);
  EXPECT_EQ(manager().records()[0].no_events, "");
  options.no_events = [] { return "another program has it"; };
  manager().reconfigure(options, nullptr);
  EXPECT_EQ(manager().records()[0].no_events, "another program has it");
}

TEST_F(WikiManagerTest, AStartNamesANodeForEveryTask) {
  const Job job = running("a");
  EXPECT_TRUE(status_of([&](auto done) { manager().start(job, cluster, kConnected, done); }));
  EXPECT_EQ(server.asked, (std::vector<std::string>{"CMD=STARTJOB ARG=a TASKLIST=n1:n1"}));
  EXPECT_EQ(manager().records()[0].starts, 1);
}

TEST_F(WikiManagerTest, ARefusalComesWithTheServersWords) {
  server.to_commands = {-912, "Could not start job a(n1): Dependency", false};
  const Job job = running("a");
  const auto status =
      status_of([&](auto done) { manager().start(job, cluster, kConnected, done); });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().what, "Could not start job a(n1): Dependency (SC=-912)");
  EXPECT_EQ(manager().records()[0].failed_starts, 1);
}

TEST_F(WikiManagerTest, ALongRefusalIsCutButItsLastWordCounts) {
  server.to_commands = {-948, std::string(3000, 'x') + " DependencyNeverSatisfied", false};
  const Job job = running("a");
  const auto answer = answer_to<StartAnswer>(
      [&](auto done) { manager().start(job, cluster, kConnected, std::move(done)); });
  ASSERT_FALSE(answer.status);
  EXPECT_EQ(answer.status.error().what, std::string(1024, 'x') + "... (SC=-948)");
  EXPECT_EQ(answer.obstacle, Obstacle::others) << "another dependency may do";
  const auto status =
      status_of([&](auto done) { manager().suspend(job, kConnected, std::move(done)); });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().what, std::string(1024, 'x') + "... (SC=-948)");
}

TEST_F(WikiManagerTest, AFailedDependencyStaysUnlessAnotherWillDo) {
  server.to_commands = {-948, "Could not start job a(n1): DependencyNeverSatisfied", false};
  Job job = running("a");
  const auto obstacle = [&](std::string comment) {
    job.comment = std::move(comment);
    std::optional<StartAnswer> refused;
    manager().start(job, cluster, kConnected, [&](const auto& answer) { refused = answer; });
    run_until([&] { return refused.has_value(); });
    return refused->obstacle;
  };
  EXPECT_EQ(obstacle("DEPEND=afterok:2"), Obstacle::stays);
  EXPECT_EQ(obstacle("DEPEND=afterok:2?QOS:low"), Obstacle::stays);
  EXPECT_EQ(obstacle("DEPEND=afterok:2?afterok:3"), Obstacle::others);
  EXPECT_EQ(obstacle("QOS:low"), Obstacle::others) << "sched/wiki does not tell";
}

TEST_F(WikiManagerTest, WhomAJobExcludesIsKeptWhenARefusedStartLosesIt) {
  const std::string record = "1#a:STATE=Idle;UNAME=ann;WCLIMIT=60;TASKS=2;EXCLUDE_HOSTLIST=";
  server.jobs = record + "n2;";
  EXPECT_EQ(poll()->arrived.at(0).excluded_hosts, (std::vector<std::string>{"n2"}));
  server.to_commands = {-913, "Resources", false};
  const Job job = running("a");
  std::optional<StartAnswer> refused;
  manager().start(job, cluster, kConnected, [&](const auto& answer) { refused = answer; });
  run_until([&] { return refused.has_value(); });
  Job waiting;
  waiting.name = "a";
  waiting.resource_manager = "base";
  cluster.add_job(std::move(waiting), Request{});
  server.jobs = record + ";";
  EXPECT_TRUE(poll()->changed.empty());
}

/// Keeps the requests until the test answers them.
class HeldLink final : public WikiLink {
 public:
  using Asked = std::vector<std::pair<WikiRequest, std::function<void(WikiAnswer)>>>;
  explicit HeldLink(Asked& asked) : asked_(asked) {}
  void ask(const WikiRequest& request, std::function<void(WikiAnswer)> done) override {
    asked_.emplace_back(request, std::move(done));
  }

 private:
  Asked& asked_;
};

TEST_F(WikiManagerTest, WhomAJobExcludesIsKeptAlsoIfAReportComesBeforeTheRefusal) {
  HeldLink::Asked asked;
  WikiResourceManager held(options, std::make_unique<HeldLink>(asked));
  const auto answer = [&](const std::string& command, WikiReply reply) {
    const auto at = std::find_if(asked.begin(), asked.end(), [&](const auto& request) {
      return request.first.command == command;
    });
    ASSERT_NE(at, asked.end()) << command;
    const auto done = std::move(at->second);
    asked.erase(at);
    done({std::move(reply), true, std::nullopt, {}});
  };
  std::size_t changes = 0;
  const auto report = [&](const std::string& excluded) {
    held.poll(cluster, kConnected,
              [&](const Result<Update>& update) { changes += update->changed.size(); });
    answer("GETNODES", {0, "0#", true});
    answer("GETJOBS",
           {0, "1#a:STATE=Idle;UNAME=ann;WCLIMIT=60;TASKS=2;EXCLUDE_HOSTLIST=" + excluded, true});
  };
  report("n2;");
  const Job job = running("a");
  Job waiting;
  waiting.name = "a";
  waiting.resource_manager = "base";
  cluster.add_job(std::move(waiting), Request{});
  held.start(job, cluster, kConnected, [](const StartAnswer&) {});
  report("n2;");
  answer("STARTJOB", {-913, "Resources", false});
  report(";");
  EXPECT_EQ(changes, 0u);
}

TEST_F(WikiManagerTest, HoweverManyCancellationsWaitReportsAndStartsGoBeforeThem) {
  HeldLink::Asked asked;
  WikiResourceManager held(options, std::make_unique<HeldLink>(asked));
  int answered = 0;
  Job job = running("a");
  for (int i = 0; i < 100; ++i) {
    job.name = fmt::format("j{}", i);
    held.cancel(job, CancelCause::asked, kConnected, [&](const Status&) { ++answered; });
  }
  EXPECT_EQ(asked.size(), 4u);
  held.poll(cluster, kConnected, [](const Result<Update>&) {});
  held.start(job, cluster, kConnected, [](const StartAnswer&) {});
  const auto is_asked = [&](const std::string& command) {
    return std::any_of(asked.begin(), asked.end(),
                       [&](const auto& request) { return request.first.command == command; });
  };
  EXPECT_TRUE(is_asked("GETNODES"));
  EXPECT_TRUE(is_asked("STARTJOB"));
  const auto before = asked.size();
  asked.front().second({WikiReply{0, "done", false}, true, std::nullopt, {}});
  EXPECT_EQ(answered, 1);
  EXPECT_EQ(asked.size(), before + 1) << "the next one";
  EXPECT_EQ(asked.back().first.argument, "j4");
  // A server that does not answer one does not answer the others.
  asked[1].second({Error{"no answer within 15 seconds"}, true, std::nullopt, {}});
  EXPECT_EQ(answered, 2 + 95);
}

TEST_F(WikiManagerTest, NobodyWaitsForAllCancellationsOfAnotherUser) {
  HeldLink::Asked asked;
  WikiResourceManager held(options, std::make_unique<HeldLink>(asked));
  Job job = running("a");
  const auto cancel = [&](const std::string& user, const std::string& name) {
    job.credentials.user = cluster.users.intern(user);
    job.name = name;
    held.cancel(job, CancelCause::asked, kConnected, [](const Status&) {});
  };
  for (int i = 0; i < 100; ++i) cancel("amy", fmt::format("a{}", i));
  cancel("bob", "b0");
  cancel("root", "r0");
  cancel("bob", "b1");
  std::vector<std::string> names;
  for (const auto& [request, done] : asked) names.push_back(request.argument);
  EXPECT_EQ(names, (std::vector<std::string>{"a0", "a1", "a2", "a3", "b0", "r0", "b1"}))
      << "half of what is under way";
  cancel("bob", "b2");
  cancel("bob", "b3");
  for (std::size_t i = 0; i < 3; ++i) {
    asked[i].second({WikiReply{0, "done", false}, true, std::nullopt, {}});
    names.push_back(asked.back().first.argument);
  }
  EXPECT_EQ(std::vector(names.begin() + 7, names.end()),
            (std::vector<std::string>{"a4", "b3", "a5"}));
}

TEST_F(WikiManagerTest, AStartWhoseAnswerIsLostMayHaveHappened) {
  server.silent = true;
  link.timeout = Seconds(1);
  const Job job = running("a");
  EXPECT_TRUE(status_of([&](auto done) { manager().start(job, cluster, kConnected, done); }));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("cannot tell whether job 'a' was started"), std::string::npos);
}

TEST_F(WikiManagerTest, ARequestWithoutAnAnswerMayHaveBeenCarriedOut) {
  link.timeout = Seconds(1);
  const Job job = running("a");
  const auto unanswered = [&] {
    const Status status = status_of([&](auto done) { manager().resume(job, kConnected, done); });
    EXPECT_FALSE(status);
    return status.error().unanswered;
  };
  server.to_commands = {-1, "not suspended", false};
  EXPECT_FALSE(unanswered());
  server.unanswered = "RESUMEJOB";
  EXPECT_TRUE(unanswered());
}

TEST_F(WikiManagerTest, EveryCommandIsSentAsTheProtocolHasIt) {
  const Job job = running("a");
  EXPECT_TRUE(
      status_of([&](auto done) { manager().cancel(job, CancelCause::asked, kConnected, done); }));
  EXPECT_TRUE(status_of([&](auto done) { manager().suspend(job, kConnected, done); }));
  EXPECT_TRUE(status_of([&](auto done) { manager().resume(job, kConnected, done); }));
  EXPECT_TRUE(status_of([&](auto done) { manager().requeue(job, kConnected, done); }));
  EXPECT_TRUE(
      status_of([&](auto done) { manager().set_limit(job, Seconds(90), kConnected, done); }));
  const auto checkpoint = [&](auto done) { manager().checkpoint(job, kConnected, done); };
  EXPECT_EQ(status_of(checkpoint).error().what,
            "resource manager 'base' has no command to checkpoint a job");
  EXPECT_EQ(manager().records()[0].no_checkpoints, status_of(checkpoint).error().what);
  EXPECT_EQ(server.asked,
            (std::vector<std::string>{"CMD=CANCELJOB ARG=a TYPE=ADMIN", "CMD=SUSPENDJOB ARG=a",
                                      "CMD=RESUMEJOB ARG=a", "CMD=REQUEUEJOB ARG=a",
                                      "CMD=MODIFYJOB ARG=a TIMELIMIT=2"}));
}

TEST_F(WikiManagerTest, AWarningOfTheServerIsLoggedOnceAndRecordedWhileItLasts) {
  options.warnings = true;
  server.warnings = "1#gate:MESSAGE=no gate\\: Slurm starts jobs by itself";
  EXPECT_TRUE(poll());
  EXPECT_TRUE(poll());
  const std::vector<std::string> text{"no gate: Slurm starts jobs by itself"};
  EXPECT_EQ(lines, text);
  EXPECT_EQ(manager().records()[0].warnings, text);
  server.warnings = "0#";
  EXPECT_TRUE(poll());
  EXPECT_EQ(manager().records()[0].warnings, std::vector<std::string>());
}

TEST_F(WikiManagerTest, OnlyAManagerThatKnowsTheCommandChangesNodes) {
  Node node;
  node.name = "n1";
  const auto drain = [&](auto done) {
    manager().modify_node(node, NodeState::drained, "ann", kConnected, done);
  };
  const std::string why =
      "WIKI has no command to change the state of a node: use the resource manager's own";
  EXPECT_EQ(manager().records()[0].no_node_states, why);
  EXPECT_EQ(status_of(drain).error().what, why);
  options.node_states = true;
  manager().reconfigure(options, nullptr);
  EXPECT_EQ(manager().records()[0].no_node_states, "");
  EXPECT_TRUE(status_of(drain));
  EXPECT_EQ(server.asked.back(), "CMD=MODIFYNODE ARG=n1 STATE=Drained USER=ann");
}

TEST_F(WikiManagerTest, AJobPastItsLimitIsCancelledForThat) {
  const Job job = running("a");
  EXPECT_TRUE(status_of(
      [&](auto done) { manager().cancel(job, CancelCause::past_limit, kConnected, done); }));
  EXPECT_EQ(server.asked.back(), "CMD=CANCELJOB ARG=a TYPE=WALLCLOCK");
}

TEST_F(WikiManagerTest, ManyStartsAtOnceAreAllAnswered) {
  const Job job = running("a");
  int answered = 0;
  for (int i = 0; i < 200; ++i)
    manager().start(job, cluster, kConnected,
                    [&](const Status& status) { answered += status ? 1 : 0; });
  run_until([&] { return answered == 200; });
  EXPECT_EQ(server.asked.size(), 200u);
}

TEST_F(WikiManagerTest, AStreamCarriesQuestionsOneAfterTheOther) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  std::string why;
  const auto stream =
      make_wiki_stream(io, ends[0], Seconds(5), [&](const std::string& text) { why = text; });
  std::vector<std::string> answers;
  for (const char* name : {"a", "b"})
    stream->ask({"SUSPENDJOB", name, {}}, [&](const WikiAnswer& answer) {
      answers.push_back(answer.reply ? answer.reply->text : "failed: " + answer.reply.error().what);
    });
  FrameDecoder decoder;
  const auto serve = [&](const std::string& text) {
    std::array<char, 256> buffer{};
    const auto size = ::read(ends[1], buffer.data(), buffer.size());
    decoder.feed({buffer.data(), static_cast<std::size_t>(size)});
    const auto whole = decoder.next();
    ASSERT_TRUE(whole && *whole);
    const auto frame = wiki_frame("SC=0 RESPONSE=" + text, std::nullopt, kConnected);
    ASSERT_EQ(::write(ends[1], frame.data(), frame.size()), static_cast<ssize_t>(frame.size()));
  };
  for (int i = 0; i < 3; ++i) io.poll();
  serve("one");
  run_until([&] { return answers.size() == 1; });
  for (int i = 0; i < 3; ++i) io.poll();
  serve("two");
  run_until([&] { return answers.size() == 2; });
  EXPECT_EQ(answers, (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(why, "");
  ::close(ends[1]);
  stream->ask({"SUSPENDJOB", "c", {}}, [&](const WikiAnswer& answer) {
    answers.push_back(answer.reply ? "answered" : "failed");
  });
  run_until([&] { return answers.size() == 3 && !why.empty(); });
  EXPECT_EQ(answers.back(), "failed");
}

class EventPortTest : public testing::Test {
 protected:
  using tcp = boost::asio::ip::tcp;
  void SetUp() override { ASSERT_TRUE(port.listen("", 0)); }

  tcp::socket visitor(const std::string& bytes) {
    tcp::socket socket(io);
    socket.connect(
        {boost::asio::ip::address_v4::loopback(), static_cast<unsigned short>(port.port())});
    boost::asio::write(socket, boost::asio::buffer(bytes));
    return socket;
  }
  void run_until_rung(int times) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (rung < times && std::chrono::steady_clock::now() < end) {
      io.restart();
      io.run_one_until(end);
    }
    EXPECT_EQ(rung, times);
  }

  void ring_often(const std::string& bytes) {
    std::vector<tcp::socket> visitors;
    for (int i = 0; i < kRings; ++i) {
      visitors.push_back(visitor(bytes));
      char none = 0;
      visitors.back().non_blocking(true);
      boost::system::error_code error = boost::asio::error::would_block;
      while (error == boost::asio::error::would_block) {  // until it has been heard
        io.restart();
        io.run_one_for(std::chrono::milliseconds(1));
        visitors.back().read_some(boost::asio::buffer(&none, 1), error);
      }
    }
  }

  static constexpr int kRings = 300;
  boost::asio::io_context io;
  int rung = 0;
  EventPort port{io, [this] { ++rung; }};
};

TEST_F(EventPortTest, ANumberRingsHoweverItIsSent) {
  int expected = 0;
  for (const std::string& bytes :
       {std::string("1234\0", 5), std::string("1235"), std::string("00000004\n1234")}) {
    visitor(bytes);
    run_until_rung(++expected);
  }
}

TEST_F(EventPortTest, ASilentClientDoesNotBlockOthers) {
  std::vector<tcp::socket> silent;
  for (int i = 0; i < 100; ++i) {
    silent.push_back(visitor(""));
    io.poll();
    io.restart();
  }
  visitor("1234");
  run_until_rung(1);
}

TEST_F(EventPortTest, AClientThatIsStillSilentOutlivesThePort) {
  auto closed = std::make_unique<EventPort>(io, [this] { ++rung; });
  ASSERT_TRUE(closed->listen("", 0));
  boost::asio::ip::tcp::socket client(io);
  client.connect(
      {boost::asio::ip::address_v4::loopback(), static_cast<unsigned short>(closed->port())});
  for (int i = 0; i < 20; ++i) io.poll();  // it is accepted
  closed.reset();
  boost::system::error_code ignored;
  boost::asio::write(client, boost::asio::buffer("1234", 4), ignored);
  for (int i = 0; i < 20; ++i) io.poll();
  EXPECT_EQ(rung, 0);
}

TEST_F(EventPortTest, FrequentRingsAreRateLimited) {
  ring_often("1234");
  EXPECT_GE(rung, 10) << "some at once";
  EXPECT_LT(rung, 100) << "and then one a second";
}

TEST_F(EventPortTest, RingsWithItsWordAreNotRateLimited) {
  ring_often("1234");
  const int before = rung;
  ring_often(port.word());
  EXPECT_GE(rung, before + kRings);
  EXPECT_NE(EventPort(io, [] {}).word(), port.word());
}

TEST(EventPortAddress, EveryAddressIsHeardAgainAfterTheSystemHadNoResources) {
  using tcp = boost::asio::ip::tcp;
  boost::asio::io_context io;
  int rung = 0;
  EventPort port(io, [&rung] { ++rung; });
  ASSERT_TRUE(port.listen("127.0.0.2", 0));
  std::vector<tcp::socket> visitors;
  for (const char* address : {"127.0.0.1", "127.0.0.2"}) {
    tcp::socket& socket = visitors.emplace_back(io);
    socket.connect(
        {boost::asio::ip::make_address(address), static_cast<unsigned short>(port.port())});
    boost::asio::write(socket, boost::asio::buffer("1234", 4));
  }
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const int next = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ::close(next);
  rlimit none_left = before;
  none_left.rlim_cur = static_cast<rlim_t>(next);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none_left), 0);
  io.run_for(std::chrono::milliseconds(200));
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(rung, 0);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (rung < 2 && std::chrono::steady_clock::now() < end) {
    io.restart();
    io.run_one_until(end);
  }
  EXPECT_EQ(rung, 2);
}

TEST(EventPortAddress, AManagerOnThisHostIsHeardOnTheLoopbackInterfaceAlone) {
  using boost::asio::ip::tcp;
  boost::asio::io_context io;
  for (const char* host : {"", "localhost", "127.0.0.1"}) {
    EventPort port(io, [] {});
    ASSERT_TRUE(port.listen(host, 0));
    tcp::acceptor other(io);
    other.open(tcp::v4());
    boost::system::error_code error;
    other.bind(
        {boost::asio::ip::make_address("127.0.0.2"), static_cast<unsigned short>(port.port())},
        error);
    EXPECT_FALSE(error) << host << ": another address of the host has the port free";
  }
  for (const char* hosts : {"192.0.2.1", "localhost,192.0.2.1"}) {
    EventPort far(io, [] {});
    ASSERT_TRUE(far.listen(hosts, 0));
    tcp::socket visitor(io);
    EXPECT_NO_THROW(visitor.connect(
        {boost::asio::ip::make_address("127.0.0.2"), static_cast<unsigned short>(far.port())}))
        << hosts << ": a manager elsewhere is heard wherever it comes from";
  }
}

}  // namespace
}  // namespace maui
