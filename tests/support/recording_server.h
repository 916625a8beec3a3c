// A server for tests of commands, without a daemon, that records the requests it receives.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cmd/execute.h"

namespace maui::test {

class RecordingServer final : public ServerControl {
 public:
  const Configuration& configuration() const override { return configuration_; }
  Result<Configuration> with_parameter(std::string_view parameter,
                                       const std::vector<std::string>& values) const override {
    Configuration next = configuration_;
    if (auto status = next.set(parameter, values, true); !status) return status.error();
    return next;
  }
  Result<Reread> reread(std::vector<Diagnostic>&) const override {
    if (!reload_result) return reload_result.error();
    return Reread{in_file ? *in_file : configuration_, {}};
  }
  Status change_parameter(std::string_view parameter,
                          const std::vector<std::string>& values) override {
    return configuration_.set(parameter, values, true);
  }
  Status reload() override {
    if (reload_result && in_file) configuration_ = *in_file;
    return reload_result;
  }
  /// Sets the configuration that applies before the first command.
  void stand(Configuration configuration) { configuration_ = std::move(configuration); }
  void shut_down() override { ended = true; }
  bool has_lease() const override { return leased; }
  std::shared_ptr<history::HistoryReader> history() const override { return reader; }
  void wake() override { ++woken; }

  Status reload_result = Done{};
  std::optional<Configuration> in_file;  // if it differs from the current configuration
  bool ended = false;
  bool leased = false;  // returned by has_lease()
  int woken = 0;
  std::shared_ptr<history::HistoryReader> reader;  // returned by history()

 private:
  Configuration configuration_;
};

}  // namespace maui::test
