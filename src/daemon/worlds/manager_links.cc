#include "daemon/worlds/manager_links.h"

#include <fmt/format.h>
#include <netdb.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "base/program_url.h"
#include "base/server_places.h"
#include "base/text.h"
#include "daemon/programs/helper_link.h"
#include "daemon/programs/munge_reader.h"
#include "daemon/programs/program_settings.h"
#include "daemon/start_check.h"
#include "native/link.h"
#include "pbs/events.h"
#include "pbs/link.h"
#include "rm/wiki_checksum.h"

namespace maui {
namespace {

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

}  // namespace

std::map<std::string, ManagerTerms> manager_terms(const Configuration& configuration) {
  std::map<std::string, ManagerTerms> all;
  for (const auto& [index, manager] : configuration.settings().resource_managers) {
    const std::string name = manager.name.empty() ? index : manager.name;
    auto key = configuration.key_of(name);
    if (key.empty()) key = configuration.key_of(index);
    all[name] = {manager, std::move(key)};
  }
  return all;
}

Result<ManagerLink> ManagerLinks::connect(const std::string& name, const ManagerTerms& terms) {
  const auto kind = terms.settings.type.substr(0, terms.settings.type.find(':'));
  if (kind == "SLURM") return connect_slurm(name, terms.settings);
  if (kind == "PBS") return connect_pbs(name, terms.settings);
  if (kind == "NATIVE") return connect_native(name, terms.settings);
  return connect_wiki(name, terms);
}

Result<ManagerLink> ManagerLinks::connect_wiki(const std::string& name, const ManagerTerms& terms) {
  const auto& settings = terms.settings;
  WikiLinkOptions link{host_of(name, settings), settings.port, settings.timeout, std::nullopt};
  if (link.host != settings.host)
    around_.log(1, "fRM",
                fmt::format("resource manager '{}': no such host; using this host", name));
  if (settings.auth == "CHECKSUM") {
    const auto number = wiki_key_of(name, terms.key);
    if (!number) return number.error();
    link.seal = WikiSeal{*number, "root"};
    around_.log(
        0, "fRM",
        fmt::format("WARNING: the checksum of WIKI (resource manager '{}') is weak: it does not "
                    "keep out anyone with access to the network in between",
                    name));
  }
  if (settings.event_port == 0)
    events_.close(name);
  else if (const auto status = events_.listen(name, link.host, settings.event_port); !status)
    return status.error();
  return ManagerLink{options_of(name, settings),
                     make_wiki_dialer(around_.io, std::move(link), around_.clock)};
}

// The helper sends events to this machine, at EPORT or at any free port.
Result<ManagerLink> ManagerLinks::connect_slurm(const std::string& name,
                                                const ResourceManagerSettings& settings) {
  const auto program = program_beside_this("maui-rm-slurm");
  if (!program)
    return Error{fmt::format("resource manager '{}': {}; it is built if libslurm is installed",
                             name, program.error().what)};
  if (const auto status = events_.listen(name, {}, settings.event_port); !status)
    return status.error();
  if (events_.port_of(name) == 0)  // the helper can be told of any other port
    if (const auto status = events_.listen(name, {}, 0); !status) return status.error();
  auto options = options_of(name, settings);
  options.event_port = events_.port_of(name);
  options.event_word = events_.of(name)->word();
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
  helper.ready_again = [this, name] { around_.begin_anew(name); };
  auto link = make_helper_link(around_.io, std::move(helper));
  return ManagerLink{std::move(options), std::move(link)};
}

// Without a port for its events, PBS is polled only.
ManagerLink ManagerLinks::connect_pbs(const std::string& name,
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
  link.ring = [this, name] { around_.rung(name); };
  const int port = settings.event_port == 0 ? pbs::kEventPort : settings.event_port;
  const auto listening = events_.listen(name, link.server.hosts, port, pbs::is_event);
  if (!listening)
    options.warn(
        fmt::format("{}: jobs wait for the next poll (RMPOLLINTERVAL)", listening.error().what));
  options.event_port = listening ? port : events_.port_of(name);
  return ManagerLink{std::move(options), pbs::make_link(around_.io, std::move(link))};
}

// A missing program may be installed later: until then, requests to it fail with a message.
Result<ManagerLink> ManagerLinks::connect_native(const std::string& name,
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
    link.sources[request] = {place_of_url(*url, around_.home), url->arguments, url->is_file};
  }
  if (settings.event_port == 0)
    events_.close(name);
  else if (const auto status = events_.listen(name, settings.host, settings.event_port); !status)
    return status.error();
  return ManagerLink{std::move(options), native::make_link(around_.io, std::move(link))};
}

WikiManagerOptions ManagerLinks::options_of(const std::string& name,
                                            const ResourceManagerSettings& settings) {
  WikiManagerOptions options;
  options.name = name;
  options.type = settings.type;
  options.generation = around_.generation;
  options.poll_interval = settings.poll_interval;
  options.node_poll_frequency = around_.node_poll_frequency;
  options.event_port = settings.event_port;
  options.no_events = [this, name] { return events_.why_none(name); };
  options.changes = settings.changes;
  options.introduce = settings.introduce;
  options.now = [this] { return around_.clock.reading(); };  // answers come within iterations
  options.clock_was_set = [this] { return around_.clock.was_set(); };
  options.clock_steps = [this] { return around_.clock.steps(); };
  options.again = [this, name](std::chrono::seconds after) {
    pauses_.call_after(name, after, around_.wake);
  };
  options.later = around_.later;
  options.log = [log = around_.log, name](int level, std::string_view text) {
    log(level, "fRM", fmt::format("resource manager '{}': {}", name, text));
  };
  options.warn = [log = around_.log, name](std::string_view text) {
    log(0, "fRM", fmt::format("WARNING: resource manager '{}': {}", name, text));
  };
  options.wants_talk = around_.log.wants;
  const char* facility = settings.type.starts_with("PBS") ? "fPBS" : "fWIKI";
  options.talk = [log = around_.log, name, facility](int level, std::string_view text) {
    log(level, facility, fmt::format("resource manager '{}': {}", name, text));
  };
  return options;
}

Status ManagerLinks::can_connect(const std::string& name, const ManagerTerms& terms) const {
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
  return events_.can_listen(name, host, settings.event_port);
}

}  // namespace maui
