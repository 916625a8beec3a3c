// Random worlds with random histories: a model that is kept answers as one counter per second does,
// and as a model that is made afresh.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "sched/availability/slow_nodes.h"
#include "support/availability_edits.h"

namespace maui::availability::test {
namespace {

class Chance {
 public:
  explicit Chance(unsigned seed) : engine_(seed) {}
  int below(int bound) {
    return static_cast<int>(static_cast<std::uint32_t>(engine_()) %
                            static_cast<std::uint32_t>(bound));
  }
  bool one_in(int n) { return below(n) == 0; }
  template <class T>
  T one_of(std::initializer_list<T> list) {
    return list.begin()[below(static_cast<int>(list.size()))];
  }
  NodeAccess access() {
    return one_in(2) ? NodeAccess::shared
                     : one_of({NodeAccess::dedicated, NodeAccess::single_user,
                               NodeAccess::single_task, NodeAccess::shared});
  }
  Resources amount() {
    return one_of({Resources(1), Resources(2), Resources(1, 100), Resources(3, 50),
                   Resources(0, 70), Resources(4, 200)});
  }
  NodeRuns nodes(int count) {
    NodeRuns some;
    for (int i = 1 + below(2); i > 0; --i) {
      const int first = below(count);
      some.add(NodeRun{static_cast<std::uint32_t>(first),
                       static_cast<std::uint32_t>(first + 1 + below(count - first))});
    }
    return some;
  }

 private:
  std::mt19937 engine_;
};

std::string show(const std::vector<NodeTasks>& shares) {
  std::string text;
  for (const auto& share : shares)
    text += std::to_string(share.node.raw()) + ":" + std::to_string(share.tasks) + " ";
  return text;
}

/// One model with a history, and the slow model of the same.
class World {
 public:
  explicit World(unsigned seed, int most_nodes = 7) : chance_(seed), slow_(kept_.tables()) {
    slow_.now = Time(1000);
    const int kinds = 1 + chance_.below(3);
    for (int i = 0; i < kinds; ++i) kinds_.push_back(some_kind());
    const int nodes = 1 + chance_.below(most_nodes);
    std::vector<std::uint32_t> numbers;
    for (int i = 0; i < nodes; ++i) {
      slow_.nodes.push_back({kinds_[static_cast<std::size_t>(chance_.below(kinds))], {}, {}, {}});
      numbers.push_back(kept_.tables().kind(slow_.nodes.back().kind));
    }
    kept_.begin(numbers, slow_.now);
    for (int i = 0; i < 4; ++i) classes_.push_back(some_class());
  }

  void happen() {
    switch (chance_.below(10)) {
      case 0:
      case 1:
      case 2:
        return hold();
      case 3:
      case 4:
        return release();
      case 5:
        return block();
      case 6:
        return unblock();
      case 7:
        return chance_.one_in(2) ? close() : change_kind();
      case 8:
        if (trial_) return;
        advance();
        return;
      default:
        if (chance_.one_in(3)) classes_[0] = some_class();
        if (!trial_ && chance_.one_in(10)) begin_anew();
    }
  }

  void ask() {
    const auto of = classes_[static_cast<std::size_t>(chance_.below(4))];
    Question question;
    question.of = kept_.class_of(of);
    question.tasks = 1 + chance_.below(6);
    question.duration =
        chance_.one_in(8) ? kUnlimited - Seconds(1) : Seconds(1 + chance_.below(12));
    question.stay = question.duration;
    Requirement shape;
    if (chance_.one_in(2)) {
      some_shape(shape, question.tasks);
      question.shape = &shape;
    }
    NodeRuns among, hosts;
    if (chance_.one_in(4)) {
      among = chance_.nodes(count());
      question.among = &among;
      if (chance_.one_in(2)) {
        hosts = chance_.nodes(count());
        if (!chance_.one_in(6)) hosts = hosts.common(among);
        question.each_of = &hosts;
      }
    }
    ASSERT_NO_FATAL_FAILURE(same_earliest(question, of));
    if (chance_.one_in(3)) question.duration = question.stay + Seconds(chance_.below(6));
    ASSERT_NO_FATAL_FAILURE(same_now(question, of));
  }

