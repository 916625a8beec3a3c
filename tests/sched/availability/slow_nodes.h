// A slow but simple model of availability: every answer is computed node by node and second by
// second from the uses and blocks of each node.
#pragma once
#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

#include "maui/access_list.h"
#include "maui/request.h"
#include "sched/availability/availability.h"
#include "sched/placement/requirement_fit.h"

namespace maui::availability::test {

struct SlowUse {
  int job = 0;
  Time start{0}, end{0};
  Resources amount;
  UserId user;
  NodeAccess access = NodeAccess::shared;
  bool own = false;
  std::uint32_t inside = 0;  // one bit per reservation that it uses
};

struct SlowBlock {
  int made = 0;
  std::uint32_t reservation = 0;
  Time start{0}, end{0};
  Resources amount;
};

struct SlowNode {
  NodeKind kind;
  Seconds closed{0};
  std::vector<SlowUse> uses;
  std::vector<SlowBlock> blocks;
};

struct SlowOffer {
  std::uint32_t node = 0;
  int tasks = 0, tasks_now = 0;
  Time since{0}, until = kForever;
  Affinity affinity = Affinity::neutral;
};

/// Returns the set of reservations that the use belongs to.
inline std::uint32_t inside_of(Tables& tables, const SlowUse& use) {
  std::vector<std::uint32_t> inside;
  for (std::uint32_t reservation = 0; reservation < 32; ++reservation)
    if ((use.inside >> reservation & 1U) != 0) inside.push_back(reservation);
  return tables.reservations(std::move(inside));
}

class SlowNodes {
 public:
  explicit SlowNodes(Tables& tables) : tables_(tables) {}

  std::vector<SlowNode> nodes;
  Time now{0};

  void advance(Time when) {
    now = when;
    for (auto& node : nodes)
      std::erase_if(node.blocks, [&](const SlowBlock& block) { return block.end <= now; });
  }

  /// Returns the time from which on nothing changes.
  Time horizon() const {
    Time last = now + Seconds(2);
    const auto look_at = [&](Time when) {
      if (when < kForever) last = std::max(last, when + Seconds(2));
    };
    for (const auto& node : nodes) {
      if (node.closed < kUnlimited) look_at(now + node.closed);
      for (const auto& use : node.uses) look_at(use.start), look_at(use.end);
      for (const auto& block : node.blocks) look_at(block.start), look_at(block.end);
    }
    return last + Seconds(15);
  }

  static bool limited(const QuestionClass& of) {
    return std::any_of(of.terms.begin(), of.terms.end(),
                       [](const Terms& terms) { return terms.overlap < kUnlimited; });
  }

  /// Returns the tasks that the node takes in that second from a job with that stay.  Requires that
  /// the node's uses and blocks are sorted.
  int tasks_at(const SlowNode& node, const QuestionClass& of, Time when, const Stay& stay) const {
    if (node.kind.attributes >= of.serves.size() || !of.serves[node.kind.attributes]) return 0;
    if (when < now + node.closed) return 0;
    if (of.confined && node.blocks.empty()) return 0;
    const auto mine =
        node.kind.access ? std::max(*node.kind.access, of.access.demanded) : of.access.usual;
    Resources free = node.kind.whole;
    int jobs = 0, of_user = 0, company = 0;
    std::vector<SlowUse> here;
    for (const auto& use : node.uses) {
      if (!lasts(use, when)) continue;
      here.push_back(use);
      free.add(use.amount, -1);
      if (use.own && use.access != NodeAccess::single_task) continue;
      ++jobs, ++company;
      if (!use.own && use.user == of.user) ++of_user;
      if (use.access == NodeAccess::dedicated || use.access == NodeAccess::single_task) return 0;
      if (use.access == NodeAccess::single_user && use.user != of.user) return 0;
      if (mine == NodeAccess::single_user && use.user != of.user) return 0;
    }
    if (node.kind.max_jobs_per_user > 0 && of_user >= node.kind.max_jobs_per_user) return 0;
    Resources room, held;
    for (const auto& block : node.blocks) {
      if (when < block.start || block.end <= when) continue;
      Resources kept = block.amount;
      for (auto& use : here)
        if ((use.inside >> block.reservation & 1U) != 0) take_common(kept, use.amount);
      if (let_in(of, block, stay)) {
        room.add(kept);
        held.add(block.amount);
        continue;
      }
      free.add(kept, -1);
      if (kept.zero()) continue;
      if (mine == NodeAccess::single_user) return 0;
      ++company, ++jobs;
    }
    if (node.kind.max_jobs > 0 && jobs >= node.kind.max_jobs) return 0;
    if (of.confined)
      for (const auto what : {kProcs, kMemory, kSwap, kDisk})
        if (what == kProcs || held.get(what) > 0)
          free.set(what, std::min(free.get(what), room.get(what)));
    if (company > 0 && (mine == NodeAccess::dedicated || mine == NodeAccess::single_task)) return 0;
    const int most = free.tasks_of(of.per_task);
    return mine == NodeAccess::single_task ? std::min(1, most) : most;
  }

