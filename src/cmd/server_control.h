// The daemon as commands see it: its configuration, its log, its end.
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

/// Commands to the daemon itself.
class ServerControl {
 public:
  virtual ~ServerControl() = default;
  virtual const Configuration& configuration() const = 0;
  /// The configuration that changeparam would make.
  virtual Result<Configuration> with_parameter(std::string_view parameter,
                                               const std::vector<std::string>& values) const = 0;
  /// The configuration that the file makes now, and the parameters that await a restart with it.
  struct Reread {
    Configuration configuration;
    std::vector<std::string> awaiting_restart;
  };
  virtual Result<Reread> reread(std::vector<Diagnostic>& diagnostics) const = 0;
  virtual Status change_parameter(std::string_view parameter,
                                  const std::vector<std::string>& values) = 0;  // changeparam
  virtual Status reload() = 0;                                                  // schedctl -R
  /// Parameters whose values in the file await a restart, as the last reload found.
  virtual std::vector<std::string> awaiting_restart() const { return {}; }
  /// The level at which the log stands, as a signal may have set it; nothing: as LOGLEVEL says.
  virtual std::optional<int> log_level() const { return {}; }
  virtual ServiceReply service() const { return {}; }  // diagnose -S
  virtual void shut_down() = 0;                        // schedctl -k
  /// schedctl -r: goes on without what no checkpoint could restore.  Nothing: nothing was lost.
  virtual std::optional<std::string> unaccepted_loss() const { return {}; }
  virtual void accept_loss() {}
  /// The reader of the history; null: none is kept, as in a simulation.
  virtual std::shared_ptr<history::HistoryReader> history() const { return {}; }
  /// Why a waiting job has waited so far, as far as that is known.
  virtual std::vector<history::Wait> waits_of(const Job&) const { return {}; }
  virtual void wake() = 0;  // scheduling was stopped or resumed: look at the stop rule again
};

}  // namespace maui