  /// A model with nothing of the past in it has the same groups.
  void expect_as_made_afresh() {
    Availability fresh;
    fill(fresh);
    EXPECT_EQ(fresh.groups().filled(), kept_.groups().filled());
    for (std::uint32_t a = 0; a < slow_.nodes.size(); ++a)
      for (std::uint32_t b = 0; b < a; ++b)
        ASSERT_EQ(fresh.groups().group_of(a) == fresh.groups().group_of(b),
                  kept_.groups().group_of(a) == kept_.groups().group_of(b));
  }

  /// Whatever is tried within it has not been when it is over.
  template <class During>
  void try_out(During during) {
    const auto before = slow_;
    const auto jobs = jobs_;
    const auto blocks = made_;
    {
      Availability::Trial trial(kept_);
      const bool outer = std::exchange(trial_, true);
      during();
      trial_ = outer;
    }
    slow_.nodes = before.nodes;
    jobs_ = jobs;
    made_ = blocks;
  }
  bool one_in(int n) { return chance_.one_in(n); }

 private:
  int count() const { return static_cast<int>(slow_.nodes.size()); }

  void fill(Availability& model) {
    std::vector<std::uint32_t> kinds;
    for (const auto& node : slow_.nodes) kinds.push_back(model.tables().kind(node.kind));
    model.begin(kinds, slow_.now);
    for (std::uint32_t i = 0; i < slow_.nodes.size(); ++i) {
      const NodeRuns node(NodeRun{i, i + 1});
      availability::close(model, node, slow_.nodes[i].closed);
      for (const auto& use : slow_.nodes[i].uses)
        availability::hold(model, node, as_use(model, use));
      for (const auto& block : slow_.nodes[i].blocks)
        availability::block(model, node, as_block(model, block));
    }
  }
  void begin_anew() {
    kept_.clear();
    fill(kept_);
  }

  NodeKind some_kind() {
    NodeKind kind;
    kind.attributes = static_cast<std::uint32_t>(chance_.below(2));
    kind.whole = chance_.one_of({Resources(1, 100), Resources(4, 200), Resources(6, 150, 10, 10)});
    if (chance_.one_in(6)) kind.access = chance_.access();
    if (chance_.one_in(6)) kind.max_jobs = 1 + chance_.below(2);
    if (chance_.one_in(6)) kind.max_jobs_per_user = 1;
    return kind;
  }

  QuestionClass some_class() {
    QuestionClass of;
    of.per_task = chance_.amount();
    of.access.usual = chance_.access();
    if (++names_ % 2 == 0) of.access.demanded = of.access.usual;
    of.user = UserId(static_cast<std::uint32_t>(chance_.below(3)));
    of.serves.assign(2, 1);
    if (chance_.one_in(4)) of.serves[static_cast<std::size_t>(chance_.below(2))] = 0;
    for (std::uint32_t reservation = 0; reservation < 4; ++reservation)
      if (chance_.one_in(3))
        of.terms.push_back(
            {reservation, chance_.one_in(3) ? Seconds(1 + chance_.below(8)) : kUnlimited,
             chance_.one_of({Affinity::positive, Affinity::neutral, Affinity::negative})});
    of.confined = chance_.one_in(8);
    return of;
  }

  void some_shape(Requirement& shape, int tasks) {
    switch (chance_.below(3)) {
      case 0:
        shape.tasks_per_node = 1 + chance_.below(3);
        break;
      case 1:
        shape.exact_nodes = true;
        shape.nodes = 1 + chance_.below(tasks);
        break;
      default:
        shape.least_nodes = chance_.below(3);
        shape.nodes = chance_.below(4);
        break;
    }
  }

  Use as_use(Availability& model, const SlowUse& use) {
    return {use.start,
            use.end,
            model.tables().amount(use.amount),
            inside_of(model.tables(), use),
            use.user,
            use.access,
            use.own};
  }
  Block as_block(Availability& model, const SlowBlock& block) {
    return {block.reservation, block.start, block.end, model.tables().amount(block.amount)};
  }

