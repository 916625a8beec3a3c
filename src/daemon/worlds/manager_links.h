// The link to each resource manager by its TYPE (RMCFG): WIKI, SLURM, PBS or NATIVE.
#pragma once
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "config/configuration.h"
#include "daemon/worlds/event_places.h"
#include "daemon/worlds/live_clock.h"
#include "daemon/worlds/named_timers.h"
#include "daemon/worlds/world_log.h"
#include "maui/result.h"
#include "rm/in_slices.h"
#include "rm/wiki_link.h"
#include "rm/wiki_resource_manager.h"

namespace maui {

/// The settings that determine the link to a resource manager.
struct ManagerTerms {
  ResourceManagerSettings settings;
  std::string key;
  friend bool operator==(const ManagerTerms&, const ManagerTerms&) = default;
};
/// Returns those of all resource managers, by name.
std::map<std::string, ManagerTerms> manager_terms(const Configuration& configuration);

struct ManagerLink {
  WikiManagerOptions options;
  std::unique_ptr<WikiLink> link;
};

class ManagerLinks {
 public:
  /// All must outlive this.
  struct Surroundings {
    boost::asio::io_context& io;
    std::string home;         // the scheduler's directory, below which programs are looked for
    std::int64_t generation;  // of the lease; 0: no lease
    WorldLog log;
    const LiveClock& clock;
    Later later;
    /// Reports that an iteration would see a change.
    std::function<void()> wake;
    std::function<int()> node_poll_frequency;
    /// Handles an event of a resource manager.
    std::function<void(const std::string& manager)> rung;
    /// Asks a resource manager for all that it knows, since its helper has begun anew.
    std::function<void(const std::string& manager)> begin_anew;
  };
  explicit ManagerLinks(Surroundings surroundings)
      : around_(std::move(surroundings)),
        events_(around_.io, around_.log, around_.rung),
        pauses_(around_.io) {}

  /// Makes a link and listens for the manager's events, but contacts nobody yet.
  Result<ManagerLink> connect(const std::string& name, const ManagerTerms& terms);
  /// Succeeds if connect() would.
  Status can_connect(const std::string& name, const ManagerTerms& terms) const;

 private:
  Result<ManagerLink> connect_wiki(const std::string& name, const ManagerTerms& terms);
  Result<ManagerLink> connect_slurm(const std::string& name,
                                    const ResourceManagerSettings& settings);
  ManagerLink connect_pbs(const std::string& name, const ResourceManagerSettings& settings);
  Result<ManagerLink> connect_native(const std::string& name,
                                     const ResourceManagerSettings& settings);
  WikiManagerOptions options_of(const std::string& name, const ResourceManagerSettings& settings);

  Surroundings around_;
  EventPlaces events_;
  NamedTimers pauses_;  // of failed resource managers
};

}  // namespace maui
