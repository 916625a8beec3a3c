// Costs of the history with the jobs of years: 2,000,000 that ended in 365 days, of 500 users, 50
// accounts and 10 classes, with the reasons for which they had waited, and each minute of the year.
//
// HISTORY_BENCH_JOBS makes them fewer or more; they stand in TMPDIR while it runs.  Questions are
// asked as commands do, without the way to the client; the first figure of rebuild is the counter.
#include <benchmark/benchmark.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <stdlib.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "history/history_index.h"
#include "history/history_query.h"
#include "history/period_totals.h"

namespace maui {
namespace {

constexpr std::int64_t kDays = 365, kMinute = 60;
const Time kFirst(1'700'006'400);  // a midnight

class Chance {
 public:
  std::int64_t below(std::int64_t bound) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::int64_t>((state_ >> 33) % static_cast<std::uint64_t>(bound));
  }

 private:
  std::uint64_t state_ = 42;
};

/// The text files, and the database that is made from them.
class World {
 public:
  World() {
    std::string place = (std::filesystem::temp_directory_path() / "history_bench.XXXXXX").string();
    if (::mkdtemp(place.data()) == nullptr) std::abort();
    directory_ = place;
    if (const char* jobs = std::getenv("HISTORY_BENCH_JOBS")) jobs_ = std::atoll(jobs);
    for (std::int64_t day = 0; day < kDays; ++day) write_day(day);
    make();
    for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
      const auto name = entry.path().filename().string();
      (name.starts_with("history.db") ? database_ : text_) +=
          static_cast<std::int64_t>(entry.file_size());
    }
  }
  ~World() { std::filesystem::remove_all(directory_); }

  const std::string& directory() const { return directory_; }
  std::int64_t jobs() const { return jobs_; }
  std::int64_t database() const { return database_; }
  std::int64_t text() const { return text_; }
  double rebuilt() const { return rebuilt_; }
  static Time end() { return kFirst + Seconds(kDays * kDaySeconds); }
  std::string some_job() const { return fmt::format("{}.server", jobs_ / 2); }
  history::HistoryIndex& index() { return *index_; }

  /// Writes that more jobs have ended, on the last day.
  void add(int jobs) {
    for (int i = 0; i < jobs; ++i) write_job(end() - Seconds(1));
    records_.flush();
    events_.flush();
    index_->note(path("history", kDays - 1));
    index_->note(path("stats", kDays - 1));
  }

 private:
  std::string path(std::string_view kind, std::int64_t day) const {
    return fmt::format("{}/{}.{:%Y_%m_%d}", directory_, kind,
                       fmt::gmtime((kFirst + Seconds(day * kDaySeconds)).raw()));
  }
  void write_day(std::int64_t day) {
    records_ = std::ofstream(path("stats", day), std::ios::app);
    events_ = std::ofstream(path("history", day), std::ios::app);
    records_ << "VERSION 230\n";
    const Time begin = kFirst + Seconds(day * kDaySeconds);
    const std::int64_t jobs = jobs_ / kDays + (day < jobs_ % kDays ? 1 : 0);
    for (std::int64_t i = 0; i < jobs; ++i)
      write_job(begin + Seconds(i * (kDaySeconds - 1) / std::max<std::int64_t>(1, jobs)));
    for (std::int64_t minute = 0; minute < kDaySeconds; minute += kMinute)
      events_ << fmt::format("USE {} 60 {} 1200000 60000 600000\n", begin.raw() + minute,
                             60 * chance_.below(20000));
  }
  void write_job(Time ended) {
    const auto user = chance_.below(500), procs = 1 + chance_.below(64);
    const auto run = 60 + chance_.below(86400), wait = chance_.below(40000);
    const Time started = ended - Seconds(run), submitted = started - Seconds(wait);
    const auto name = fmt::format("{}.server", ++made_);
    records_ << fmt::format(
        "{} 0 {} u{} g{} {} Completed [c{}:1] {} {} {} {} [NONE] [NONE] [NONE] >= 0M >= 0M [NONE] "
        "{} {} 0 [NONE]:q{} [NONE] a{} [NONE] [NONE] {} {}.00 DEFAULT 1 0M 0M 0M 0 0 n{:05} base "
        "[NONE] [NONE] [NONE] [NONE] [NONE]\n",
        name, procs, user, user % 20, 2 * run, chance_.below(10), submitted.raw(), started.raw(),
        started.raw(), ended.raw(), submitted.raw(), procs, chance_.below(4), user % 50,
        chance_.below(5), procs * run, chance_.below(20000));
    events_ << fmt::format("JOB {} {} {} 0 insufficient_idle_procs:{}-{}\n", name, submitted.raw(),
                           ended.raw(), submitted.raw(), started.raw());
  }
  void make() {
    index_.emplace(directory_, [](const std::string& line) { fmt::print(stderr, "{}\n", line); });
    const auto begin = std::chrono::steady_clock::now();
    index_->begin();
    while (index_->go_on(std::chrono::seconds(1), Time(0))) {
    }
    rebuilt_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (!index_->done()) std::abort();
  }