  template <class Visit>
  void on_each(const NodeRuns& nodes, Visit visit) {
    for (const auto run : nodes.runs())
      for (auto node = run.first; node < run.end; ++node) visit(slow_.nodes[node]);
  }

  void hold() {
    SlowUse use;
    use.job = ++names_;
    use.start = slow_.now + Seconds(chance_.one_in(2) ? -chance_.below(4) : chance_.below(10));
    use.end = chance_.one_in(10)  ? kForever
              : chance_.one_in(6) ? std::max(use.start, slow_.now) + Seconds(1)
                                  : use.start + Seconds(1 + chance_.below(12));
    use.amount = chance_.amount();
    use.user = UserId(static_cast<std::uint32_t>(chance_.below(3)));
    use.access = chance_.access();
    use.own = chance_.one_in(10);
    for (std::uint32_t reservation = 0; reservation < 4; ++reservation)
      if (chance_.one_in(3)) use.inside |= 1U << reservation;
    const auto nodes = chance_.nodes(count());
    availability::hold(kept_, nodes, as_use(kept_, use));
    on_each(nodes, [&](SlowNode& node) { node.uses.push_back(use); });
    jobs_.emplace_back(use, nodes);
  }

  void release() {
    if (jobs_.empty()) return;
    const auto at = static_cast<std::size_t>(chance_.below(static_cast<int>(jobs_.size())));
    const auto [use, nodes] = jobs_[at];
    jobs_.erase(jobs_.begin() + static_cast<std::ptrdiff_t>(at));
    ASSERT_EQ(availability::release(kept_, nodes, as_use(kept_, use)), nodes.size());
    on_each(nodes, [&, job = use.job](SlowNode& node) {
      std::erase_if(node.uses, [&](const SlowUse& candidate) { return candidate.job == job; });
    });
  }

  void block() {
    SlowBlock block;
    block.made = ++names_;
    block.reservation = static_cast<std::uint32_t>(chance_.below(4));
    block.start = slow_.now + Seconds(chance_.below(14) - 4);
    block.end = chance_.one_in(6)
                    ? kForever
                    : std::max(slow_.now, block.start) + Seconds(1 + chance_.below(10));
    block.amount = chance_.amount();
    const auto nodes = chance_.nodes(count());
    availability::block(kept_, nodes, as_block(kept_, block));
    on_each(nodes, [&](SlowNode& node) { node.blocks.push_back(block); });
    made_.emplace_back(block, nodes);
  }

  void unblock() {
    if (made_.empty()) return;
    const auto [block, nodes] = made_.back();
    made_.pop_back();
    if (block.end > slow_.now) {
      ASSERT_EQ(availability::unblock(kept_, nodes, as_block(kept_, block)), nodes.size());
    }
    on_each(nodes, [&, made = block.made](SlowNode& node) {
      std::erase_if(node.blocks,
                    [&](const SlowBlock& candidate) { return candidate.made == made; });
    });
  }

  void close() {
    const auto nodes = chance_.nodes(count());
    const auto closed =
        chance_.one_of({Seconds(0), Seconds(0), Seconds(1), Seconds(5), kUnlimited});
    availability::close(kept_, nodes, closed);
    on_each(nodes, [&](SlowNode& node) { node.closed = closed; });
  }

  void change_kind() {
    const auto nodes = chance_.nodes(count());
    const auto kind =
        chance_.one_in(3)
            ? some_kind()
            : kinds_[static_cast<std::size_t>(chance_.below(static_cast<int>(kinds_.size())))];
    availability::set_kind(kept_, nodes, kept_.tables().kind(kind));
    on_each(nodes, [&](SlowNode& node) { node.kind = kind; });
  }

  void advance() {
    slow_.advance(slow_.now + Seconds(chance_.below(5)));
    kept_.advance(slow_.now);
  }

