#include <fmt/format.h>

#include <chrono>
#include <map>
#include <utility>
#include <vector>

#include "daemon/boot_id.h"
#include "daemon/worlds/live_clock.h"
#include "daemon/worlds/live_driver.h"
#include "daemon/worlds/manager_links.h"
#include "daemon/worlds/named_timers.h"
#include "daemon/worlds/world.h"
#include "rm/looking_only.h"
#include "rm/resource_managers.h"
#include "rm/wiki_resource_manager.h"

namespace maui {
namespace {

/// How long several resource managers are waited for once one of them has answered.
constexpr std::chrono::seconds kPatience{2};

std::chrono::nanoseconds machine_time() {
  return std::chrono::system_clock::now().time_since_epoch();
}

class LiveWorld final : public World {
 public:
  LiveWorld(boost::asio::io_context& io, const std::string& home, std::int64_t generation,
            const WorldLog& log, std::function<void()> wake, const Later& later)
      : log_(log),
        wake_(std::move(wake)),
        patiences_(io),
        links_({io, home, generation, log, clock_, later, wake_,
                [this] { return node_poll_frequency_; }, [this](const auto& name) { rung(name); },
                [this](const auto& name) { begin_anew(name); }}) {}

  Status open(const Configuration& configuration);
  Clock& clock() override { return clock_; }
  ClockReference clock_reference() const override;
  void go_on_from(const ClockReference& earlier) override;
  std::unique_ptr<ResourceManager> take_manager() override { return std::move(whole_); }
  std::unique_ptr<Driver> drive(Engine& engine) override {
    auto driver = std::make_unique<LiveDriver>(engine, clock_);
    driver_ = driver.get();
    return driver;
  }
  void tick() override { driver_->tick(); }
  Status can_adopt(const Configuration& configuration) override;
  void configure(const Configuration& configuration) override;
  void only_look(const std::string& why) override { looked_at_->only_look(why); }

 private:
  void reconnect(const std::string& name, const ManagerTerms& terms);
  void rung(const std::string& name) {
    managers_.at(name)->ring();
    wake_();
  }
  void begin_anew(const std::string& name) {
    managers_.at(name)->forget();
    wake_();
  }

  WorldLog log_;
  std::function<void()> wake_;
  LiveClock clock_{machine_time};
  LiveDriver* driver_ = nullptr;  // owned by the daemon
  int node_poll_frequency_ = 0;
  std::unique_ptr<ResourceManager> whole_;
  LookingOnly* looked_at_ = nullptr;                      // the same object, owned or not
  std::map<std::string, WikiResourceManager*> managers_;  // its parts, by name
  std::map<std::string, ManagerTerms> terms_;
  NamedTimers patiences_;  // with resource managers that are asked
  ManagerLinks links_;
};

ClockReference LiveWorld::clock_reference() const {
  return {boot_id(), std::chrono::round<std::chrono::milliseconds>(clock_.ahead())};
}

void LiveWorld::go_on_from(const ClockReference& earlier) {
  if (!earlier.boot.empty() && earlier.boot == boot_id()) clock_.measure_from(earlier.ahead);
}

Status LiveWorld::open(const Configuration& configuration) {
  node_poll_frequency_ = configuration.settings().node_poll_frequency;
  terms_ = manager_terms(configuration);
  std::vector<std::unique_ptr<ResourceManager>> managers;
  for (const auto& [name, terms] : terms_) {
    auto made = links_.connect(name, terms);
    if (!made) return made.error();
    auto manager =
        std::make_unique<WikiResourceManager>(std::move(made->options), std::move(made->link));
    managers_[name] = manager.get();
    managers.push_back(std::move(manager));
  }
  if (managers.size() == 1)
    whole_ = std::move(managers.front());
  else
    whole_ = std::make_unique<ResourceManagers>(
        std::move(managers), wake_, [this](const std::string& name, std::function<void()> over) {
          patiences_.call_after(name, kPatience, std::move(over));
        });
  const bool test = configuration.settings().server.mode == ServerMode::test;
  auto looked_at = std::make_unique<LookingOnly>(
      std::move(whole_), test ? "SERVERMODE is TEST: nothing is started or changed" : "");
  looked_at_ = looked_at.get();
  whole_ = std::move(looked_at);
  return Done{};
}

Status LiveWorld::can_adopt(const Configuration& configuration) {
  for (const auto& [name, terms] : manager_terms(configuration)) {
    const auto known = terms_.find(name);
    if (known == terms_.end() || known->second.settings.type != terms.settings.type) continue;
    if (terms == known->second) continue;
    if (const auto status = links_.can_connect(name, terms); !status)
      return Error{fmt::format("RMCFG[{}]: {}", name, status.error().what)};
  }
  return Done{};
}

/// Gives resource managers new settings; their number and types stay as they were at the start.
void LiveWorld::configure(const Configuration& configuration) {
  node_poll_frequency_ = configuration.settings().node_poll_frequency;
  for (const auto& [name, terms] : manager_terms(configuration)) {
    const auto known = terms_.find(name);
    if (known == terms_.end() || known->second.settings.type != terms.settings.type)
      log_(0, "fRM",
           fmt::format("WARNING: resource manager '{}' is used as {} only after a restart", name,
                       terms.settings.type));
    else if (terms != known->second)
      reconnect(name, terms);
  }
}

void LiveWorld::reconnect(const std::string& name, const ManagerTerms& terms) {
  auto made = links_.connect(name, terms);
  if (!made) {
    log_(0, "fRM", fmt::format("ERROR: {}; its old settings remain in use", made.error().what));
    return;
  }
  terms_[name] = terms;
  managers_.at(name)->reconfigure(std::move(made->options), std::move(made->link));
  log_(1, "fRM", fmt::format("resource manager '{}' has new settings", name));
}

}  // namespace

Result<std::unique_ptr<World>> open_live(boost::asio::io_context& io,
                                         const Configuration& configuration,
                                         const std::string& home, std::int64_t generation,
                                         WorldLog log, std::function<void()> wake, Later later) {
  auto world = std::make_unique<LiveWorld>(io, home, generation, std::move(log), std::move(wake),
                                           std::move(later));
  if (auto status = world->open(configuration); !status) return status.error();
  return std::unique_ptr<World>(std::move(world));
}

}  // namespace maui