  std::string directory_;
  std::int64_t jobs_ = 2'000'000, made_ = 0, database_ = 0, text_ = 0;
  double rebuilt_ = 0;
  Chance chance_;
  std::ofstream records_, events_;
  std::optional<history::HistoryIndex> index_;
};

World& world() {
  static World made;
  return made;
}

void rebuild(benchmark::State& state) {
  World& one = world();
  for (auto _ : state) benchmark::DoNotOptimize(one.rebuilt());
  state.counters["jobs"] = static_cast<double>(one.jobs());
  state.counters["seconds"] = one.rebuilt();
  state.counters["database_mb"] = static_cast<double>(one.database()) / 1e6;
  state.counters["text_mb"] = static_cast<double>(one.text()) / 1e6;
}

/// The work between two iterations in which so many jobs have ended; the longest is told, too.
void follow(benchmark::State& state) {
  World& one = world();
  double longest = 0;
  for (auto _ : state) {
    state.PauseTiming();
    one.add(static_cast<int>(state.range(0)));
    state.ResumeTiming();
    const auto begin = std::chrono::steady_clock::now();
    while (one.index().go_on(std::chrono::milliseconds(4), Time(0))) {
    }
    longest = std::max(
        longest, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
                     .count());
  }
  state.counters["longest_ms"] = longest;
}

void ask(benchmark::State& state, const JobSelection& selection, bool sums, bool endings) {
  static const Settings settings;
  World& one = world();
  std::int64_t found = 0;
  double longest = 0;
  for (auto _ : state) {
    auto query = history::JobQuery::open(one.index().reader(), selection, endings);
    if (!query) return state.SkipWithError(query.error().what.c_str());
    PeriodTotals totals(settings);
    found = 0;
    for (bool more = true; more;) {
      const auto begin = std::chrono::steady_clock::now();
      const auto step = query->step([&](history::KnownJob known) {
        ++found;
        if (sums) totals.add(known.job);
      });
      longest = std::max(longest, std::chrono::duration<double, std::milli>(
                                      std::chrono::steady_clock::now() - begin)
                                      .count());
      if (!step) return state.SkipWithError(step.error().what.c_str());
      more = *step;
    }
    benchmark::DoNotOptimize(totals.all().jobs);
  }
  state.counters["jobs"] = static_cast<double>(found);
  state.counters["longest_ms"] = longest;
}

JobSelection last(std::int64_t days) {
  JobSelection selection;
  selection.ended_from = World::end() - Seconds(days * kDaySeconds);
  return selection;
}

void showhist_job(benchmark::State& state) {
  JobSelection selection;
  selection.names = {world().some_job()};
  ask(state, selection, false, true);
}
void showhist_day(benchmark::State& state) { ask(state, last(1), false, true); }
void showhist_user_month(benchmark::State& state) {
  auto selection = last(30);
  selection.who[CredentialKind::user] = {"u7"};
  ask(state, selection, false, true);
}
void showhist_two_users_month(benchmark::State& state) {
  auto selection = last(30);
  selection.who[CredentialKind::user] = {"u7", "u8"};
  ask(state, selection, false, true);
}
void showhist_class_month(benchmark::State& state) {
  auto selection = last(30);
  selection.who[CredentialKind::job_class] = {"c3"};
  ask(state, selection, false, true);
}
void showhist_user_of_old(benchmark::State& state) {
  auto selection = last(365);
  selection.who[CredentialKind::user] = {"nosuch"};
  ask(state, selection, false, true);
}
void showhist_class_of_old(benchmark::State& state) {
  auto selection = last(365);
  selection.who[CredentialKind::job_class] = {"nosuch"};
  ask(state, selection, false, true);
}
void showstats_month(benchmark::State& state) { ask(state, last(30), true, false); }
void showstats_year(benchmark::State& state) { ask(state, last(365), true, false); }

void showhist_use_year(benchmark::State& state) {
  std::int64_t found = 0;
  for (auto _ : state) {
    auto query = history::RowQuery<history::MinuteOfUse>::open(world().index().reader(), kFirst,
                                                               World::end());
    if (!query) return state.SkipWithError(query.error().what.c_str());
    found = 0;
    for (bool more = true; more;) {
      const auto step = query->step([&](const history::MinuteOfUse&) { ++found; });
      if (!step) return state.SkipWithError(step.error().what.c_str());
      more = *step;
    }
  }
  state.counters["minutes"] = static_cast<double>(found);
}

BENCHMARK(rebuild)->Iterations(1);
BENCHMARK(follow)->Arg(1)->Arg(20)->Unit(benchmark::kMillisecond)->Iterations(200);
BENCHMARK(showhist_job)->Unit(benchmark::kMillisecond);
BENCHMARK(showhist_day)->Unit(benchmark::kMillisecond);
BENCHMARK(showhist_user_month)->Unit(benchmark::kMillisecond);
BENCHMARK(showhist_two_users_month)->Unit(benchmark::kMillisecond);
BENCHMARK(showhist_class_month)->Unit(benchmark::kMillisecond);
BENCHMARK(showhist_user_of_old)->Unit(benchmark::kMillisecond);
BENCHMARK(showhist_class_of_old)->Unit(benchmark::kMillisecond);
BENCHMARK(showstats_month)->Unit(benchmark::kMillisecond);
BENCHMARK(showstats_year)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK(showhist_use_year)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace maui
