// The configuration that the scheduler runs with, and its changes while it runs: changeparam, and
// maui.cfg read again.  A change is made as a whole or not at all.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/server_control.h"
#include "config/configuration.h"
#include "config/diagnostic.h"
#include "daemon/logging/lines.h"
#include "daemon/logging/log.h"
#include "maui/result.h"
#include "maui/settings.h"

namespace maui {

class ConfigurationInUse {
 public:
  enum class Change {
    parameter,
    log_level,  // LOGLEVEL was given, even if its value is the one before a signal changed it
    file,
  };
  struct Surroundings {
    Home home;
    std::vector<Override> overrides;  // parameters set on the command line
    bool shared_home = false;         // other users may be able to change its files
    Log& log;
    Lines& lines;
    /// Succeeds if resource managers could adopt a configuration.
    std::function<Status(const Configuration& next)> can_adopt;
    /// Succeeds if records and a checkpoint could be written with these settings.
    std::function<Status(const Settings& next)> can_keep;
    /// Hands on the new configuration, which is in use already.
    std::function<void(const Settings& old, Change change)> adopt;
  };

  ConfigurationInUse(Configuration configuration, Surroundings surroundings)
      : now_(std::move(configuration)), around_(std::move(surroundings)) {}

  /// The reference remains valid, and refers to what is in use at any time.
  const Configuration& now() const { return now_; }
  const Settings& settings() const { return now_.settings(); }

  // As ServerControl has them.
  Result<Configuration> with_parameter(std::string_view parameter,
                                       const std::vector<std::string>& values) const;
  Status change_parameter(std::string_view parameter, const std::vector<std::string>& values);
  Result<ServerControl::Reread> reread(std::vector<Diagnostic>& diagnostics) const;
  Status reload();
  const std::vector<std::string>& awaiting_restart() const { return awaiting_restart_; }

 private:
  Status check_next(const Configuration& configuration) const;
  Status check_its_places(const Configuration& configuration) const;
  void adopt(Configuration next, Change change);

  Configuration now_;
  Surroundings around_;
  std::vector<std::string> awaiting_restart_;
};

}  // namespace maui
