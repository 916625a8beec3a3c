// The scheduler as its commands control it: changeparam, and schedctl, which stops and resumes
// scheduling, has the configuration read again, accepts a loss and ends the scheduler.
#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cmd/server_control.h"
#include "daemon/control/configuration_in_use.h"
#include "daemon/files/records.h"
#include "daemon/logging/log.h"
#include "engine/driver.h"
#include "engine/engine.h"

namespace maui {

class SchedulerControl final : public ServerControl {
 public:
  /// All must outlive it.
  struct Surroundings {
    boost::asio::io_context& io;
    ConfigurationInUse& configuration;
    Engine& engine;
    Driver& driver;
    const Records& records;
    const Log& log;
    std::function<ServiceReply()> service;
    /// Why nothing is scheduled: no checkpoint could be restored.  nullopt: nothing was lost.
    std::function<std::optional<std::string>()> unaccepted_loss;
    std::function<void()> accept_loss;
    std::function<void()> announce_end;  // to the next scheduler that starts here
    bool has_lease;                      // others may stand by
  };

  explicit SchedulerControl(Surroundings surroundings)
      : around_(std::move(surroundings)), resume_(around_.io) {}

  /// True once a command has ended the scheduler.
  bool ending() const { return ending_; }

  const Configuration& configuration() const override { return around_.configuration.now(); }
  Result<Configuration> with_parameter(std::string_view parameter,
                                       const std::vector<std::string>& values) const override {
    return around_.configuration.with_parameter(parameter, values);
  }
  Result<Reread> reread(std::vector<Diagnostic>& diagnostics) const override {
    return around_.configuration.reread(diagnostics);
  }
  Status change_parameter(std::string_view parameter,
                          const std::vector<std::string>& values) override {
    return around_.configuration.change_parameter(parameter, values);
  }
  Status reload() override { return around_.configuration.reload(); }
  std::vector<std::string> awaiting_restart() const override {
    return around_.configuration.awaiting_restart();
  }
  std::optional<int> log_level() const override { return around_.log.level(); }
  ServiceReply service() const override { return around_.service(); }
  /// Announces the end before the reply is sent: whoever has that may start the next scheduler.
  void shut_down() override {
    ending_ = true;
    around_.announce_end();
  }
  bool has_lease() const override { return around_.has_lease; }
  std::optional<std::string> unaccepted_loss() const override { return around_.unaccepted_loss(); }
  void accept_loss() override { around_.accept_loss(); }
  std::shared_ptr<history::HistoryReader> history() const override;
  std::vector<history::Wait> waits_of(const Job& job) const override;
  void wake() override;

 private:
  Surroundings around_;
  boost::asio::steady_timer resume_;  // runs until scheduling is resumed
  bool ending_ = false;
};

}  // namespace maui
