// The daemon as commands see it: its configuration, log, service and end.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/configuration.h"
#include "config/diagnostic.h"
#include "history/event_line.h"
#include "history/history_reader.h"
#include "maui/reply.h"
#include "maui/result.h"

namespace maui {

/// Operations of commands on the daemon itself.
class ServerControl {
 public:
  virtual ~ServerControl() = default;
  virtual const Configuration& configuration() const = 0;
  /// Returns the configuration that changeparam would create.
  virtual Result<Configuration> with_parameter(std::string_view parameter,
                                               const std::vector<std::string>& values) const = 0;
  /// The configuration in the file now, and the changed parameters that need a restart to apply.
  struct Reread {
    Configuration configuration;
    std::vector<std::string> awaiting_restart;
  };
  virtual Result<Reread> reread(std::vector<Diagnostic>& diagnostics) const = 0;
  virtual Status change_parameter(std::string_view parameter,
                                  const std::vector<std::string>& values) = 0;  // changeparam
  virtual Status reload() = 0;                                                  // schedctl -R
  /// Returns the parameters whose values in the file needed a restart at the last reload.
  virtual std::vector<std::string> awaiting_restart() const { return {}; }
  /// Returns the log level set by a signal; nullopt: LOGLEVEL applies.
  virtual std::optional<int> log_level() const { return {}; }
  virtual ServiceReply service() const { return {}; }  // diagnose -S
  virtual void shut_down() = 0;                        // schedctl -k
  /// True if a scheduler on another host may take over when this one ends.
  virtual bool has_lease() const { return false; }
  /// schedctl -r: goes on although no checkpoint could be restored.  nullopt: nothing was lost.
  virtual std::optional<std::string> unaccepted_loss() const { return {}; }
  virtual void accept_loss() {}
  /// Returns the reader of the history; null: no history is kept, as in a simulation or TEST mode.
  virtual std::shared_ptr<history::HistoryReader> history() const { return {}; }
  /// Returns the known reasons why a waiting job has waited so far.
  virtual std::vector<history::Wait> waits_of(const Job&) const { return {}; }
  virtual void wake() = 0;  // scheduling was stopped or resumed: evaluate the stop rule again
};

}  // namespace maui
