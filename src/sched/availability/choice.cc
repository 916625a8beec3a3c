// Chooses among suitable nodes: the best groups first, and of these only as many nodes as
// needed.
#include <algorithm>
#include <boost/container/flat_map.hpp>
#include <boost/container/small_vector.hpp>
#include <tuple>
#include <utility>

#include "maui/access_list.h"
#include "maui/request.h"
#include "sched/availability/availability.h"

namespace maui::availability {
namespace {

/// The runs of several disjoint sets as one sequence of nodes, ascending or descending.
class Merged {
 public:
  Merged(bool upwards, std::uint32_t requirement) : upwards_(upwards), requirement_(requirement) {}

  void add(std::span<const NodeRun> runs, int tasks) {
    if (runs.empty()) return;
    sources_.push_back({next_of(runs), tasks, runs});
    std::push_heap(sources_.begin(), sources_.end(), Later{upwards_});
  }
  bool empty() const { return sources_.empty(); }
  Placement::Part pop() {
    auto& first = sources_.front();
    const Placement::Part next{first.next, first.tasks, requirement_, !upwards_};
    first.runs = upwards_ ? first.runs.subspan(1) : first.runs.first(first.runs.size() - 1);
    if (!first.runs.empty()) {
      first.next = next_of(first.runs);
      sink_first();
    } else {
      std::pop_heap(sources_.begin(), sources_.end(), Later{upwards_});
      sources_.pop_back();
    }
    return next;
  }

 private:
  struct Source {
    NodeRun next;  // of `runs`; copied, so that comparing sources reads nothing else
    int tasks;
    std::span<const NodeRun> runs;
  };
  struct Later {
    bool upwards;
    bool operator()(const Source& a, const Source& b) const {
      return upwards ? b.next.first < a.next.first : a.next.first < b.next.first;
    }
  };
  NodeRun next_of(std::span<const NodeRun> runs) const {
    return upwards_ ? runs.front() : runs.back();
  }
  /// Restores the heap after the first source has moved on to its next run.
  void sink_first() {
    const Later later{upwards_};
    const auto moved = sources_.front();
    std::size_t at = 0;
    for (std::size_t child = 1; child < sources_.size(); child = 2 * at + 1) {
      if (child + 1 < sources_.size() && later(sources_[child], sources_[child + 1])) ++child;
      if (!later(moved, sources_[child])) break;
      sources_[at] = sources_[child];
      at = child;
    }
    sources_[at] = moved;
  }

  bool upwards_;
  std::uint32_t requirement_;
  std::vector<Source> sources_;
};

/// Splits off the first `count` nodes of a part; the part keeps the rest.
Placement::Part split(Placement::Part& part, int count) {
  auto first = part;
  const auto nodes = static_cast<std::uint32_t>(count);
  if (part.downwards)
    part.nodes.end = first.nodes.first = part.nodes.end - nodes;
  else
    part.nodes.first = first.nodes.end = part.nodes.first + nodes;
  return first;
}

}  // namespace

/// The nodes that could serve a question, in the order of choice: the first ranks that together
/// have enough room.
class Availability::Order {
 public:
  Order(Availability& model, const Question& question, Time start, const Preference& preference)
      : model_(model), question_(question), start_(start), preference_(preference) {}

  /// Examines all groups and keeps the best that together take `enough` tasks or nodes.  `worth`
  /// converts the tasks of a node to its contribution; 0: the node does not count.
  template <class Worth>
  void fill(long long enough, Worth worth) {
    auto& of = model_.index(question_);
    if (start_ > model_.now())
      of.catch_up_for_later();
    else
      of.catch_up();
    Offer offer;
    const auto look_at = [&](GroupId id) {
      if (!model_.look_at(of, question_, start_, id, offer)) return;
      const long long here = static_cast<long long>(worth(offer.tasks)) * offer.nodes;
      if (here > 0) add(rank_of(offer), {id, offer.tasks}, here, enough);
    };
    if (start_ > model_.now() && preference_.by_time && preference_.rank.empty()) {
      // Without affinity, the best groups are the last ones to get room before the start.
      by_growth_ = of.of().terms.empty();
      of.each_growing_until(start_, [&](GroupId id, Time since) {
        by_growth_ = by_growth_ && since < kForever;
        if (since < kForever && beyond({Affinity::neutral, since}, enough)) return false;
        look_at(id);
        return true;
      });
    } else if (start_ > model_.now()) {
      model_.groups_.each_filled(look_at);
    } else if (preference_.by_time && !preference_.sparing && preference_.rank.empty()) {
      // Without affinity, the best groups are those whose room decreases first.
      of.each_open_until(
          std::min(start_ + question_.duration, kForever), [&](GroupId id, Time until) {
            if (until > kAlways && beyond({Affinity::neutral, start_, 0, until}, enough))
              return false;
            look_at(id);
            return true;
          });
    } else {
      of.each_open(look_at);
    }
  }

