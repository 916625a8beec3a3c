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
  /// Asks for attributes of the jobs that arrive or change, and of those for which the last
  /// question was in vain, adds them to the reports, then calls `next`; the reports must stay until
  /// then.  Until the program answers, the words of its last answer count.
  void ask_for_attributes(Update& update, std::function<void()> next);
  /// Asks for priorities, fairness and the order of backfill, then calls `next`.
  void consult(std::function<void()> next);

 private:
  bool gives_attributes() const;
  void forget_outdated(const Update& update);
  void take_attributes(Update& update, const std::vector<LocalAnswer>& answers);
  void go_on_without_attributes(Update& update);
  void keep_attributes(Update& update) const;
  template <class WordsFor>
  void give_words(Update& update, WordsFor words_for) const;
  std::string words_so_far(const JobReport& report) const;
  bool asks_about_queue() const;
  void ask(LocalHook hook, std::function<void()> next);

  const EngineTools& tools_;
  Cluster& cluster_;
  const Settings& settings_;
  LocalPolicies* programs_ = nullptr;
  /// The reports of waiting jobs about which JOBATTRIBUTEPROGRAM is to be asked again.
  std::vector<JobReport> to_ask_again_;
  bool in_vain_ = false;  // it has not answered the last question
};

}  // namespace maui
