// Prints when each job of a log starts with RUNTIMELEARNING, and what users make of it:
// tests/oracle/learned_logs compares that with an independent program.
//
// usage: schedule_of_log LOG.swf NONE|SHOW|BACKFILL|PRIORITY [limits] [forget=SECONDS]
//   limits: jobs are judged by their limits; forget: what was learned is lost every so often
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "log_run.h"

namespace {

double part(const std::vector<double>& sorted, double which) {
  return sorted[static_cast<std::size_t>(static_cast<double>(sorted.size()) * which)];
}

}  // namespace

int main(int count, char** words) {
  using namespace maui;
  if (count < 3) return 2;
  const std::string mode = words[2];
  bool by_limits = false;
  Seconds forget = kUnlimited;
  for (int i = 3; i < count; ++i) {
    const std::string word = words[i];
    if (word == "limits")
      by_limits = true;
    else if (word.starts_with("forget="))
      forget = Seconds(std::stoll(word.substr(word.find('=') + 1)));
    else
      return 2;
  }
  const LearningUse use = mode == "PRIORITY"   ? LearningUse::priority
                          : mode == "BACKFILL" ? LearningUse::backfill
                          : mode == "SHOW"     ? LearningUse::show
                                               : LearningUse::none;
  const auto settings = test::learning(test::event_mode(words[1]), use, by_limits);
  test::Runs runs;
  if (const auto problem = test::run_log(settings, runs, forget); !problem.empty()) {
    std::fprintf(stderr, "%s\n", problem.c_str());
    return 1;
  }
  const double used = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  double slowdowns = 0, waits = 0;
  std::vector<double> sorted;
  const auto first = runs.of.begin()->second.submitted;
  for (const auto& [job, run] : runs.of) {
    std::printf("%lld\n", static_cast<long long>(run.started - first));
    const auto wait = static_cast<double>(run.started - run.submitted);
    const auto ran = static_cast<double>(run.ended - run.started);
    waits += wait;
    slowdowns += std::max(1.0, (wait + ran) / std::max(ran, 10.0));
    sorted.push_back(wait / 3600);
  }
  std::sort(sorted.begin(), sorted.end());
  const auto jobs = static_cast<double>(sorted.size());
  std::fprintf(stderr, "jobs %.0f slowdown %.3f wait %.1f worst_h %.1f p99_h %.2f cpu_s %.2f\n",
               jobs, slowdowns / jobs, waits / jobs, sorted.back(), part(sorted, 0.99), used);
  return 0;
}