  /// True if the nodes come from the last groups to get room, and no group loses room later.
  bool by_growth() const { return by_growth_ && !ranks_.empty(); }
  /// Requires by_growth().  Returns when the last of the groups gets room.
  Time grown_since() const { return ranks_.rbegin()->first.since; }
  std::vector<std::pair<GroupId, NodeRuns>> groups() const {
    std::vector<std::pair<GroupId, NodeRuns>> all;
    for (const auto& [rank, choices] : ranks_)
      for (const auto& [group, tasks] : choices.groups)
        all.emplace_back(group, model_.groups_.group(group).nodes);
    return all;
  }

  /// Calls visit(part) for runs of nodes in order until it returns false.
  template <class Visit>
  void walk(Visit visit) const {
    std::vector<NodeRuns> listed;
    Merged nodes(preference_.upwards, question_.requirement);
    for (const auto& [rank, choices] : ranks_) {
      listed.clear();
      if (question_.among) listed.reserve(choices.groups.size());
      for (const auto& [group, tasks] : choices.groups) {
        const auto& all = model_.groups_.group(group).nodes;
        if (question_.among) listed.push_back(all.common(*question_.among));
        nodes.add(question_.among ? listed.back().runs() : all.runs(), tasks);
      }
      while (!nodes.empty())
        if (!visit(nodes.pop())) return;
    }
  }

 private:
  /// The values that a policy compares; groups of equal rank are taken in the order of nodes.
  struct Rank {
    Affinity affinity{};
    Time since{0};  // later is better
    int tasks_now = 0;
    Time until{0};
    int of_kind = 0;
    friend bool operator<(const Rank& a, const Rank& b) {
      return std::tie(a.affinity, b.since, a.tasks_now, a.until, a.of_kind) <
             std::tie(b.affinity, a.since, b.tasks_now, b.until, b.of_kind);
    }
  };
  struct Choices {
    using Groups = boost::container::small_vector<std::pair<GroupId, int>, 2>;
    long long worth = 0;
    Groups groups;  // with the tasks that each node takes
  };

  Rank rank_of(const Offer& offer) const {
    Rank rank;
    rank.affinity = offer.affinity;
    if (preference_.by_time) {
      rank.since = offer.since;
      rank.tasks_now = preference_.sparing ? offer.tasks_now : 0;
      rank.until = offer.until;
    }
    if (!preference_.rank.empty()) {
      const auto kind = model_.groups_.group(offer.group).timeline.kind;
      rank.of_kind = preference_.rank[model_.tables_.kind_of(kind).attributes];
    }
    return rank;
  }

  /// True if groups of that rank and of later ranks are not needed.
  bool beyond(const Rank& rank, long long enough) const {
    return worth_ >= enough && ranks_.rbegin()->first < rank;
  }

  void add(const Rank& rank, std::pair<GroupId, int> group, long long worth, long long enough) {
    if (beyond(rank, enough)) return;
    auto& here = ranks_[rank];
    here.worth += worth;
    here.groups.push_back(group);
    worth_ += worth;
    while (worth_ - ranks_.rbegin()->second.worth >= enough) {
      worth_ -= ranks_.rbegin()->second.worth;
      ranks_.erase(std::prev(ranks_.end()));
    }
  }

  Availability& model_;
  const Question& question_;
  Time start_;
  const Preference& preference_;
  long long worth_ = 0;
  bool by_growth_ = false;
  boost::container::flat_map<Rank, Choices> ranks_;
};

bool Availability::look_at(ClassIndex& of, const Question& question, Time start, GroupId id,
                           Offer& offer) {
  offer.group = id;
  offer.nodes = nodes_of(question, id);
  return offer.nodes > 0 && of.offer(id, start, question.duration, question.stay, offer);
}

std::vector<Offer> Availability::offers(const Question& question, Time start) {
  auto& of = index(question);
  of.catch_up_for_later();
  std::vector<Offer> found;
  Offer offer;
  groups_.each_filled([&](GroupId id) {
    if (look_at(of, question, start, id, offer)) found.push_back(offer);
  });
  return found;
}

/// Puts exactly as many tasks on each node as a shape requires.
class Availability::Dealer {
 public:
  Dealer(Availability& model, const Question& question, Time start, const Preference& preference)
      : model_(model), question_(question), start_(start), preference_(preference) {}

