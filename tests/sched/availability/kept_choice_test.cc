// Nodes that a kept model chooses for a later start are those that a fresh model chooses, however
// often it is asked and whatever happens in between; and they have room there as long as a fresh
// model finds some.
#include <gtest/gtest.h>

#include <array>
#include <tuple>
#include <utility>
#include <vector>

#include "sched/availability/availability.h"
#include "support/availability_edits.h"
#include "support/random_runs.h"

namespace maui::availability {
namespace {

/// Nodes of four processors with jobs that start and end, some of them later than they should.
class JobsOnNodes {
 public:
  explicit JobsOnNodes(unsigned seed) : chance_(seed) {
    begin(kept_);
    free_.fill(kProcs);
  }

  std::uint32_t below(std::uint32_t bound) { return chance_.below(bound); }
  Time now() const { return now_; }
  /// Times are coarse, so that many nodes get room at the same time.
  Time later() { return Time((now_.raw() / 20 + 1 + below(6)) * 20); }

  void happen() {
    if (below(2) == 0) kept_.advance(now_ = now_ + Seconds(below(4)));
    if (!jobs_.empty() && below(3) == 0) end(below(static_cast<std::uint32_t>(jobs_.size())));
    if (below(3) != 0) start();
  }
  /// Lets a job start and asks; then takes its start back.
  void try_one(const Question& question, Time start_of_it, const Preference& preference) {
    const Availability::Trial trial(kept_);
    const auto before = std::pair(jobs_, free_);
    start();
    compare(question, start_of_it, preference);
    std::tie(jobs_, free_) = before;
  }
  void compare(const Question& question, Time start_of_it, const Preference& preference) {
    Availability fresh;
    begin(fresh);
    for (const auto& [nodes, use] : jobs_) hold(fresh, nodes, use);
    ASSERT_EQ(kept_.fits_on(question, chosen_, start_of_it),
              fresh.fits_on(question, chosen_, start_of_it))
        << "at " << now_.raw();
    const auto chosen = kept_.choose(question, start_of_it, preference);
    ASSERT_EQ(chosen, fresh.choose(question, start_of_it, preference)) << "at " << now_.raw();
    if (chosen) chosen_ = *chosen;
  }

 private:
  static constexpr std::uint32_t kNodes = 24;
  static constexpr int kProcs = 4;

  void begin(Availability& model) {
    NodeKind kind;
    kind.whole = Resources(kProcs);
    model.begin(std::vector<std::uint32_t>(kNodes, model.tables().kind(kind)), now_);
    for (const int procs : {1, 2, 3}) model.tables().amount(Resources(procs));
    QuestionClass of;
    of.access.usual = NodeAccess::shared;
    of.serves = {1};
    model.class_of(of);
  }
  void start() {
    Use use;
    use.start = now_;
    use.end = later();
    use.access = NodeAccess::shared;
    const int procs = 1 + static_cast<int>(below(3));
    use.amount = kept_.tables().amount(Resources(procs));
    NodeRuns nodes;
    for (auto left = 1 + below(6); left > 0; --left) {
      const auto node = below(kNodes);
      if (nodes.contains(node) || free_[node] < procs) continue;
      nodes.add(NodeRun{node, node + 1});
      free_[node] -= procs;
    }
    hold(kept_, nodes, use);
    jobs_.emplace_back(nodes, use);
  }
  void end(std::uint32_t number) {
    const auto [nodes, use] = jobs_[number];
    jobs_.erase(jobs_.begin() + number);
    release(kept_, nodes, use);
    for (const NodeRun run : nodes.runs())
      for (auto node = run.first; node < run.end; ++node)
        free_[node] += kept_.tables().amount_of(use.amount).procs();
  }

  maui::test::RandomRuns chance_;
  Time now_{100};
  Availability kept_;
  std::vector<std::pair<NodeRuns, Use>> jobs_;
  std::array<int, kNodes> free_{};
  Placement chosen_;  // by the last choice
};

TEST(KeptChoiceProperty, IsThatOfAFreshModel) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    JobsOnNodes world(seed);
    Question question;
    Preference preference;
    preference.by_time = true;
    Time start = world.later();
    for (int step = 0; step < 200; ++step) {
      if (start <= world.now() || world.below(10) == 0) {  // until then the question stays
        question.tasks = 1 + static_cast<int>(world.below(40));
        preference.sparing = world.below(2) == 0;
        preference.upwards = world.below(2) == 0;
        start = world.later();
      }
      world.happen();
      if (start <= world.now()) continue;
      world.compare(question, start, preference);
      if (world.below(4) == 0) world.try_one(question, start, preference);
      ASSERT_FALSE(testing::Test::HasFatalFailure()) << "seed " << seed << ", step " << step;
    }
  }
}

}  // namespace
}  // namespace maui::availability
