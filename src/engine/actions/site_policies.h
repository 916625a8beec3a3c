// Queries to the site's own programs in an iteration, and the effects of their answers.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "maui/local_policies.h"
#include "maui/resource_manager.h"

namespace maui {

class Cluster;
struct EngineTools;
struct Settings;

class SitePolicies {
 public:
  explicit SitePolicies(const EngineTools& tools);

  /// Sets the programs; without them only the built-in policies apply.
  void consult_with(LocalPolicies& programs) { programs_ = &programs; }
  /// Asks for attributes of the jobs that arrive or change, adds them to the reports, then calls
  /// `next`; the reports must stay until then.
  void ask_for_attributes(Update& update, std::function<void()> next);
  /// Asks for priorities, fairness and the order of backfill, then calls `next`.
  void consult(std::function<void()> next);

 private:
  void take_attributes(Update& update, const std::vector<LocalAnswer>& answers) const;
  void add_attributes(JobReport& report, const std::string& extensions) const;
  bool asks_about_queue() const;
  void ask(LocalHook hook, std::function<void()> next);

  const EngineTools& tools_;
  Cluster& cluster_;
  const Settings& settings_;
  LocalPolicies* programs_ = nullptr;
};

}  // namespace maui