  /// Puts `size` tasks on each of `count` further nodes; false if there are not as many.
  bool deal(int size, int count) {
    if (count == 0) return true;
    Order order(model_, question_, start_, preference_);
    order.fill(static_cast<long long>(count) + taken_.size(),
               [&](int tasks) { return tasks >= size ? 1 : 0; });
    order.walk([&](Placement::Part part) {
      NodeRuns free(part.nodes);
      free.remove(taken_);
      const auto runs = free.runs();
      for (std::size_t i = 0; i < runs.size() && count > 0; ++i) {
        Placement::Part here{runs[part.downwards ? runs.size() - 1 - i : i], size, part.requirement,
                             part.downwards};
        const auto dealt = split(here, std::min(count, here.nodes.size()));
        count -= dealt.nodes.size();
        placement_.add(dealt);
        taken_.add(dealt.nodes);
      }
      return count > 0;
    });
    return count == 0;
  }
  Placement placement() && { return std::move(placement_); }

 private:
  Availability& model_;
  const Question& question_;
  Time start_;
  const Preference& preference_;
  Placement placement_;
  NodeRuns taken_;
};

bool Availability::chosen_for(const Question& question, Time start) const {
  return chosen_ && chosen_->question == question && chosen_->start == start &&
         chosen_->read >= groups_.log_begin() && may_stay(chosen_->since);
}

bool Availability::stands_as_chosen(const Question& question, const Placement& placement,
                                    Time start) const {
  const auto as_it_was = [&](const auto& entry) {
    return groups_.group(entry.first).nodes == entry.second;
  };
  return chosen_for(question, start) && chosen_->placement == placement &&
         std::all_of(chosen_->among.begin(), chosen_->among.end(), as_it_was);
}

bool Availability::already_chosen(const Question& question, Time start,
                                  const Preference& preference) {
  if (!chosen_for(question, start) || !preference.by_time || !preference.rank.empty() ||
      preference.sparing != chosen_->sparing || preference.upwards != chosen_->upwards)
    return false;
  auto& of = index(question);
  of.catch_up_for_later();
  const auto changes = groups_.log(chosen_->read);
  if (changes.size() > groups_.filled()) return false;  // to choose anew costs less
  const auto as_it_was = [&](const NodeGroups::Change& change) {
    if (!of.may_grow_from(chosen_->since, change.group, start)) return true;
    const auto& nodes = groups_.group(change.group).nodes;
    const auto was = std::find_if(chosen_->among.begin(), chosen_->among.end(),
                                  [&](const auto& entry) { return entry.first == change.group; });
    return was == chosen_->among.end() ? nodes.empty() : nodes == was->second;
  };
  if (!std::all_of(changes.begin(), changes.end(), as_it_was)) return false;
  chosen_->read = groups_.log_end();
  return true;
}

std::optional<Placement> Availability::choose(const Question& question, Time start,
                                              const Preference& preference) {
  if (already_chosen(question, start, preference)) return chosen_->placement;
  const auto* shape = question.shape;
  if (shape && shape->tasks_per_node > 0) {
    Dealer dealer(*this, question, start, preference);
    const int each = shape->tasks_per_node, rest = question.tasks % each;
    if (!dealer.deal(each, question.tasks / each) || !dealer.deal(rest, rest > 0 ? 1 : 0))
      return std::nullopt;
    return std::move(dealer).placement();
  }
  if (shape && shape->exact_nodes && shape->nodes > 0) {
    Dealer dealer(*this, question, start, preference);
    const int each = question.tasks / shape->nodes, more = question.tasks % shape->nodes;
    if (each == 0 || !dealer.deal(each + 1, more) || !dealer.deal(each, shape->nodes - more))
      return std::nullopt;
    return std::move(dealer).placement();
  }
  Placement placement;
  Order order(*this, question, start, preference);
  order.fill(question.tasks, [](int tasks) { return tasks; });
  int left = question.tasks;
  order.walk([&](Placement::Part part) {
    if (const int full = std::min(left / part.tasks, part.nodes.size()); full > 0) {
      placement.add(split(part, full));
      left -= full * part.tasks;
    }
    if (left > 0 && part.nodes.size() > 0) {
      auto last = split(part, 1);
      last.tasks = left;
      placement.add(last);
      left = 0;
    }
    return left > 0;
  });
  if (left > 0) return std::nullopt;
  if (order.by_growth() && may_stay(order.grown_since()) && !question.among && !question.each_of)
    chosen_ = {question,
               start,
               preference.sparing,
               preference.upwards,
               order.grown_since(),
               order.groups(),
               groups_.log_end(),
               placement};
  return placement;
}

Placement Availability::in_order(const Question& question, Time start, const Preference& preference,
                                 int most) {
  Order order(*this, question, start, preference);
  order.fill(most, [](int) { return 1; });
  Placement placement;
  order.walk([&](Placement::Part part) {
    const auto first = split(part, std::min(most, part.nodes.size()));
    placement.add(first);
    most -= first.nodes.size();
    return most > 0;
  });
  return placement;
}

}  // namespace maui::availability
