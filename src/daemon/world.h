// The differences between a simulation and scheduling in earnest: the clock, the resource managers,
// and what drives the engine.  The daemon is the same for both.
#pragma once
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "config/configuration.h"
#include "engine/driver.h"
#include "maui/clock.h"
#include "maui/resource_manager.h"
#include "rm/in_slices.h"

namespace maui {

/// Outlives the engine that runs in it.
class World {
 public:
  virtual ~World() = default;
  virtual const Clock& clock() const = 0;
  /// Once, for the engine.
  virtual std::unique_ptr<ResourceManager> take_manager() = 0;
  virtual std::unique_ptr<Driver> drive(Engine& engine) = 0;
  /// A client is about to be served: its time is now.
  virtual void tick() {}
  /// The part of its input that was not used, to be said at the end, and whether some was lost:
  /// damaged, or cut off.
  struct Unused {
    std::string text;  // empty: all was used
    bool lost = false;
  };
  virtual Unused unused_input() const { return {}; }
  /// The engine runs no more.
  virtual void run_ended() {}
  /// `why`: resource managers are asked for their state alone; empty: they are asked to act, too.
  /// While the engine lives.
  virtual void only_look(const std::string& /*why*/) {}
  /// The configuration has changed.
  virtual void configure(const Configuration& /*configuration*/) {}
};

/// The place to which its lines go.
struct WorldLog {
  std::function<void(int level, std::string_view facility, std::string_view text)> write;
  /// A line of that level may be wanted; one that nobody wants need not be made.
  std::function<bool(int level)> wants = [](int level) { return level == 0; };
  void operator()(int level, std::string_view facility, std::string_view text) const {
    write(level, facility, text);
  }
};

/// Traces of SIMWORKLOADTRACEFILE and SIMRESOURCETRACEFILE, relative to `home`, and a clock that
/// moves as they say.
Result<std::unique_ptr<World>> open_simulation(const Settings& settings, const std::string& home,
                                               const WorldLog& log);

/// The resource managers that RMCFG and its like name, whose programs are looked for below `home`,
/// and the machine's clock.  `generation`: of the lease, 0 where there is none.  `wake`: something
/// has happened, an iteration would see it; `later` calls what it is given once others have had
/// their turn.  Nobody is asked for anything yet.
Result<std::unique_ptr<World>> open_live(boost::asio::io_context& io,
                                         const Configuration& configuration,
                                         const std::string& home, std::int64_t generation,
                                         WorldLog log, std::function<void()> wake, Later later);

}  // namespace maui
