// A simulation that consults the site's own programs.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "daemon/programs/local_programs.h"
#include "daemon/temporary_directory.h"
#include "replay/simulation_driver.h"
#include "sched/configured.h"
#include "sim/open_simulator.h"
#include "support/silent_observer.h"

namespace maui::test {

class LocalSimulation {
 public:
  /// Adds a job to the log: "1 0 100 4 100 2" is job 1, submitted at 0, running 100 s on 4
  /// processors, with a limit of 100 s, of user u2 and group g2.
  LocalSimulation& job(int number, int submit, int run, int procs, int limit, int user) {
    log_ += fmt::format("{0} {1} -1 {2} {3} -1 -1 {3} {4} -1 1 {5} {5} -1 -1 -1 -1 -1\n", number,
                        submit, run, procs, limit, user);
    return *this;
  }
  /// Writes the program tools/NAME, a shell script.
  LocalSimulation& program(const std::string& name, const std::string& body) {
    const auto path = place(name);
    std::ofstream(path) << "#!/bin/sh\n" << body << "\n";
    ::chmod(path.c_str(), 0700);
    return *this;
  }
  /// Copies an example from etc/local to tools/NAME.
  LocalSimulation& example(const std::string& name) {
    std::filesystem::copy_file(std::string(MAUI_SOURCE "/etc/local/") + name, place(name));
    return *this;
  }
  LocalSimulation& limits(InquiryLimits limits) {
    limits_ = limits;
    return *this;
  }

  /// Returns when each job started, in seconds since noon, the time at which the log begins.
  std::map<std::string, std::int64_t> run(const std::string& configuration, int procs = 4) {
    std::ofstream(home_ / "log.swf")
        << fmt::format("; UnixStartTime: 43200\n; MaxNodes: {0}\n; MaxProcs: {0}\n", procs) << log_;
    Settings settings = configured(configuration);
    settings.server.mode = ServerMode::simulation;
    settings.poll_interval = Seconds(60);
    settings.simulation.resource_trace = "[NONE]";
    settings.simulation.workload_trace = "log.swf";
    settings.simulation.submission = SubmissionPolicy::normal;
    settings.simulation.step = StepPolicy::event;
    TraceSummary summary;
    auto simulator = open_simulator(settings, home_.path(), summary);
    EXPECT_TRUE(simulator) << simulator.error().what;
    if (!simulator) return {};
    VirtualClock clock((*simulator)->start_time());
    boost::asio::io_context io;
    LocalPrograms programs(io, limits_,
                           [this](int, std::string_view text) { complaints.emplace_back(text); });
    programs.configure(settings.local, home_.path());
    Starts observer;
    observer.from = clock.now();
    Engine engine(settings, std::move(*simulator), clock, observer);
    engine.consult_with(programs);
    SimulationDriver driver(engine, clock);
    for (int steps = 0; driver.state({}) == SimulationDriver::State::ready; ++steps) {
      EXPECT_LT(steps, 1000) << "it does not end";
      if (steps == 1000) break;
      driver.step();
      for (; engine.iterating(); io.restart()) io.run_one();
    }
    return observer.of;
  }

  /// Returns what a program has written to a file in the home directory.
  std::string written(const std::string& name) const {
    std::ifstream in(home_ / name);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string path(const std::string& name) const { return home_ / name; }

  std::vector<std::string> complaints;

 private:
  class Starts : public SilentObserver {
   public:
    void job_ended(const Cluster& cluster, JobId id, int) override {
      const Job& job = cluster.job(id);
      of[job.name] = (job.started - from).raw();
    }
    Time from{0};
    std::map<std::string, std::int64_t> of;
  };

  std::string place(const std::string& name) {
    std::filesystem::create_directories(home_ / "tools");
    return home_ / ("tools/" + name);
  }

  TemporaryDirectory home_;
  std::string log_;
  InquiryLimits limits_{std::chrono::milliseconds(30000), std::size_t{1} << 20};
};

}  // namespace maui::test
