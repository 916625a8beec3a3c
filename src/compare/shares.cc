#include "compare/shares.h"

#include <map>

namespace maui::compare {

std::vector<Share> shares_of(const Outcome& outcome) {
  ByKind<std::map<std::string, double>> used;
  double all = 0;
  for (const JobOutcome& job : outcome.jobs) {
    all += job.proc_seconds();
    if (outcome.targets.empty()) continue;
    for (const auto kind : kCredentialKinds)
      used[kind][outcome.name_of(job, kind)] += job.proc_seconds();
  }
  std::vector<Share> shares;
  for (const ShareTarget& target : outcome.targets) {
    const auto& table = used[target.kind];
    const auto at = table.find(target.name);
    const double part = at == table.end() || all <= 0 ? 0 : 100 * at->second / all;
    shares.push_back({target.kind, target.name, target.percent, part});
  }
  return shares;
}

}  // namespace maui::compare
