// A copy of the engine on which commands are tried (--dry-run).
//
// It is the engine itself, so that a command does there what it does in earnest; only its world is
// another one.  The resource manager agrees to everything at once, the clock stands still, and
// nobody hears of anything: no log, no events, no programs, no allocation manager.
#include <utility>
#include <vector>

#include "engine/state.h"

namespace maui {
namespace {

class AgreeingManager final : public ResourceManager {
 public:
  AgreeingManager(const ResourceManager& of, const Cluster& cluster)
      : name_(of.name()),
        reports_job_starts_(of.reports_job_starts()),
        records_(of.records()),
        departures_(cluster.departures()) {}

  /// Jobs that were to be cancelled, since this was asked last.
  std::vector<std::string> take_cancelled() { return std::exchange(cancelled_, {}); }

  /// Jobs have left their nodes since: what was reported of the load there is old.
  bool any_left(const Cluster& cluster) const { return cluster.departures() != departures_; }

  std::string_view name() const override { return name_; }
  void poll(const Cluster&, Time, std::function<void(Result<Update>)> done) override {
    done(Update());
  }
  void start(const Job&, const Cluster&, Time, Started done) override { done(Done{}); }
  void cancel(const Job& job, Time, Answer done) override {
    cancelled_.push_back(job.name);
    done(Done{});
  }
  void requeue(const Job&, Time, Answer done) override { done(Done{}); }
  void suspend(const Job&, Time, Answer done) override { done(Done{}); }
  void resume(const Job&, Time, Answer done) override { done(Done{}); }
  void checkpoint(const Job&, Time, Answer done) override { done(Done{}); }
  void modify_node(const Node&, NodeState, Time, Answer done) override { done(Done{}); }
  bool reports_job_starts() const override { return reports_job_starts_; }
  std::vector<RmRecord> records() const override { return records_; }

 private:
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

Engine::State::State(const EngineKnowledge& known, std::shared_ptr<const void> world,
                     std::unique_ptr<ResourceManager> manager, const Clock& time,
                     EngineObserver& listener)
    : EngineKnowledge(known),
      own_world(std::move(world)),
      rm(std::move(manager)),
      clock(time),
      observer(listener),
      planning{tools, reservations, {}, nullptr} {}

Engine::Engine(std::unique_ptr<State> state) : state_(std::move(state)) {}

std::unique_ptr<Engine> Engine::trial() const {
  const auto world = std::make_shared<World>(now());
  auto manager = std::make_unique<AgreeingManager>(*state_->rm, state_->cluster);
  return std::unique_ptr<Engine>(new Engine(
      std::make_unique<State>(*state_, world, std::move(manager), world->clock, world->observer)));
}

void Engine::settle_trial() {
  State& state = *state_;
  auto& manager = static_cast<AgreeingManager&>(*state.rm);
  for (const auto& name : manager.take_cancelled()) {
    const JobId id = state.cluster.find_job(name);
    if (id.valid() && !state.cluster.job(id).waiting())
      state.job_ends.end(id, JobState::removed, now());
  }
  state.account_fairshare();
  if (!manager.any_left(state.cluster)) state.reported_nodes.judge();
  state.holds.release_deferred();
  state.reservations.expire();
  state.planning.prepare();
}

JobId Engine::submit_to_trial(JobReport report) {
  State& state = *state_;
  if (state.cluster.find_job(report.name).valid()) return {};
  state.arrivals.submit(report);
  return state.cluster.find_job(report.name);
}

}  // namespace maui
