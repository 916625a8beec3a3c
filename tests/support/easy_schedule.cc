#include "support/easy_schedule.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <queue>
#include <random>
#include <utility>

#include "maui/request.h"
#include "sched/availability/availability.h"
#include "support/availability_edits.h"

namespace maui::test {
namespace {

using End = std::pair<Time, std::size_t>;
using Ends = std::priority_queue<End, std::vector<End>, std::greater<>>;

/// Calls pass(now, start) whenever a job ends or arrives; jobs passed to `start` begin at that
/// time.
template <class Ended, class Arrived, class Pass>
void replay(std::vector<EasyJob>& jobs, Ended ended, Arrived arrived, Pass pass) {
  Ends ends;
  std::size_t next = 0;
  while (next < jobs.size() || !ends.empty()) {
    Time now = kForever;
    if (next < jobs.size()) now = jobs[next].submitted;
    if (!ends.empty()) now = std::min(now, ends.top().first);
    for (; !ends.empty() && ends.top().first == now; ends.pop()) ended(now, ends.top().second);
    for (; next < jobs.size() && jobs[next].submitted == now; ++next) arrived(next);
    pass(now, [&](std::size_t job) {
      jobs[job].start = now;
      ends.emplace(now + jobs[job].run, job);
    });
  }
}

}  // namespace

std::vector<EasyJob> some_jobs(int count, unsigned seed) {
  std::mt19937 engine(seed);
  const auto chance = [&] { return (static_cast<double>(engine() % 1000000U) + 0.5) / 1e6; };
  constexpr int kSizes[] = {1, 1, 2, 3, 4, 4, 8, 8, 12, 16, 16, 32, 64, 100};
  std::vector<EasyJob> jobs;
  Time when(0);
  for (int i = 0; i < count; ++i) {
    EasyJob job;
    when = when + Seconds(static_cast<std::int64_t>(-1750 * std::log(chance())));
    job.submitted = when;
    job.procs = kSizes[engine() % std::size(kSizes)];
    // Most jobs are short, few are long.
    job.run = Seconds(1 + static_cast<std::int64_t>(40000 * std::pow(chance(), 4)));
    job.limit = Seconds(60 * (1 + static_cast<std::int64_t>(static_cast<double>(job.run.raw()) *
                                                            (1 + 3 * chance()) / 60)));
    jobs.push_back(job);
  }
  return jobs;
}

std::vector<EasyJob> times(std::vector<EasyJob> jobs, int factor) {
  for (auto& job : jobs) job.procs *= factor;
  return jobs;
}

void easy_by_count(std::vector<EasyJob>& jobs, int procs) {
  int free = procs;
  std::vector<std::size_t> queue;
  std::vector<std::pair<Time, std::size_t>> active;  // by the ends of their limits
  const auto ended = [&](Time, std::size_t job) {
    free += jobs[job].procs;
    active.erase(
        std::find(active.begin(), active.end(), std::pair(jobs[job].start + jobs[job].limit, job)));
  };
  replay(
      jobs, ended, [&](std::size_t job) { queue.push_back(job); },
      [&](Time now, auto start) {
        const auto begin = [&](std::size_t job) {
          start(job);
          free -= jobs[job].procs;
          const std::pair row(now + jobs[job].limit, job);
          active.insert(std::lower_bound(active.begin(), active.end(), row), row);
        };
        while (!queue.empty() && jobs[queue.front()].procs <= free) {
          begin(queue.front());
          queue.erase(queue.begin());
        }
        if (queue.empty()) return;
        int left = free;
        Time shadow = now;
        for (const auto& [end, job] : active) {
          if (left >= jobs[queue.front()].procs && end != shadow) break;
          left += jobs[job].procs;
          shadow = end;
        }
        left -= jobs[queue.front()].procs;
        for (std::size_t i = 1; i < queue.size();) {
          const auto& job = jobs[queue[i]];
          const bool ends = now + job.limit <= shadow;
          if (job.procs > free || (!ends && job.procs > left)) {
            ++i;
            continue;
          }
          if (!ends) left -= job.procs;
          begin(queue[i]);
          queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(i));
        }
      });
}

EasyEffort easy_by_model(std::vector<EasyJob>& jobs, int nodes, int procs_each) {
  namespace av = maui::availability;
  av::Availability model;
  av::NodeKind kind;
  kind.whole = Resources(procs_each);
  model.begin(
      std::vector<std::uint32_t>(static_cast<std::size_t>(nodes), model.tables().kind(kind)),
      jobs.empty() ? Time(0) : jobs.front().submitted);
  av::QuestionClass question;
  question.serves.assign(1, 1);
  question.access.usual = NodeAccess::shared;
  const auto of = model.class_of(question);
  av::Preference now_by_time{true, false, {}, false}, later_by_time{true, true, {}, false};

  EasyEffort effort;
  std::vector<std::size_t> queue;
  using Placed = std::vector<std::pair<NodeRuns, av::Use>>;
  std::vector<Placed> held(jobs.size());
  std::optional<Placed> claim;
  std::size_t asked = 0;  // number of jobs at the head of the queue that cannot start yet
  const auto ask_of = [&](std::size_t job) {
    return av::Question{of, jobs[job].procs, jobs[job].limit, jobs[job].limit};
  };
  const auto place = [&](std::size_t job, Time start, const av::Preference& preference) {
    const auto parts = model.choose(ask_of(job), start, preference);
    Placed placed;
    for (auto& [tasks, where] : av::nodes_by_tasks(*parts)) {
      av::Use use;
      use.start = start;
      use.end = start + jobs[job].limit;
      use.amount = model.tables().amount(Resources(tasks));
      use.access = NodeAccess::shared;
      av::hold(model, where, use);
      placed.emplace_back(std::move(where), use);
    }
    return placed;
  };
  const auto take_back = [&](const Placed& placed) {
    for (const auto& [where, use] : placed) av::release(model, where, use);
  };
  const auto drop_claim = [&] {
    if (claim) take_back(*claim);
    claim.reset();
  };
  const auto ended = [&](Time now, std::size_t job) {
    drop_claim();
    model.advance(now);
    take_back(held[job]);
    held[job] = {};
    asked = 0;
  };
  replay(
      jobs, ended, [&](std::size_t job) { queue.push_back(job); },
      [&](Time now, auto start) {
        model.advance(now);
        const auto begin = [&](std::size_t job) {
          held[job] = place(job, now, now_by_time);
          start(job);
        };
        std::size_t heads = 0;
        while (asked == 0 && heads < queue.size() && model.fits_now(ask_of(queue[heads])))
          begin(queue[heads++]);
        queue.erase(queue.begin(), queue.begin() + static_cast<std::ptrdiff_t>(heads));
        auto kept = std::max<std::size_t>(asked, 1);
        for (auto i = kept; i < queue.size(); ++i) {
          const auto job = queue[i];
          bool fits = model.fits_now(ask_of(job));
          if (fits && !claim) {
            const auto head = queue.front();
            claim = place(head, *model.earliest(ask_of(head), now), later_by_time);
            ++effort.claims;
            fits = model.fits_now(ask_of(job));
          }
          if (fits)
            begin(job);
          else
            queue[kept++] = job;
        }
        if (kept < queue.size()) queue.resize(kept);
        asked = queue.size();
        effort.most_groups = std::max(effort.most_groups, model.groups().filled());
      });
  return effort;
}

}  // namespace maui::test