  /// For each node, the tasks that have room throughout, by start in each second of [now, last].
  class Rooms {
   public:
    Rooms(const SlowNodes& all, const QuestionClass& of, Seconds duration, Seconds stay)
        : all_(all), of_(of), duration_(duration), stay_(stay), horizon_(all.horizon()) {
      for (const auto& node : all.nodes) nodes_.push_back(all.in_order(node));
      if (!limited(of))
        for (const auto& node : nodes_) {
          rooms_.emplace_back();
          for (Time when = all.now; when <= horizon_; when = when + Seconds(1))
            rooms_.back().push_back(all.tasks_at(node, of, when, {all.now, stay}));
        }
    }
    int at(std::size_t node, Time when, Time start) const {
      when = std::min(when, horizon_);
      if (!rooms_.empty()) return rooms_[node][static_cast<std::size_t>((when - all_.now).raw())];
      return all_.tasks_at(nodes_[node], of_, when, {start, stay_});
    }
    int throughout(std::size_t node, Time start) const {
      int least = at(node, start, start);
      const auto end = std::min(start + duration_, std::max(start, horizon_) + Seconds(1));
      for (auto when = start; when < end && least > 0; when = when + Seconds(1))
        least = std::min(least, at(node, when, start));
      return least;
    }
    Time less_from(std::size_t node, Time start, int tasks) const {
      for (auto when = start + duration_; when <= horizon_; when = when + Seconds(1))
        if (at(node, when, start) < tasks) return when;
      return kForever;
    }

   private:
    const SlowNodes& all_;
    const QuestionClass& of_;
    Seconds duration_, stay_;
    Time horizon_;
    std::vector<SlowNode> nodes_;
    std::vector<std::vector<int>> rooms_;
  };

  bool fits(const Rooms& rooms, const Question& question, Time start) const {
    std::vector<int> offers, shares;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const auto node = static_cast<std::uint32_t>(i);
      const int tasks = rooms.throughout(i, start);
      const bool may = !question.among || question.among->contains(node);
      if (question.each_of && question.each_of->contains(node) && (tasks == 0 || !may))
        return false;
      if (may) offers.push_back(tasks);
    }
    Requirement shape;
    if (question.shape) shape = *question.shape;
    shape.tasks = question.tasks;
    return share_tasks(shape, offers, shares);
  }

  std::optional<Time> earliest(const Question& question, const QuestionClass& of, Time from,
                               Time not_after) const {
    const Rooms rooms(*this, of, question.duration, question.duration);
    const auto last = std::min(not_after, std::max(from, horizon()));
    for (auto start = std::max(from, now); start <= last; start = start + Seconds(1))
      if (fits(rooms, question, start)) return start;
    return std::nullopt;
  }

  std::vector<SlowOffer> offers(const Question& question, const QuestionClass& of,
                                Time start) const {
    const Rooms rooms(*this, of, question.duration, question.stay);
    std::vector<SlowOffer> found;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      SlowOffer offer;
      offer.node = static_cast<std::uint32_t>(i);
      if (question.among && !question.among->contains(offer.node)) continue;
      offer.tasks = rooms.throughout(i, start);
      if (offer.tasks == 0) continue;
      offer.tasks_now = rooms.throughout(i, now);
      int before = 0;
      for (auto when = now; when <= start; when = when + Seconds(1)) {
        const int here = rooms.throughout(i, when);
        if (here > before) offer.since = when;
        before = here;
      }
      offer.until = rooms.less_from(i, start, offer.tasks);
      offer.affinity = affinity(nodes[i], of, {start, question.stay});
      found.push_back(offer);
    }
    return found;
  }

 private:
  bool lasts(const SlowUse& use, Time when) const {
    return use.start <= when && when < std::max(use.end, now + Seconds(1));
  }
  Time past(Time when, Time symbol) const { return when <= now ? symbol : when; }
  std::tuple<std::uint32_t, Time, Time, std::uint32_t> key(const SlowBlock& block) const {
    return {block.reservation, past(block.start, kAlways), block.end, tables_.amount(block.amount)};
  }
  // A block first covers the uses that belong to the fewest reservations.
  SlowNode in_order(SlowNode node) const {
    const auto key_of = [](const SlowUse& use) {
      std::vector<std::uint32_t> inside;
      for (std::uint32_t reservation = 0; reservation < 32; ++reservation)
        if ((use.inside >> reservation & 1U) != 0) inside.push_back(reservation);
      std::vector<std::pair<std::uint32_t, int>> parts;
      for (const auto what : {kProcs, kMemory, kSwap, kDisk})
        if (use.amount.get(what) != 0) parts.emplace_back(what.raw(), use.amount.get(what));
      return std::tuple(inside.size(), inside, parts.size(), parts);
    };
    std::sort(node.uses.begin(), node.uses.end(),
              [&](const SlowUse& a, const SlowUse& b) { return key_of(a) < key_of(b); });
    std::sort(node.blocks.begin(), node.blocks.end(),
              [&](const SlowBlock& a, const SlowBlock& b) { return key(a) < key(b); });
    return node;
  }
  static void take_common(Resources& a, Resources& b) {
    for (const auto what : {kProcs, kMemory, kSwap, kDisk}) {
      const int both = std::max(0, std::min(a.get(what), b.get(what)));
      a.set(what, a.get(what) - both);
      b.set(what, b.get(what) - both);
    }
  }
  static bool let_in(const QuestionClass& of, const SlowBlock& block, const Stay& stay) {
    for (const auto& terms : of.terms)
      if (terms.reservation == block.reservation)
        return terms.overlap >= kUnlimited ||
               std::min(stay.start + stay.length, block.end) - std::max(stay.start, block.start) <=
                   terms.overlap;
    return false;
  }
  Affinity affinity(const SlowNode& node, const QuestionClass& of, const Stay& stay) const {
    auto found = Affinity::neutral;
    for (const auto& block : in_order(node).blocks) {
      const bool meets =
          std::max(stay.start, block.start) < std::min(stay.start + stay.length, block.end);
      if (!meets || !let_in(of, block, stay)) continue;
      for (const auto& terms : of.terms)
        if (terms.reservation == block.reservation && terms.affinity != Affinity::neutral &&
            found != Affinity::negative)
          found = terms.affinity;
    }
    return found;
  }

  Tables& tables_;
};

}  // namespace maui::availability::test