  void same_earliest(Question question, const QuestionClass& of) {
    const auto from = slow_.now + Seconds(chance_.one_in(2) ? 0 : chance_.below(10));
    const auto not_after = chance_.one_in(3) ? from + Seconds(chance_.below(8)) : kForever;
    const auto start = kept_.earliest(question, from, not_after);
    const auto expected = slow_.earliest(question, of, from, not_after);
    ASSERT_EQ(start.has_value(), expected.has_value());
    if (!start) return;
    ASSERT_EQ(start->raw() - slow_.now.raw(), expected->raw() - slow_.now.raw());
    if (!question.each_of) same_nodes(question, of, *start, true);
  }

  void same_now(const Question& question, const QuestionClass& of) {
    const SlowNodes::Rooms rooms(slow_, of, question.duration, question.stay);
    const bool fits = slow_.fits(rooms, question, slow_.now);
    ASSERT_EQ(kept_.fits_now(question), fits);
    long long room = 0;
    for (std::uint32_t i = 0; i < slow_.nodes.size(); ++i)
      if (!question.among || question.among->contains(i)) room += rooms.throughout(i, slow_.now);
    ASSERT_EQ(kept_.room_now(question), room);
    const auto node = static_cast<std::uint32_t>(chance_.below(count()));
    ASSERT_EQ(kept_.tasks_on(node, question.of, slow_.now, question.duration, question.stay),
              rooms.throughout(node, slow_.now));
    const NodeTasks tasks{NodeId(node), 1 + chance_.below(4)};
    ASSERT_EQ(kept_.fits_on(question, {tasks}, slow_.now),
              rooms.throughout(node, slow_.now) >= tasks.tasks);
    same_free_procs();
    same_profile(node, question, of, rooms);
    if (fits && !question.each_of) same_nodes(question, of, slow_.now, false);
  }

  void same_free_procs() {
    Placement asked;
    const auto nodes = chance_.nodes(count());
    for (const NodeRun run : nodes.runs())
      asked.add({run, 1 + chance_.below(2), 0, chance_.below(2) == 0});
    const Placement found = kept_.on_free_nodes(asked);
    std::vector<int> tasks(slow_.nodes.size()), expected(slow_.nodes.size());
    for (const NodeTasks& share : found) tasks[share.node.index()] += share.tasks;
    for (const NodeTasks& share : asked) {
      const auto& node = slow_.nodes[share.node.index()];
      auto free = node.kind.whole.procs();
      for (const auto& use : node.uses)
        if (use.start <= slow_.now) free -= use.amount.procs();
      if (free > 0 && node.closed == Seconds(0)) expected[share.node.index()] = share.tasks;
    }
    ASSERT_EQ(tasks, expected);
  }

  // Compares profiles of nodes whose kind serves and has no rules of its own.
  void same_profile(std::uint32_t node, const Question& question, const QuestionClass& of,
                    const SlowNodes::Rooms& rooms) {
    const auto& kind = slow_.nodes[node].kind;
    if (kind.access || kind.max_jobs > 0 || of.access.usual != NodeAccess::shared || of.confined ||
        !of.serves[kind.attributes])
      return;
    const Stay stay{slow_.now, question.stay};
    Profile profile;
    kept_.profile_of(node, question.of, &stay, profile);
    for (auto when = slow_.now; when < slow_.horizon(); when = when + Seconds(1)) {
      const auto level = profile.at(when);
      const auto& there = profile.level(level).presence;
      const bool shut = there.exclusive > 0 || (there.owner.valid() && there.owner != of.user);
      ASSERT_EQ(shut ? 0 : profile.tasks(level, task_size(of.per_task)),
                rooms.at(node, when, slow_.now));
    }
  }

