// The helper's loop, with a controller that answers when the test says so.
#include "slurm/service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <thread>

#include "cluster_builders.h"
#include "daemon/temporary_directory.h"

namespace maui::slurm {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

/// Loads wait as long as it is blocked.
class BlockingController final : public FakeController {
 public:
  Result<std::optional<Cluster>> load() override {
    std::unique_lock lock(mutex_);
    released_.wait(lock, [this] { return !blocked_; });
    return FakeController::load();
  }
  void block(bool on) {
    {
      const std::lock_guard lock(mutex_);
      blocked_ = on;
    }
    released_.notify_all();
  }
  void touch() {
    const std::lock_guard lock(mutex_);
    changed = true;
  }
  void set_jobs(std::vector<Job> jobs) {
    const std::lock_guard lock(mutex_);
    cluster.jobs = std::move(jobs);
    changed = true;
  }
  Result<std::string> no_usage() override {
    ++asked_for_usage;
    return FakeController::no_usage();
  }
  std::atomic<int> asked_for_usage = 0;

 private:
  std::mutex mutex_;
  std::condition_variable released_;
  bool blocked_ = false;
};

class ServiceTest : public testing::Test {
 protected:
  ServiceTest() {
    slurm_.cluster.jobs = {waiting(7)};
    slurm_.cluster.nodes = {node("n1")};
    options_.answer_within = 50ms;
    options_.look_every = 1h;  // tests wake it themselves
  }
  ~ServiceTest() override { stop(); }

