// A running engine, a recording server, and commands executed on them.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/text.h"
#include "support/recording_server.h"
#include "support/scripted_rm.h"

namespace maui::test {

class Nobody : public EngineObserver {
 public:
  void log(int, std::string_view, std::string_view) override {}
  void job_ended(const Cluster&, JobId, int) override {}
};

/// Two nodes of two processors.  "root" is ADMIN1, "op" ADMIN2, "help" ADMIN3.  Job "a" of amy runs
/// on both nodes; "b" of bob and "c" of amy wait behind it.
class CommandTest : public testing::Test {
 protected:
  CommandTest() {
    settings.node_access = NodeAccess::shared;
    settings.server.admins = {{{"root"}, {"op"}, {"help"}}};
  }

  Engine& engine() {
    if (!engine_) {
      auto manager = std::make_unique<ScriptedRm>();
      manager->next.nodes = {node_report("n1", procs(2, 512)), node_report("n2", procs(2, 1024))};
      manager->next.arrived = {report("a", 4, "amy"), report("b", 2, "bob"), report("c", 1, "amy")};
      run(std::move(manager));
    }
    return *engine_;
  }
  void run(std::unique_ptr<ScriptedRm> manager) {
    engine_ = std::make_unique<Engine>(settings, std::move(manager), clock, observer_);
    engine_->iterate([] {});
  }

  /// The next scheduler goes on from a checkpoint of this one.
  void restart(std::unique_ptr<ScriptedRm> manager) {
    const std::string text = checkpoint_text(engine().cluster(), engine().checkpoint());
    engine_ = std::make_unique<Engine>(settings, std::move(manager), clock, observer_);
    auto read = read_checkpoint_text(text, settings.display.plot, engine_->names());
    ASSERT_TRUE(read) << read.error().what;
    engine_->restore(*std::move(read));
    engine_->iterate([] {});
  }

  /// Drops the engine, so that the next use creates a new one.
  void begin_anew() { engine_.reset(); }

  static JobReport report(const std::string& name, int tasks, const std::string& user) {
    JobReport job = job_report(name, tasks);
    job.user = user;
    return job;
  }

  /// Runs "showq -p DEFAULT" etc. as `user`; the word after a flag with an argument is its value.
  Reply ask(const std::string& line, const std::string& user = "root",
            const std::string& host = {}) {
    CommandRequest request;
    request.user = user;
    request.group = "staff";
    request.host = host;
    const auto all = words(line);
    request.command = all.front();
    const CommandSpec* spec = find_command(request.command);
    for (std::size_t i = 1; i < all.size(); ++i) {
      if (all[i].starts_with("--")) {
        const auto equals = std::min(all[i].find('='), all[i].size());
        const auto value = all[i].substr(std::min(equals + 1, all[i].size()));
        request.flags.emplace(all[i].substr(2, equals - 2), value);
        continue;
      }
      if (all[i].size() != 2 || all[i][0] != '-') {
        request.operands.emplace_back(all[i]);
        continue;
      }
      const char letter = all[i][1];
      const bool takes_value =
          spec != nullptr &&
          std::any_of(spec->flags.begin(), spec->flags.end(),
                      [&](const Flag& f) { return f.letter == letter && !f.argument.empty(); });
      const bool given = takes_value && i + 1 < all.size() && all[i + 1][0] != '-';
      request.flags.emplace(std::string(1, letter), given ? all[++i] : std::string_view());
    }
    return execute(engine(), server, request);
  }
  template <class T>
  T get(const std::string& line, const std::string& user = "root") {
    const Reply reply = ask(line, user);
    if (const auto* wanted = std::get_if<T>(&reply)) return *wanted;
    ADD_FAILURE() << line << ": " << why_not(line, user);
    return T{};
  }
  /// Returns the reason of a refusal.
  std::string why_not(const std::string& line, const std::string& user = "root",
                      const std::string& host = {}) {
    const Reply reply = ask(line, user, host);
    const auto* refusal = std::get_if<Refusal>(&reply);
    return refusal == nullptr ? "(done)" : refusal->reason;
  }
  const Job& job(const std::string& name) {
    return engine().cluster().job(engine().cluster().find_job(name));
  }

  Settings settings;
  HandClock clock;
  RecordingServer server;

 private:
  Nobody observer_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace maui::test
