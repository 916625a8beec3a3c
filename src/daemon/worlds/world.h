// The differences between a simulation and live operation: the clock, the resource managers, and
// the driver of the engine.  The rest of the daemon is the same for both.
#pragma once
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "config/configuration.h"
#include "daemon/worlds/world_log.h"
#include "engine/checkpoint/checkpoint.h"
#include "engine/driver.h"
#include "maui/clock.h"
#include "maui/resource_manager.h"
#include "rm/in_slices.h"

namespace maui {

/// The engine's surroundings, which must outlive the engine.
class World {
 public:
  virtual ~World() = default;
  virtual Clock& clock() = 0;
  /// Returns what steps of the clock are measured from.
  virtual ClockReference clock_reference() const { return {}; }
  /// Has them measured from there if it is of the same boot of the machine.
  virtual void go_on_from(const ClockReference& /*earlier*/) {}
  /// Returns the resource manager for the engine; called once.
  virtual std::unique_ptr<ResourceManager> take_manager() = 0;
  virtual std::unique_ptr<Driver> drive(Engine& engine) = 0;
  /// Updates the clock before a client is served.
  virtual void tick() {}
  /// Input that was not used, which is reported at the end, and whether some input was lost:
  /// damaged or cut off.
  struct Unused {
    std::string text;  // empty: all was used
    bool lost = false;
  };
  virtual Unused unused_input() const { return {}; }
  /// Called after the engine has stopped for good.
  virtual void run_ended() {}
  /// With `why`, resource managers are only queried for their state; if `why` is empty, they also
  /// receive actions.  Called only while the engine exists.
  virtual void only_look(const std::string& /*why*/) {}
  /// Returns an error if a changed configuration could not be adopted.
  virtual Status can_adopt(const Configuration& /*configuration*/) { return Done{}; }
  /// Adopts a changed configuration.
  virtual void configure(const Configuration& /*configuration*/) {}
};

/// Opens the traces SIMWORKLOADTRACEFILE and SIMRESOURCETRACEFILE, relative to `home`, with a clock
/// that the traces advance.
Result<std::unique_ptr<World>> open_simulation(const Settings& settings, const std::string& home,
                                               const WorldLog& log);

/// Creates the resource managers that RMCFG and related parameters name, and a clock that follows
/// the machine's.  Looks for programs below `home`.  `generation`: of the lease; 0 without a lease.
/// `wake` reports that an iteration would see a change; `later` runs its argument after other
/// handlers had their turn.  Contacts no resource manager yet.
Result<std::unique_ptr<World>> open_live(boost::asio::io_context& io,
                                         const Configuration& configuration,
                                         const std::string& home, std::int64_t generation,
                                         WorldLog log, std::function<void()> wake, Later later);

}  // namespace maui
