// Processor time to poll a resource manager that speaks WIKI, or PBS's protocol, and to apply what
// it says: from the question for nodes to the end of an iteration that plans nothing.  The server
// has a thread of its own, whose time does not count.
//
// The goal's cluster has 2,000 nodes and 5,000 jobs, of which 2,000 run.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <ctime>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "engine/engine.h"
#include "pbs/fake_server.h"
#include "pbs/link.h"
#include "rm/fake_server.h"
#include "rm/wiki_resource_manager.h"
#include "support/scripted_rm.h"
#include "support/silent_observer.h"

namespace maui {
namespace {

constexpr int kNodes = 2000, kJobs = 5000, kRunning = 2000;
constexpr Time kNow{1'800'000'000};

/// Every node with another load at each poll.
std::string nodes_told(int poll) {
  std::string text = fmt::format("{}", kNodes);
  for (int i = 0; i < kNodes; ++i)
    text += fmt::format(
        "#n{:04}:STATE=Running;CPULOAD={}.{:06};CCLASS=[batch:32][long:32];ARCH=x86_64;OS=Linux;"
        "FEATURE=fast:ib;CMEMORY=64000;AMEMORY=32000;CDISK=100000;CPROC=32;",
        i, poll % 32, i);
  return text;
}

/// The jobs of that poll: those of number `first` on; the first ones run.
std::string jobs_told(int first) {
  std::string text = fmt::format("{}", kJobs);
  for (int i = 0; i < kJobs; ++i) {
    const int number = first + i;
    const auto queued = kNow.raw() - 1000 + number / 10;
    const bool runs = i < kRunning;
    text += fmt::format(
        "#{}:STATE={};RFEATURES=fast;MAXNODES=0;IWD=\"/home/u{}\";UPDATETIME={};WCLIMIT=3600;"
        "TASKS=4;NODES=1;DPROCS=1;QUEUETIME={};STARTTIME={};RCLASS=\"batch\";RMEM=100;RDISK=0;"
        "COMMENT=\"NACCESSPOLICY:shared?JOBFLAGS:RESTARTABLE\";NAME=\"wrap\";UNAME=u{};GNAME=g{};",
        number, runs ? "Running" : "Idle", number % 500, queued, queued, runs ? queued + 1 : 0,
        number % 500, number % 20);
    if (runs) {
      const std::string node = fmt::format("n{:04}", number % kNodes);
      text += fmt::format("TASKLIST={0}:{0}:{0}:{0};", node);
    }
  }
  return text;
}

/// A loop that runs in a thread of its own.
class LoopThread {
 public:
  ~LoopThread() {
    io.stop();
    thread_.join();
  }
  /// Runs it there; returns when it is done.
  void run(std::function<void()> work) {
    std::promise<void> done;
    boost::asio::post(io, [&] {
      work();
      done.set_value();
    });
    done.get_future().wait();
  }

  boost::asio::io_context io;

 private:
  decltype(boost::asio::make_work_guard(io)) work_ = boost::asio::make_work_guard(io);
  std::thread thread_{[this] { io.run(); }};
};

/// Returns what this thread has used of a processor, in seconds.
double processor_time() {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

/// A scheduler's engine before a server.
class Polled {
 public:
  virtual ~Polled() = default;

  /// Returns the seconds of processor time that one iteration takes.
  double iteration() {
    clock_.time = clock_.time + Seconds(10);
    const double begun = processor_time();
    bool done = false;
    engine_->iterate([&done] { done = true; });
    while (!done) {
      io_.restart();
      io_.run_one();
    }
    return processor_time() - begun;
  }

  bool knows_all() const {
    return engine_->cluster().nodes().size() == std::size_t{kNodes} &&
           engine_->cluster().jobs().size() >= std::size_t{kJobs};
  }

 protected:
  void begin(WikiManagerOptions options, std::unique_ptr<WikiLink> link) {
    clock_.time = kNow;
    auto manager = std::make_unique<WikiResourceManager>(std::move(options), std::move(link));
    engine_ =
        std::make_unique<Engine>(Settings{}, std::move(manager), clock_, nobody_,
                                 [](const Cluster&, const Settings&, Time) { return Plan{}; });
  }

  boost::asio::io_context io_;
  test::HandClock clock_;

 private:
  test::SilentObserver nobody_;
  std::unique_ptr<Engine> engine_;
};

class WikiPolled final : public Polled {
 public:
  WikiPolled() {
    WikiLinkOptions link;
    loop_.run([&] {
      server_ = std::make_unique<FakeServer>(loop_.io);
      server_->nodes = nodes_told(0);
      server_->jobs = jobs_told(0);
      link.port = server_->port();
    });
    begin({}, make_wiki_dialer(io_, std::move(link), clock_));
  }

  ~WikiPolled() override {
    loop_.run([&] { server_.reset(); });
  }

  /// Every node says something new, and `fewer` jobs have ended, started and come.
  void move_on(int fewer) {
    loop_.run([&] {
      server_->nodes = nodes_told(++polls_);
      server_->jobs = jobs_told(first_ += fewer);
    });
  }

 private:
  LoopThread loop_;
  std::unique_ptr<FakeServer> server_;
  int polls_ = 0, first_ = 0;
};

/// TORQUE, which has told of a running job on each node.
class PbsPolled final : public Polled {
 public:
  PbsPolled() {
    pbs::LinkOptions link;
    loop_.run([&] {
      server_ = std::make_unique<pbs::test::FakePbs>(loop_.io, pbs::test::FakePbs::Kind::torque);
      for (int i = 0; i < kNodes; ++i) server_->nodes[fmt::format("n{:04}", i)].np = 32;
      for (int i = 0; i < kJobs; ++i) submit();
      for (int i = 0; i < kRunning; ++i) run(i);
      link.server.port = server_->port();
    });
    link.server.auth = pbs::Auth::none;
    link.server.subtype = pbs::Subtype::torque;
    link.now = [this] { return clock_.time; };
    WikiManagerOptions options;
    options.checkpoints = options.node_states = true;
    begin(std::move(options), pbs::make_link(io_, std::move(link)));
    clock_.time = Time(std::time(nullptr));  // the server's own: no job is over its limit
  }

  ~PbsPolled() override {
    loop_.run([&] { server_.reset(); });
  }

  /// `fewer` jobs have ended, started and come.
  void move_on(int fewer) {
    loop_.run([&] {
      for (int i = 0; i < fewer; ++i, ++first_) {
        const auto name = fmt::format("{}.srv", first_ + 1);
        for (const auto& [node, slots] : server_->jobs[name].slots)
          server_->nodes[node].slots.erase(name);
        server_->jobs.erase(name);
        run(first_ + kRunning);
        submit();
      }
    });
  }

 private:
  void submit() {
    server_->submit({{"nodes", "1:ppn=4"}, {"walltime", "01:00:00"}, {"mem", "400mb"}});
  }
  /// The job of this number, from 0 on.
  void run(int number) {
    auto& job = server_->jobs[fmt::format("{}.srv", number + 1)];
    const auto node = fmt::format("n{:04}", number % kNodes);
    job.state = 'R';
    job.substate = 42;
    job.exec_host = node + "/0-3";
    job.slots = {{node, 4}};
    job.started = job.submitted;
    job.began = std::chrono::steady_clock::now();
    server_->nodes[node].slots[job.id] = 4;
  }

  LoopThread loop_;
  std::unique_ptr<pbs::test::FakePbs> server_;
  int first_ = 0;
};

template <class Server>
void first(benchmark::State& state) {
  for (auto _ : state) {
    Server polled;
    state.SetIterationTime(polled.iteration());
    if (!polled.knows_all()) state.SkipWithError("the answer was not understood");
  }
}

template <class Server>
void same(benchmark::State& state) {
  Server polled;
  polled.iteration();
  for (auto _ : state) state.SetIterationTime(polled.iteration());
}

template <class Server>
void moves(benchmark::State& state) {
  Server polled;
  polled.iteration();
  for (auto _ : state) {
    polled.move_on(static_cast<int>(state.range(0)));
    state.SetIterationTime(polled.iteration());
  }
}

BENCHMARK(first<WikiPolled>)->Name("wiki_first")->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(same<WikiPolled>)->Name("wiki_same")->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(moves<WikiPolled>)
    ->Name("wiki_moves")
    ->Arg(500)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(first<PbsPolled>)->Name("pbs_first")->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(same<PbsPolled>)->Name("pbs_same")->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(moves<PbsPolled>)
    ->Name("pbs_moves")
    ->Arg(50)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace maui
