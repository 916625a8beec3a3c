// A copy of the engine on which commands are tried (--dry-run).
//
// The copy is a full engine, so commands behave as they do in earnest; only its surroundings
// differ.  Its resource manager agrees at once to everything that the real one can do, its clock
// stands still, and nobody is notified: no log, no events, no programs, no allocation manager.
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "engine/parts.h"

namespace maui {
namespace {

class AgreeingManager final : public ResourceManager {
 public:
  AgreeingManager(const ResourceManager& of, const Cluster& cluster)
      : name_(of.name()),
        reports_job_starts_(of.reports_job_starts()),
        records_(of.records()),
        departures_(cluster.departures()) {}

  /// Returns the jobs cancelled since the last call.
  std::vector<std::string> take_cancelled() { return std::exchange(cancelled_, {}); }

  /// True if jobs have left their nodes since the copy, so that reported loads are outdated.
  bool any_left(const Cluster& cluster) const { return cluster.departures() != departures_; }

  std::string_view name() const override { return name_; }
  void poll(const Cluster&, Time, std::function<void(Result<Update>)> done) override {
    done(Update());
  }
  void start(const Job&, const Cluster&, Time, Started done) override { done(Done{}); }
  void cancel(const Job& job, CancelCause, Time, Answer done) override {
    cancelled_.push_back(job.name);
    done(Done{});
  }
  void requeue(const Job&, Time, Answer done) override { done(Done{}); }
  void suspend(const Job&, Time, Answer done) override { done(Done{}); }
  void resume(const Job&, Time, Answer done) override { done(Done{}); }
  void checkpoint(const Job& job, Time, Answer done) override {
    agree_unless(job.resource_manager, &RmRecord::no_checkpoints, done);
  }
  void modify_node(const Node& node, NodeState, const std::string&, Time, Answer done) override {
    agree_unless(node.resource_manager, &RmRecord::no_node_states, done);
  }
  bool reports_job_starts() const override { return reports_job_starts_; }
  std::vector<RmRecord> records() const override { return records_; }

 private:
  /// Refuses if the record of that resource manager says why it cannot do it.
  void agree_unless(std::string_view manager, std::string RmRecord::*why_not,
                    const Answer& done) const {
    for (const RmRecord& record : records_)
      if (record.name == manager && !(record.*why_not).empty()) return done(Error{record.*why_not});
    done(Done{});
  }

  std::string name_;
  bool reports_job_starts_;
  std::vector<RmRecord> records_;
  std::uint64_t departures_;
  std::vector<std::string> cancelled_;
};

class Nobody final : public EngineObserver {
 public:
  bool wants(int) const override { return false; }
  void log(int, std::string_view, std::string_view) override {}
  void job_ended(const Cluster&, JobId, int) override {}
};

class StandingClock final : public Clock {
 public:
  explicit StandingClock(Time now) : now_(now) {}
  Time now() const override { return now_; }

 private:
  Time now_;
};

struct World {
  explicit World(Time now) : clock(now) {}
  StandingClock clock;
  Nobody observer;
};

}  // namespace

std::unique_ptr<Engine> Engine::trial() const {
  const auto world = std::make_shared<World>(now());
  auto manager = std::make_unique<AgreeingManager>(*parts_->rm, parts_->known.cluster);
  auto parts = std::make_unique<EngineParts>(EngineKnowledge(parts_->known), std::move(manager),
                                             world->clock, world->observer);
  parts->world = world;
  return std::unique_ptr<Engine>(new Engine(std::move(parts)));
}

void Engine::settle_trial() {
  EngineParts& parts = *parts_;
  const Cluster& cluster = parts.known.cluster;
  auto& manager = static_cast<AgreeingManager&>(*parts.rm);
  for (const auto& name : manager.take_cancelled()) {
    const JobId id = cluster.find_job(name);
    if (id.valid() && !cluster.job(id).waiting()) parts.job_ends.end(id, JobState::removed, now());
  }
  parts.iteration.prepare(!manager.any_left(cluster));
}

JobId Engine::submit_to_trial(JobReport report) {
  const Cluster& cluster = parts_->known.cluster;
  if (cluster.find_job(report.name).valid()) return {};
  parts_->arrivals.submit(report);
  Dependencies& dependencies = parts_->known.dependencies;
  while (!dependencies.judge(parts_->known.cluster, [](const Job&) { return true; })) continue;
  const JobId id = cluster.find_job(report.name);
  parts_->planning.choose_shape(id);
  return id;
}

}  // namespace maui