  void same_nodes(const Question& question, const QuestionClass& of, Time start, bool sparing) {
    Preference preference;
    preference.by_time = chance_.one_in(2);
    preference.sparing = preference.by_time && sparing;
    preference.upwards = chance_.one_in(2);
    const std::vector<int> rank{1, 0};
    if (chance_.one_in(3)) preference.rank = rank;
    auto offers = slow_.offers(question, of, start);
    std::sort(offers.begin(), offers.end(), [&](const SlowOffer& a, const SlowOffer& b) {
      if (a.affinity != b.affinity) return a.affinity < b.affinity;
      if (preference.by_time && start > slow_.now && a.since != b.since) return a.since > b.since;
      if (preference.sparing && a.tasks_now != b.tasks_now) return a.tasks_now < b.tasks_now;
      if (preference.by_time && a.until != b.until) return a.until < b.until;
      const auto rank_of = [&](const SlowOffer& offer) {
        return preference.rank.empty() ? 0 : rank[slow_.nodes[offer.node].kind.attributes];
      };
      if (rank_of(a) != rank_of(b)) return rank_of(a) < rank_of(b);
      return preference.upwards ? a.node < b.node : b.node < a.node;
    });
    std::vector<NodeTasks> order;
    for (const auto& offer : offers) order.push_back({NodeId(offer.node), offer.tasks});
    const auto listed = kept_.in_order(question, start, preference, count());
    ASSERT_EQ(show({listed.begin(), listed.end()}), show(order));
    const bool ranges =
        question.shape && !question.shape->exact_nodes && question.shape->tasks_per_node == 0;
    if (ranges) return;
    Requirement shape;
    if (question.shape) shape = *question.shape;
    shape.tasks = question.tasks;
    std::vector<int> rooms, shares;
    for (const auto& share : order) rooms.push_back(share.tasks);
    ASSERT_TRUE(share_tasks(shape, rooms, shares));
    std::vector<NodeTasks> expected;
    for (std::size_t i = 0; i < order.size(); ++i)
      if (shares[i] > 0) expected.push_back({order[i].node, shares[i]});
    const auto placement = kept_.choose(question, start, preference);
    ASSERT_TRUE(placement.has_value());
    std::vector<NodeTasks> chosen(placement->begin(), placement->end());
    if (question.shape) {  // dealt in two rounds
      const auto by_node = [](const NodeTasks& a, const NodeTasks& b) { return a.node < b.node; };
      std::sort(chosen.begin(), chosen.end(), by_node);
      std::sort(expected.begin(), expected.end(), by_node);
    }
    ASSERT_EQ(show(chosen), show(expected));
  }

  Chance chance_;
  Availability kept_;
  SlowNodes slow_;
  std::vector<NodeKind> kinds_;
  std::vector<QuestionClass> classes_;
  std::vector<std::pair<SlowUse, NodeRuns>> jobs_;
  std::vector<std::pair<SlowBlock, NodeRuns>> made_;
  int names_ = 0;
  bool trial_ = false;
};

TEST(AvailabilityProperty, AnswersAsOneCounterPerSecondDoes) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    World world(seed);
    for (int step = 0; step < 30; ++step) {
      SCOPED_TRACE("step " + std::to_string(step));
      ASSERT_NO_FATAL_FAILURE(world.happen());
      ASSERT_NO_FATAL_FAILURE(world.ask());
    }
  }
}

TEST(AvailabilityProperty, ATrialLeavesNoTrace) {
  for (unsigned seed = 10001; seed <= 10100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    World world(seed);
    const auto some_steps = [&] {
      for (int step = 0; step < 4; ++step) {
        ASSERT_NO_FATAL_FAILURE(world.happen());
        if (!world.one_in(2)) continue;
        ASSERT_NO_FATAL_FAILURE(world.ask());
      }
    };
    for (int round = 0; round < 8; ++round) {
      ASSERT_NO_FATAL_FAILURE(some_steps());
      world.try_out([&] {
        some_steps();
        if (world.one_in(3)) world.try_out(some_steps);
        if (!testing::Test::HasFatalFailure()) world.ask();
      });
      ASSERT_FALSE(testing::Test::HasFatalFailure());
      ASSERT_NO_FATAL_FAILURE(world.ask());
      ASSERT_NO_FATAL_FAILURE(world.expect_as_made_afresh());
    }
  }
}

TEST(AvailabilityProperty, AKeptModelHasTheGroupsOfAFreshModel) {
  for (unsigned seed = 20001; seed <= 20060; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    World world(seed, 12);
    for (int step = 0; step < 60; ++step) ASSERT_NO_FATAL_FAILURE(world.happen());
    ASSERT_NO_FATAL_FAILURE(world.expect_as_made_afresh());
  }
}

}  // namespace
}  // namespace maui::availability::test