  void run() {
    std::array<int, 2> ends{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
    ours_ = ends[0];
    helper_ = std::thread([this, stream = ends[1]] {
      boost::asio::io_context io(1);
      Adapter adapter(slurm_, Seconds(30));
      FakeMeter meter;
      Service service(io, stream, adapter, meter, options_, [this](const std::string& line) {
        const std::lock_guard lock(said_mutex_);
        said_.push_back(line);
      });
      service.start();
      io.run();
    });
  }
  void stop() {
    slurm_.block(false);
    if (ours_ >= 0) ::close(ours_);
    ours_ = -1;
    if (helper_.joinable()) helper_.join();
  }
  void send(std::string_view text) {
    ASSERT_EQ(::write(ours_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void request(const std::string& body) { send(wiki_frame(body, std::nullopt, Time(0))); }
  std::string receive() {
    for (;;) {
      const auto message = decoder_.next();
      if (!message) return message.error().what;
      if (*message) return **message;
      std::array<char, 4096> buffer{};
      const auto count = ::read(ours_, buffer.data(), buffer.size());
      if (count <= 0) return "closed";
      decoder_.feed(std::string_view(buffer.data(), static_cast<std::size_t>(count)));
    }
  }
  std::string ask(const std::string& body) {
    request(body);
    return receive();
  }

  std::vector<std::string> said() {
    const std::lock_guard lock(said_mutex_);
    return said_;
  }

  BlockingController slurm_;
  std::mutex said_mutex_;
  std::vector<std::string> said_;
  ServiceOptions options_;
  int ours_ = -1;
  FrameDecoder decoder_;
  std::thread helper_;
};

TEST_F(ServiceTest, RequestsAreAnsweredInTheirOrder) {
  run();
  request("CMD=GETNODES ARG=0:ALL");
  request("CMD=GETJOBS ARG=0:ALL");
  EXPECT_THAT(receive(), HasSubstr("1#n1:"));
  EXPECT_THAT(receive(), HasSubstr("1#7:"));
}

TEST_F(ServiceTest, ReportsWhatJobsUseOnceItIsMeasured) {
  slurm_.cluster.jobs = {running(7, "n1")};
  options_.measure_every = std::chrono::milliseconds(1);
  run();
  std::string answer;
  while (answer.find("UCPUTIME=90;") == std::string::npos) answer = ask("CMD=GETJOBS ARG=0:ALL");
  EXPECT_THAT(answer, HasSubstr("UMEM=512;"));
  EXPECT_THAT(answer, HasSubstr("UTIME="));
}

TEST_F(ServiceTest, ReportsOnceThatSlurmGathersNothing) {
  slurm_.cluster.jobs = {running(7, "n1")};
  slurm_.gathers_nothing = "JobAcctGatherType=jobacct_gather/none";
  options_.measure_every = std::chrono::milliseconds(1);
  run();
  while (said().empty()) ask("CMD=GETJOBS ARG=0:ALL");
  for (int i = 0; i < 20; ++i)
    EXPECT_THAT(ask("CMD=GETJOBS ARG=0:ALL"), testing::Not(HasSubstr("UCPUTIME")));
  EXPECT_THAT(said(),
              testing::ElementsAre(HasSubstr("cannot measure what jobs use: JobAcctGather")));
}

TEST_F(ServiceTest, ItSaysSoNoMoreOftenWhereJobsComeAndGo) {
  slurm_.gathers_nothing = "JobAcctGatherType=jobacct_gather/none";
  options_.measure_every = std::chrono::milliseconds(1);
  run();
  for (int i = 0; i < 20; ++i) {
    slurm_.set_jobs({running(7, "n1")});
    const int before = slurm_.asked_for_usage;
    while (slurm_.asked_for_usage == before) ask("CMD=GETJOBS ARG=0:ALL");
    slurm_.set_jobs({});
    for (int asked = 0; asked < 200; ++asked) ask("CMD=GETJOBS ARG=0:ALL");
  }
  EXPECT_EQ(said().size(), 1U);
}

TEST_F(ServiceTest, ARequestThatIsNoneIsRefusedAndTheNextAnswered) {
  run();
  EXPECT_THAT(ask("HELLO"), HasSubstr("SC=-"));
  EXPECT_THAT(ask("CMD=GETJOBS ARG=0:ALL"), HasSubstr("SC=0"));
}

TEST_F(ServiceTest, AControllerThatHangsCostsADeadlineOnceAndThenNothing) {
  slurm_.block(true);
  run();
  EXPECT_THAT(ask("CMD=GETJOBS ARG=0:ALL"), HasSubstr("does not answer"));
  for (int i = 0; i < 100; ++i)
    EXPECT_THAT(ask("CMD=GETJOBS ARG=0:ALL"), HasSubstr("does not answer"));
}

TEST_F(ServiceTest, WhenTheControllerIsBackAnswersAreAgain) {
  slurm_.block(true);
  run();
  EXPECT_THAT(ask("CMD=GETJOBS ARG=0:ALL"), HasSubstr("does not answer"));
  slurm_.block(false);
  std::string answer;
  while ((answer = ask("CMD=GETJOBS ARG=0:ALL")).find("SC=0") == std::string::npos)
    ASSERT_THAT(answer, HasSubstr("does not answer"));
  EXPECT_THAT(answer, HasSubstr("1#7:"));
}

TEST_F(ServiceTest, ItEndsWithItsStream) {
  run();
  EXPECT_THAT(ask("CMD=GETJOBS ARG=0:ALL"), HasSubstr("SC=0"));
  stop();
  EXPECT_FALSE(helper_.joinable());
}

TEST(ReplyTextTest, AnAnswerTooLongForAMessageBecomesAFailure) {
  const WikiReply reply{kWikiDone, std::string(200, 'x'), true};
  EXPECT_EQ(reply_text(reply, 300), write_wiki(reply));
  EXPECT_EQ(reply_text(reply, 100),
            "SC=-1 RESPONSE=the answer has 209 bytes, and a message at most 100");
}

TEST_F(ServiceTest, AStartOfVeryManyTasksIsRead) {
  options_.answer_within = 10s;
  run();
  constexpr int kTasks = 400'000;
  std::string body = "CMD=STARTJOB ARG=7 TASKLIST=n1";
  for (int i = 1; i < kTasks; ++i) body += ":n1";
  EXPECT_THAT(ask(body), HasSubstr("the task list has 400000"));
}

TEST_F(ServiceTest, GarbageEndsIt) {
  run();
  send("this is no frame at all");
  EXPECT_EQ(receive(), "closed");
}

TEST_F(ServiceTest, ALineOfTheGateReachesTheSchedulersEventPort) {
  const TemporaryDirectory directory;
  options_.events = directory.path() + "/events";
  std::ofstream(options_.events) << "submit\n";
  boost::asio::io_context io;
  using tcp = boost::asio::ip::tcp;
  tcp::acceptor acceptor(io, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));
  run();
  // The first look has been when a request has been answered.
  ask("CMD=GETJOBS ARG=0:ALL");
  ask("CMD=INITIALIZE ARG=USEHOSTEXP=N EPORT=" + std::to_string(acceptor.local_endpoint().port()) +
      " EWORD=12ab");
  slurm_.touch();
  std::ofstream(options_.events, std::ios::app) << "submit\n";
  auto peer = acceptor.accept();
  std::array<char, 16> event{};
  boost::system::error_code ended;
  const auto count = boost::asio::read(peer, boost::asio::buffer(event), ended);
  EXPECT_EQ(std::string(event.data(), count), "12ab");
}

TEST_F(ServiceTest, LooksAtEventsAfterTheCommandsAreDone) {
  const TemporaryDirectory directory;
  options_.events = directory.path() + "/events";
  options_.rest_after_command = 1h;
  std::ofstream events(options_.events);
  run();
  ask("CMD=GETJOBS ARG=0:ALL");  // with the first look
  ask("CMD=CANCELJOB ARG=7 TYPE=ADMIN");
  const auto before = slurm_.loads.load();
  for (int i = 0; i < 200; ++i) {
    events << "end 7" << std::endl;
    EXPECT_THAT(ask("CMD=CANCELJOB ARG=7 TYPE=ADMIN"), HasSubstr("SC=0"));
  }
  EXPECT_EQ(slurm_.loads, before);
}

}  // namespace
}  // namespace maui::slurm
