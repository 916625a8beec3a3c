// The limits of Slurm's QOS and associations, and their current use.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "slurm/cluster.h"

namespace maui::slurm {

struct Hindrance {
  std::string why = {};  // empty: no hindrance
  bool passes = true;    // by itself, at some time
  explicit operator bool() const { return !why.empty(); }
};

/// Returns true if Slurm has just refused a start because of a limit, which may be new.
bool limit_refused(const Cluster& cluster);

/// The use by jobs that run, or are about to run.
class LimitUse {
 public:
  /// Requires that `cluster` outlives this object.
  explicit LimitUse(const Cluster& cluster);

  void add(const Job& job);
  /// Returns the limit that keeps the job from starting in any of `partitions`, if there is one.
  Hindrance exceeded_by(const Job& job, const std::vector<std::string>& partitions) const;

 private:
  struct Use {
    std::int64_t jobs = 0, cpus = 0, nodes = 0, memory = 0;
  };
  Use use_of(const Job& job) const;
  void take_whole_nodes(const std::vector<std::string>& places, Use& use) const;
  std::vector<const Association*> chain_of(const Job& job) const;
  std::vector<const Qos*> qos_of(const Job& job, std::string_view partitions) const;
  const Qos* find_qos(const std::string& name) const;
  const Use& used(const std::string& key) const;
  static Hindrance beyond(const Quota& quota, const Use& used, const Use& more,
                          const std::string& whose);
  Hindrance exceeded_in(const Qos& qos, const Job& job, const Use& more) const;
  Hindrance exceeded_in(const Association& association, bool own, const Job& job,
                        const Quota& by_qos) const;
  Hindrance exceeded_in(std::string_view partition, const Job& job) const;

  const Cluster& cluster_;
  std::unordered_map<std::string, int> cpus_;  // by node
  int least_cpus_ = 0, most_cpus_ = 1;         // of a node
  std::map<std::string, Use> use_;  // "qos:NAME", "user:QOS:NAME", "account:QOS:NAME", "assoc:ID"
};

}  // namespace maui::slurm
