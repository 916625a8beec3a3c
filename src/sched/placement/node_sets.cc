#include "sched/placement/node_sets.h"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/text.h"
#include "maui/initiators.h"

namespace maui {
namespace {

class Maker {
 public:
  Maker(const Cluster& cluster, const NodeSet& wanted, const KindMask& serves)
      : cluster_(cluster), wanted_(wanted), serves_(serves) {}

  std::vector<KindSet> all() {
    switch (wanted_.attribute) {
      case NodeSetAttribute::feature:
        by_feature();
        break;
      case NodeSetAttribute::network:
        by_network();
        break;
      case NodeSetAttribute::job_class:
        by_class();
        break;
      case NodeSetAttribute::memory:
        by_amount([](const Node& node) { return node.configured.memory(); });
        break;
      case NodeSetAttribute::proc_speed:
        by_amount([](const Node& node) { return node.proc_speed; });
        break;
    }
    if (wanted_.policy == NodeSetPolicy::any_of) unite();
    return std::move(sets_);
  }

 private:
  const Node& sample(std::size_t kind) const {
    return cluster_.node(cluster_.sample_of_kind(static_cast<std::uint32_t>(kind)));
  }
  template <class Belongs>
  void add(const Belongs& belongs) {
    KindSet made{KindMask(serves_.size(), 0), 0};
    bool any = false;
    for (std::size_t kind = 0; kind < serves_.size(); ++kind) {
      if (!serves_[kind] || !belongs(sample(kind))) continue;
      made.kinds[kind] = 1;
      made.fastest = std::max(made.fastest, static_cast<double>(sample(kind).proc_speed));
      any = true;
    }
    if (any && std::none_of(sets_.begin(), sets_.end(),
                            [&](const KindSet& known) { return known.kinds == made.kinds; }))
      sets_.push_back(std::move(made));
  }

  /// Returns the words of the list, each once: a user may have written them.
  std::vector<std::string> listed() const {
    std::vector<std::string> names;
    std::unordered_set<std::string_view> known;
    for (const auto& name : wanted_.list)
      if (known.insert(name).second) names.push_back(name);
    return names;
  }

  void by_feature() {
    auto names = listed();
    if (names.empty()) names = cluster_.features.all();
    if (wanted_.policy == NodeSetPolicy::any_of) return with_any_feature(names);
    for (const auto& name : names)
      if (const auto id = cluster_.features.find(name); id.valid())
        add([id](const Node& node) { return node.has(id); });
  }
  // Adds the union at once: a user may have written very many names.
  void with_any_feature(const std::vector<std::string>& names) {
    std::vector<FeatureId> wanted;
    for (const auto& name : names)
      if (const auto id = cluster_.features.find(name); id.valid()) wanted.push_back(id);
    std::sort(wanted.begin(), wanted.end());
    add([&](const Node& node) {
      return std::any_of(node.features.begin(), node.features.end(), [&](FeatureId id) {
        return std::binary_search(wanted.begin(), wanted.end(), id);
      });
    });
  }
  void by_network() {
    auto names = listed();
    if (names.empty()) {
      for (std::size_t kind = 0; kind < serves_.size(); ++kind)
        for (const auto& name : sample(kind).networks)
          if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    for (const auto& name : names)
      add([&](const Node& node) {
        return std::find(node.networks.begin(), node.networks.end(), name) != node.networks.end();
      });
  }
  void by_class() {
    auto names = listed();
    if (names.empty()) names = cluster_.classes.all();
    for (const auto& name : names)
      if (const auto id = cluster_.consumables.find(initiator_name(name)); id.valid())
        add([id](const Node& node) { return node.configured.get(id) > 0; });
  }
  // Adds sets by amount, in the order of the list, else the greatest first.
  template <class AmountOf>
  void by_amount(AmountOf amount_of) {
    std::vector<int> there;
    for (std::size_t kind = 0; kind < serves_.size(); ++kind)
      if (serves_[kind]) there.push_back(amount_of(sample(kind)));
    std::sort(there.begin(), there.end(), std::greater<>());
    there.erase(std::unique(there.begin(), there.end()), there.end());
    std::vector<int> amounts;  // listed, and that of some node
    for (const auto& word : listed())
      if (const auto amount = parse_integer<int>(word);
          amount && std::binary_search(there.begin(), there.end(), *amount, std::greater<>()) &&
          std::find(amounts.begin(), amounts.end(), *amount) == amounts.end())
        amounts.push_back(*amount);
    if (wanted_.list.empty()) amounts = there;
    const bool ranges = wanted_.attribute == NodeSetAttribute::proc_speed &&
                        wanted_.tolerance > 0 && wanted_.policy != NodeSetPolicy::any_of;
    for (const int low : amounts)
      for (const int high : amounts) {
        if (low != high && (!ranges || high < low || !within(low, high))) continue;
        add([&](const Node& node) {
          const int amount = amount_of(node);
          return low <= amount && amount <= high &&
                 std::find(amounts.begin(), amounts.end(), amount) != amounts.end();
        });
      }
    if (ranges) largest_only();
  }
  bool within(int low, int high) const {
    return low > 0 && (high - low) <= wanted_.tolerance * low;
  }
  // Ranges within other ranges only matter where the loss decides.
  void largest_only() {
    if (wanted_.policy == NodeSetPolicy::one_of && wanted_.priority == NodeSetPriority::min_loss)
      return;
    const auto inside = [](const KindSet& a, const KindSet& b) {
      return a.kinds != b.kinds && std::equal(a.kinds.begin(), a.kinds.end(), b.kinds.begin(),
                                              [](char x, char y) { return x <= y; });
    };
    const auto all = sets_;
    std::erase_if(sets_, [&](const KindSet& set) {
      return std::any_of(all.begin(), all.end(),
                         [&](const KindSet& other) { return inside(set, other); });
    });
  }
  void unite() {
    if (sets_.empty()) return;
    KindSet whole = sets_.front();
    for (const auto& set : sets_)
      for (std::size_t kind = 0; kind < set.kinds.size(); ++kind)
        whole.kinds[kind] = static_cast<char>(whole.kinds[kind] | set.kinds[kind]);
    sets_.assign(1, whole);
  }

  const Cluster& cluster_;
  const NodeSet& wanted_;
  const KindMask& serves_;
  std::vector<KindSet> sets_;
};

}  // namespace

std::vector<KindSet> node_sets(const Cluster& cluster, const NodeSet& wanted,
                               const KindMask& serves) {
  return Maker(cluster, wanted, serves).all();
}

std::int64_t effort_of_sets(const NodeSet& wanted, std::size_t sets, std::size_t kinds) {
  constexpr std::int64_t kFree = 8192;
  const auto examined =
      static_cast<std::int64_t>(2 * sets * kinds + wanted.list.size() * kinds / 8);
  return std::max<std::int64_t>(0, examined - kFree);
}

double loss_of(const Cluster& cluster, const Request& request, const Placement& nodes) {
  double slowest = 0, power = 0, procs = 0;
  for (const auto& share : nodes) {
    const double speed = cluster.node(share.node).proc_speed;
    const double here =
        static_cast<double>(share.tasks) * request.requirements[share.requirement].per_task.procs();
    slowest = procs == 0 ? speed : std::min(slowest, speed);
    procs += here;
    power += here * speed;
  }
  return power - slowest * procs;
}

bool waits_for_set(const Job& job, const Request& request, Time now) {
  return request.node_set && now - job.eligible_since < request.node_set->delay;
}

}  // namespace maui
