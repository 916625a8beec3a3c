#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <vector>

#include "base/text.h"
#include "daemon/helper_link.h"
#include "daemon/live.h"
#include "daemon/world.h"
#include "rm/event_port.h"
#include "rm/looking_only.h"
#include "rm/resource_managers.h"
#include "rm/wiki_checksum.h"
#include "rm/wiki_resource_manager.h"

namespace maui {
namespace {

Time machine_time() { return Time(std::time(nullptr)); }

class LiveWorld final : public World {
 public:
  LiveWorld(boost::asio::io_context& io, WorldLog log, std::function<void()> wake)
      : io_(io), log_(std::move(log)), wake_(std::move(wake)) {}

  Status open(const Configuration& configuration);
  const Clock& clock() const override { return clock_; }
  std::unique_ptr<ResourceManager> take_manager() override { return std::move(whole_); }
  std::unique_ptr<Driver> drive(Engine& engine) override {
    return std::make_unique<LiveDriver>(engine, clock_);
  }
  void tick() override { clock_.tick(); }
  void configure(const Settings& settings) override {
    node_poll_frequency_ = settings.node_poll_frequency;
  }

 private:
  Result<std::unique_ptr<WikiResourceManager>> open_wiki(const std::string& name,
                                                         const ResourceManagerSettings& settings,
                                                         const std::string& key);
  Result<std::unique_ptr<WikiResourceManager>> open_slurm(const std::string& name,
                                                          const ResourceManagerSettings& settings);
  WikiManagerOptions options_of(const std::string& name, const ResourceManagerSettings& settings);
  Result<int> listen(const std::string& name, int port);

  boost::asio::io_context& io_;
  WorldLog log_;
  std::function<void()> wake_;
  LiveClock clock_{machine_time};
  int node_poll_frequency_ = 0;
  std::unique_ptr<ResourceManager> whole_;
  std::map<std::string, WikiResourceManager*> managers_;  // parts of it, by name
  std::vector<std::unique_ptr<EventPort>> event_ports_;
};

Result<std::unique_ptr<WikiResourceManager>> LiveWorld::open_wiki(
    const std::string& name, const ResourceManagerSettings& settings, const std::string& key) {
  WikiLinkOptions link{settings.host, settings.port, settings.timeout, std::nullopt};
  if (settings.auth == "CHECKSUM") {
    const auto number = parse_wiki_key(key);
    if (!number)
      return Error{
          fmt::format("resource manager '{}': its key in maui-private.cfg is no number, "
                      "decimal, 0x hexadecimal or 0 octal",
                      name)};
    link.seal = WikiSeal{*number, "root"};
    log_(0, "fRM",
         fmt::format("WARNING: the checksum of WIKI (resource manager '{}') is weak: it does not "
                     "keep anybody out who can reach the network between",
                     name));
  }
  auto manager = std::make_unique<WikiResourceManager>(
      options_of(name, settings), make_wiki_dialer(io_, std::move(link), clock_));
  if (settings.event_port > 0)
    if (const auto port = listen(name, settings.event_port); !port) return port.error();
  return manager;
}

// The helper rings on this machine, at EPORT or at any port that is free.
Result<std::unique_ptr<WikiResourceManager>> LiveWorld::open_slurm(
    const std::string& name, const ResourceManagerSettings& settings) {
  const auto program = program_beside_this("maui-rm-slurm");
  if (!program)
    return Error{fmt::format("resource manager '{}': {}; it is built where libslurm is", name,
                             program.error().what)};
  const auto port = listen(name, settings.event_port);
  if (!port) return port.error();
  auto options = options_of(name, settings);
  options.event_port = *port;
  options.introduce = true;
  HelperOptions helper;
  helper.program = *program;
  // Before the scheduler's own patience is over, so that the helper is not taken for hung.
  const auto patience = std::max<std::int64_t>(1, settings.timeout.raw() / 2);
  helper.arguments = {"--answer-within", std::to_string(patience)};
  helper.timeout = settings.timeout;
  helper.log = options.log;
  return std::make_unique<WikiResourceManager>(std::move(options),
                                               make_helper_link(io_, std::move(helper)));
}

WikiManagerOptions LiveWorld::options_of(const std::string& name,
                                         const ResourceManagerSettings& settings) {
  WikiManagerOptions options;
  options.name = name;
  options.type = settings.type;
  options.poll_interval = settings.poll_interval;
  options.node_poll_frequency = [this] { return node_poll_frequency_; };
  options.event_port = settings.event_port;
  options.changes = settings.changes;
  options.introduce = settings.introduce;
  options.log = [log = log_, name](int level, std::string_view text) {
    log(level, "fRM", fmt::format("resource manager '{}': {}", name, text));
  };
  return options;
}

Result<int> LiveWorld::listen(const std::string& name, int port) {
  event_ports_.push_back(std::make_unique<EventPort>(io_, [this, name] {
    managers_.at(name)->hurry();
    wake_();
  }));
  if (const auto status = event_ports_.back()->listen(port); !status) return status.error();
  return event_ports_.back()->port();
}

Status LiveWorld::open(const Configuration& configuration) {
  const Settings& settings = configuration.settings();
  configure(settings);
  std::vector<std::unique_ptr<ResourceManager>> managers;
  for (const auto& [index, one] : settings.resource_managers) {
    const std::string name = one.name.empty() ? index : one.name;
    auto key = configuration.key_of(name);
    if (key.empty()) key = configuration.key_of(index);
    auto manager = one.type == "SLURM" ? open_slurm(name, one) : open_wiki(name, one, key);
    if (!manager) return manager.error();
    managers_[name] = manager->get();
    managers.push_back(*std::move(manager));
  }
  if (managers.size() == 1)
    whole_ = std::move(managers.front());
  else
    whole_ = std::make_unique<ResourceManagers>(std::move(managers), wake_);
  if (settings.server.mode == ServerMode::test)
    whole_ = std::make_unique<LookingOnly>(std::move(whole_));
  return Done{};
}

}  // namespace

Result<std::unique_ptr<World>> open_live(boost::asio::io_context& io,
                                         const Configuration& configuration, WorldLog log,
                                         std::function<void()> wake) {
  auto world = std::make_unique<LiveWorld>(io, std::move(log), std::move(wake));
  if (auto status = world->open(configuration); !status) return status.error();
  return std::unique_ptr<World>(std::move(world));
}

}  // namespace maui
