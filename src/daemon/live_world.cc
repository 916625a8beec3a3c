#include <fmt/format.h>
#include <netdb.h>

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <ctime>
#include <map>
#include <vector>

#include "base/boot_time.h"
#include "base/program_url.h"
#include "base/server_places.h"
#include "base/text.h"
#include "daemon/live.h"
#include "daemon/programs/helper_link.h"
#include "daemon/programs/munge_reader.h"
#include "daemon/programs/program_settings.h"
#include "daemon/start_check.h"
#include "daemon/world.h"
#include "native/link.h"
#include "net/port_holder.h"
#include "net/try_port_later.h"
#include "pbs/events.h"
#include "pbs/link.h"
#include "rm/event_port.h"
#include "rm/looking_only.h"
#include "rm/resource_managers.h"
#include "rm/wiki_checksum.h"
#include "rm/wiki_resource_manager.h"

namespace maui {
namespace {

/// How long several resource managers are waited for once one of them has answered.
constexpr std::chrono::seconds kPatience{2};

Time machine_time() { return Time(std::time(nullptr)); }

bool is_host(const std::string& name) {
  addrinfo* found = nullptr;
  const bool known = ::getaddrinfo(name.c_str(), nullptr, nullptr, &found) == 0;
  if (known) ::freeaddrinfo(found);
  return known;
}

/// Returns the host of a WIKI server; empty: this host.  Some sites use the resource manager's
/// name, which is no host's, in both places.
std::string host_of(const std::string& name, const ResourceManagerSettings& settings) {
  return settings.host == name && !is_host(name) ? std::string() : settings.host;
}

Result<std::uint32_t> wiki_key_of(const std::string& name, const std::string& text) {
  const auto number = parse_wiki_key(text);
  if (number) return *number;
  return Error{
      fmt::format("resource manager '{}': invalid key in maui-private.cfg: expected a number, "
                  "decimal, 0x hexadecimal or 0 octal",
                  name)};
}

class LiveWorld final : public World {
 public:
  LiveWorld(boost::asio::io_context& io, std::string home, std::int64_t generation, WorldLog log,
            std::function<void()> wake, Later later)
      : io_(io),
        home_(std::move(home)),
        generation_(generation),
        log_(std::move(log)),
        wake_(std::move(wake)),
        later_(std::move(later)) {}

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
  /// The link to a resource manager, and its options.
  struct Connection {
    WikiManagerOptions options;
    std::unique_ptr<WikiLink> link;
  };
  /// The settings that determine a connection.
  struct Terms {
    ResourceManagerSettings settings;
    std::string key;
    friend bool operator==(const Terms&, const Terms&) = default;
  };
  static std::map<std::string, Terms> terms_of(const Configuration& configuration);
  Result<Connection> connect(const std::string& name, const Terms& terms);
  Result<Connection> connect_wiki(const std::string& name, const Terms& terms);
  Result<Connection> connect_slurm(const std::string& name,
                                   const ResourceManagerSettings& settings);
  Connection connect_pbs(const std::string& name, const ResourceManagerSettings& settings);
  Result<Connection> connect_native(const std::string& name,
                                    const ResourceManagerSettings& settings);
  void reconnect(const std::string& name, const Terms& terms);
  /// Handles an event from that resource manager.
  void rung(const std::string& name) {
    managers_.at(name)->ring();
    wake_();
  }
  using Timers = std::map<std::string, boost::asio::steady_timer>;  // by resource manager
  /// Calls `due` for that resource manager after the time, unless the timer is set anew before.
  void call_after(Timers& timers, const std::string& name, std::chrono::seconds time,
                  std::function<void()> due) {
    auto& timer = timers.try_emplace(name, io_).first->second;
    timer.expires_after(time);
    timer.async_wait([due = std::move(due)](boost::system::error_code error) {
      if (!error) due();
    });
  }
  WikiManagerOptions options_of(const std::string& name, const ResourceManagerSettings& settings);
  Status listen(const std::string& name, const std::string& host, int port,
                EventPort::IsEvent is_event = EventPort::has_digit);
  std::unique_ptr<EventPort> event_port(const std::string& name, EventPort::IsEvent is_event) {
    return std::make_unique<EventPort>(
        io_, [this, name] { rung(name); }, is_event);
  }
  void listen_later(const std::string& name);
  int listening_at(const std::string& name) const;
  std::string why_no_events(const std::string& name) const;
  Status can_listen(const std::string& name, const std::string& host, int port) const;
  Status can_connect(const std::string& name, const Terms& terms) const;

