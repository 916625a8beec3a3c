#include "cmd/facts/period_statistics.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "cmd/facts/history_walk.h"
#include "history/grid_reply.h"
#include "history/period_totals.h"
#include "history/statistics_rows.h"

namespace maui {
namespace {

/// The sums of a period, with a copy of the settings used, since settings may change meanwhile.
struct PeriodSums {
  PeriodSums(const Settings& now_set, const Period& of)
      : settings(now_set), period(of), totals(settings) {}
  const Settings settings;
  const Period period;
  PeriodTotals totals;
  double up_proc_seconds = 0;
};

/// Reads all jobs of the period, then its minutes.
class PeriodQuery {
 public:
  PeriodQuery(history::JobQuery jobs, history::RowQuery<history::MinuteOfUse> minutes)
      : jobs_(std::move(jobs)), minutes_(std::move(minutes)) {}

  Result<bool> step(const std::shared_ptr<PeriodSums>& sums) {
    if (!jobs_done_) {
      const auto more = jobs_.step([&](history::KnownJob known) { sums->totals.add(known.job); });
      if (!more) return more.error();
      jobs_done_ = !*more;
      return true;
    }
    return minutes_.step([&](const history::MinuteOfUse& minute) {
      sums->up_proc_seconds += static_cast<double>(minute.up);
    });
  }

 private:
  history::JobQuery jobs_;
  history::RowQuery<history::MinuteOfUse> minutes_;
  bool jobs_done_ = false;
};

/// Begins to sum up the period in -t; `answer` creates the reply from the sums.
template <class Answer>
Status sum_up(const Context& context, const JobSelection& chosen, Answer answer) {
  const auto reader = history_of(context);
  if (!reader) return reader.error();
  const auto period = period_of(context, "t");
  if (!period) return period.error();
  JobSelection selection = chosen;
  selection.ended_from = period->start;
  selection.ended_by = period->end;
  auto jobs = history::JobQuery::open(*reader, std::move(selection), /*endings=*/false);
  if (!jobs) return unreadable(jobs.error());
  auto minutes = history::RowQuery<history::MinuteOfUse>::open(*reader, period->start, period->end);
  if (!minutes) return unreadable(minutes.error());
  const auto sums = std::make_shared<PeriodSums>(context.settings(), *period);
  walk(
      context, PeriodQuery(*std::move(jobs), *std::move(minutes)), sums,
      [sums, answer](Reply& reply) { reply = answer(*sums); },
      [sums] {
        std::size_t names = 0;
        for (const auto kind : kCredentialKinds) names += sums->totals.by(kind).size();
        return names;
      });
  return Done{};
}

}  // namespace

Answer statistics_of_period(const Context& context, std::optional<CredentialKind> kind,
                            const std::string& name) {
  JobSelection selection;
  if (kind && !name.empty()) selection.who[*kind].insert(name);
  const auto answer = [kind, name](const PeriodSums& sums) -> Reply {
    if (kind) return credential_statistics(sums.totals, *kind, sums.period);
    ProfileReply reply = profile_of(sums.totals, sums.period);
    if (sums.up_proc_seconds > 0) reply.total_proc_hours = sums.up_proc_seconds / kHourSeconds;
    return reply;
  };
  if (auto begun = sum_up(context, selection, answer); !begun) return begun.error();
  return Reply(ProfileReply{});  // until complete() replaces it
}

Answer grid_of_period(const Context& context) {
  const std::string statistic = context.request.operands.front();
  if (const auto known = grid_reply("showgrid", statistic, Grid{}, Period{}); !known)
    return known.error();
  const auto answer = [statistic](const PeriodSums& sums) -> Reply {
    return *grid_reply("showgrid", statistic, sums.totals.grid(), sums.period);
  };
  if (auto begun = sum_up(context, {}, answer); !begun) return begun.error();
  return Reply(GridReply{});  // until complete() replaces it
}

}  // namespace maui