  boost::asio::io_context& io_;
  std::string home_;         // the scheduler's directory
  std::int64_t generation_;  // of the lease; 0: no lease
  WorldLog log_;
  std::function<void()> wake_;
  Later later_;
  LiveClock clock_{machine_time};
  LiveDriver* driver_ = nullptr;  // owned by the daemon
  int node_poll_frequency_ = 0;
  std::unique_ptr<ResourceManager> whole_;
  LookingOnly* looked_at_ = nullptr;                      // the same object, owned or not
  std::map<std::string, WikiResourceManager*> managers_;  // its parts, by name
  std::map<std::string, Terms> terms_;
  /// The address to which a resource manager sends events.
  struct EventPlace {
    std::string host;
    int port = 0;
    EventPort::IsEvent is_event = EventPort::has_digit;
    std::unique_ptr<EventPort> open;  // nullptr: another program has the port
    std::string why_not;              // if it is not open: the reason
  };
  std::map<std::string, EventPlace> event_places_;
  Timers pauses_;     // of failed resource managers
  Timers patiences_;  // with those that are asked
  Timers ports_due_;  // where another has the port
};

Result<LiveWorld::Connection> LiveWorld::connect(const std::string& name, const Terms& terms) {
  const auto kind = terms.settings.type.substr(0, terms.settings.type.find(':'));
  if (kind == "SLURM") return connect_slurm(name, terms.settings);
  if (kind == "PBS") return connect_pbs(name, terms.settings);
  if (kind == "NATIVE") return connect_native(name, terms.settings);
  return connect_wiki(name, terms);
}

Result<LiveWorld::Connection> LiveWorld::connect_wiki(const std::string& name, const Terms& terms) {
  const auto& settings = terms.settings;
  WikiLinkOptions link{host_of(name, settings), settings.port, settings.timeout, std::nullopt};
  if (link.host != settings.host)
    log_(1, "fRM", fmt::format("resource manager '{}': no such host; using this host", name));
  if (settings.auth == "CHECKSUM") {
    const auto number = wiki_key_of(name, terms.key);
    if (!number) return number.error();
    link.seal = WikiSeal{*number, "root"};
    log_(0, "fRM",
         fmt::format("WARNING: the checksum of WIKI (resource manager '{}') is weak: it does not "
                     "keep out anyone with access to the network in between",
                     name));
  }
  if (settings.event_port == 0)
    event_places_.erase(name);
  else if (const auto status = listen(name, link.host, settings.event_port); !status)
    return status.error();
  return Connection{options_of(name, settings), make_wiki_dialer(io_, std::move(link), clock_)};
}

// The helper sends events to this machine, at EPORT or at any free port.
Result<LiveWorld::Connection> LiveWorld::connect_slurm(const std::string& name,
                                                       const ResourceManagerSettings& settings) {
  const auto program = program_beside_this("maui-rm-slurm");
  if (!program)
    return Error{fmt::format("resource manager '{}': {}; it is built if libslurm is installed",
                             name, program.error().what)};
  if (const auto status = listen(name, {}, settings.event_port); !status) return status.error();
  if (listening_at(name) == 0)  // the helper can be told of any other port
    if (const auto status = listen(name, {}, 0); !status) return status.error();
  auto options = options_of(name, settings);
  options.event_port = listening_at(name);
  options.event_word = event_places_[name].open->word();
  options.introduce = true;
  options.reservations = options.warnings = options.in_order = options.notices = true;
  options.node_states = true;
  HelperOptions helper;
  helper.program = *program;
  // Shorter than the scheduler's own time limit, so that the helper is not taken for hung.
  const auto patience = std::max<std::int64_t>(1, settings.timeout.raw() / 2);
  helper.arguments = {"--answer-within", std::to_string(patience)};
  helper.timeout = settings.timeout;
  helper.log = options.log;
  helper.ready_again = [this, name] {
    managers_.at(name)->forget();
    wake_();
  };
  auto link = make_helper_link(io_, std::move(helper));
  return Connection{std::move(options), std::move(link)};
}

// Without a port for its events, PBS is polled only.
LiveWorld::Connection LiveWorld::connect_pbs(const std::string& name,
                                             const ResourceManagerSettings& settings) {
  auto options = options_of(name, settings);
  pbs::describe_pbs(options);
  options.notices = settings.comments;
  pbs::LinkOptions link;
  // OpenPBS accepts its scheduler only from the address of this host's own name.
  link.server.hosts = settings.host.empty() ? own_host_name() + ",localhost" : settings.host;
  if (settings.port != 0) link.server.port = settings.port;
  link.server.timeout = std::chrono::seconds(std::max<std::int64_t>(1, settings.timeout.raw()));
  if (settings.subtype == "TORQUE") link.server.subtype = pbs::Subtype::torque;
  if (settings.subtype == "OPENPBS") link.server.subtype = pbs::Subtype::openpbs;
  if (settings.auth == "SECUREPORT") link.server.auth = pbs::Auth::reserved_port;
  if (settings.auth == "TRQAUTHD") link.server.auth = pbs::Auth::trqauthd;
  if (settings.auth == "NONE") link.server.auth = pbs::Auth::none;
  if (settings.auth == "MUNGE") link.server.auth = pbs::Auth::munge;
  if (const auto helper = munge_helper(); helper) link.server.munge = *helper;
  link.server.user = effective_user();
  link.now = options.now;
  link.log = options.log;
  link.later = options.later;
  link.ring = [this, name] { rung(name); };
  const int port = settings.event_port == 0 ? pbs::kEventPort : settings.event_port;
  const auto listening = listen(name, link.server.hosts, port, pbs::is_event);
  if (!listening) {
    event_places_[name].why_not = listening.error().what;
    options.warn(
        fmt::format("{}: jobs wait for the next poll (RMPOLLINTERVAL)", listening.error().what));
  }
  options.event_port = listening ? port : listening_at(name);
  return Connection{std::move(options), pbs::make_link(io_, std::move(link))};
}

// A missing program may be installed later: until then, requests to it fail with a message.
Result<LiveWorld::Connection> LiveWorld::connect_native(const std::string& name,
                                                        const ResourceManagerSettings& settings) {
  auto options = options_of(name, settings);
  options.checkpoints = options.node_states = options.nodes_up_only = true;
  options.introduce = options.changes = false;
  native::LinkOptions link;
  link.timeout = std::chrono::seconds(std::max<std::int64_t>(1, settings.timeout.raw()));
  link.later = options.later;
  for (const auto& [request, text] : settings.urls) {
    const auto url = parse_program_url(text);
    if (!url) return url.error();
    link.sources[request] = {place_of_url(*url, home_), url->arguments, url->is_file};
  }
  if (settings.event_port == 0)
    event_places_.erase(name);
  else if (const auto status = listen(name, settings.host, settings.event_port); !status)
    return status.error();
  return Connection{std::move(options), native::make_link(io_, std::move(link))};
}

WikiManagerOptions LiveWorld::options_of(const std::string& name,
                                         const ResourceManagerSettings& settings) {
  WikiManagerOptions options;
  options.name = name;
  options.type = settings.type;
  options.generation = generation_;
  options.poll_interval = settings.poll_interval;
  options.node_poll_frequency = [this] { return node_poll_frequency_; };
  options.event_port = settings.event_port;
  options.no_events = [this, name] { return why_no_events(name); };
  options.changes = settings.changes;
  options.introduce = settings.introduce;
  options.now = [this] { return clock_.reading(); };  // answers come within iterations
  options.clock_was_set = [this] { return clock_.was_set(); };
  options.clock_steps = [this] { return clock_.steps(); };
  options.again = [this, name](std::chrono::seconds after) {
    call_after(pauses_, name, after, wake_);
  };
  options.later = later_;
  options.log = [log = log_, name](int level, std::string_view text) {
    log(level, "fRM", fmt::format("resource manager '{}': {}", name, text));
  };
  options.warn = [log = log_, name](std::string_view text) {
    log(0, "fRM", fmt::format("WARNING: resource manager '{}': {}", name, text));
  };
  options.wants_talk = log_.wants;
  const char* facility = settings.type.starts_with("PBS") ? "fPBS" : "fWIKI";
  options.talk = [log = log_, name, facility](int level, std::string_view text) {
    log(level, facility, fmt::format("resource manager '{}': {}", name, text));
  };
  return options;
}

/// Keeps a port that is already open.  If another program has the port, tries again until it is
/// free: events only save time, and any user of this machine may take a port.
Status LiveWorld::listen(const std::string& name, const std::string& host, int port,
                         EventPort::IsEvent is_event) {
  EventPlace& place = event_places_[name];
  if (place.open && place.host == host && place.port == port) return Done{};
  if (place.port == port) place.open.reset();  // frees the port
  auto made = event_port(name, is_event);
  const auto status = made->listen(host, port);
  if (!status && !made->port_is_taken()) return status;
  if (!status) made.reset();
  place = {host, port, is_event, std::move(made), {}};
  if (place.open) return Done{};
  place.why_not = fmt::format("{}; {}", status.error().what, port_holder(port));
  log_(0, "fRM",
       fmt::format("WARNING: resource manager '{}': {}: it is only polled until that port is free",
                   name, place.why_not));
  listen_later(name);
  return Done{};
}

void LiveWorld::listen_later(const std::string& name) {
  try_port_later(ports_due_.try_emplace(name, io_).first->second, [this, name] {
    const auto at = event_places_.find(name);
    if (at == event_places_.end() || at->second.open) return;
    EventPlace& place = at->second;
    auto made = event_port(name, place.is_event);
    if (!made->listen(place.host, place.port)) return listen_later(name);
    place.open = std::move(made);
    log_(0, "fRM",
         fmt::format("resource manager '{}': port {} is free: events are received again", name,
                     place.port));
  });
}

/// Returns the port at which events of that resource manager are received; 0: none.
int LiveWorld::listening_at(const std::string& name) const {
  const auto at = event_places_.find(name);
  return at != event_places_.end() && at->second.open ? at->second.open->port() : 0;
}

/// Returns why events of that resource manager are not received; empty if they are, or if none are
/// expected.
std::string LiveWorld::why_no_events(const std::string& name) const {
  const auto at = event_places_.find(name);
  return at == event_places_.end() || at->second.open ? std::string() : at->second.why_not;
}

Status LiveWorld::can_listen(const std::string& name, const std::string& host, int port) const {
  const auto at = event_places_.find(name);
  if (port == 0 || (at != event_places_.end() && at->second.port == port)) return Done{};
  EventPort trial(io_, [] {});
  const auto status = trial.listen(host, port);
  return status || trial.port_is_taken() ? Status(Done{}) : status;
}

/// Succeeds if connect() would.
Status LiveWorld::can_connect(const std::string& name, const Terms& terms) const {
  const auto& settings = terms.settings;
  const auto kind = settings.type.substr(0, settings.type.find(':'));
  if (kind == "PBS") return Done{};
  for (const auto& [request, text] : settings.urls)
    if (const auto url = parse_program_url(text); kind == "NATIVE" && !url) return url.error();
  if (kind == "WIKI" && settings.auth == "CHECKSUM")
    if (const auto key = wiki_key_of(name, terms.key); !key) return key.error();
  const auto host = kind == "SLURM"  ? std::string()
                    : kind == "WIKI" ? host_of(name, settings)
                                     : settings.host;
  return can_listen(name, host, settings.event_port);
}

std::map<std::string, LiveWorld::Terms> LiveWorld::terms_of(const Configuration& configuration) {
  std::map<std::string, Terms> all;
  for (const auto& [index, manager] : configuration.settings().resource_managers) {
    const std::string name = manager.name.empty() ? index : manager.name;
    auto key = configuration.key_of(name);
    if (key.empty()) key = configuration.key_of(index);
    all[name] = {manager, std::move(key)};
  }
  return all;
}

ClockReference LiveWorld::clock_reference() const {
  const auto& [machine, booted] = clock_.since();
  return {boot_id(), whole_seconds(booted), machine};
}

void LiveWorld::go_on_from(const ClockReference& earlier) {
  if (earlier.boot == boot_id())
    clock_.measure_since({earlier.machine, std::chrono::seconds(earlier.lasted.raw())});
}

Status LiveWorld::open(const Configuration& configuration) {
  node_poll_frequency_ = configuration.settings().node_poll_frequency;
  terms_ = terms_of(configuration);
  std::vector<std::unique_ptr<ResourceManager>> managers;
  for (const auto& [name, terms] : terms_) {
    auto connection = connect(name, terms);
    if (!connection) return connection.error();
    auto manager = std::make_unique<WikiResourceManager>(std::move(connection->options),
                                                         std::move(connection->link));
    managers_[name] = manager.get();
    managers.push_back(std::move(manager));
  }
  if (managers.size() == 1)
    whole_ = std::move(managers.front());
  else
    whole_ = std::make_unique<ResourceManagers>(
        std::move(managers), wake_, [this](const std::string& name, std::function<void()> over) {
          call_after(patiences_, name, kPatience, std::move(over));
        });
  const bool test = configuration.settings().server.mode == ServerMode::test;
  auto looked_at = std::make_unique<LookingOnly>(
      std::move(whole_), test ? "SERVERMODE is TEST: nothing is started or changed" : "");
  looked_at_ = looked_at.get();
  whole_ = std::move(looked_at);
  return Done{};
}

Status LiveWorld::can_adopt(const Configuration& configuration) {
  for (const auto& [name, terms] : terms_of(configuration)) {
    const auto known = terms_.find(name);
    if (known == terms_.end() || known->second.settings.type != terms.settings.type) continue;
    if (terms == known->second) continue;
    if (const auto status = can_connect(name, terms); !status)
      return Error{fmt::format("RMCFG[{}]: {}", name, status.error().what)};
  }
  return Done{};
}

/// Gives resource managers new settings; their number and types stay as they were at the start.
void LiveWorld::configure(const Configuration& configuration) {
  node_poll_frequency_ = configuration.settings().node_poll_frequency;
  for (const auto& [name, terms] : terms_of(configuration)) {
    const auto known = terms_.find(name);
    if (known == terms_.end() || known->second.settings.type != terms.settings.type)
      log_(0, "fRM",
           fmt::format("WARNING: resource manager '{}' is used as {} only after a restart", name,
                       terms.settings.type));
    else if (terms != known->second)
      reconnect(name, terms);
  }
}

void LiveWorld::reconnect(const std::string& name, const Terms& terms) {
  auto connection = connect(name, terms);
  if (!connection) {
    log_(0, "fRM",
         fmt::format("ERROR: {}; its old settings remain in use", connection.error().what));
    return;
  }
  terms_[name] = terms;
  managers_.at(name)->reconfigure(std::move(connection->options), std::move(connection->link));
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
