#include "cmd/facts/expectations.h"

#include <memory>
#include <variant>

#include "cmd/facts/job_facts.h"
#include "cmd/facts/reply_values.h"
#include "sched/promises.h"
#include "sched/query/queue_forecast.h"

namespace maui {
namespace {

bool learns(const Context& context) { return context.settings().learning.use != LearningUse::none; }

RunForecast forecast_of(const Context& context, JobId job) {
  return context.engine.learning().forecast(context.cluster(), context.settings(), job,
                                            context.now());
}

class StartExpectation final : public FollowUp {
 public:
  StartExpectation(const Context& context, JobId id)
      : engine_(context.engine),
        job_(id),
        arrival_(context.cluster().job(id).arrival),
        forecaster_(context.cluster(), context.settings(), context.now(), id,
                    [&](JobId job) { return forecast_of(context, job).expected; }) {}

  bool step() override { return forecaster_.step(); }
  void complete(Reply& reply) const override {
    const std::int64_t expected = raw(forecaster_.expected()),
                       limits = raw(forecaster_.by_limits());
    if (auto* of_job = std::get_if<JobReply>(&reply)) {
      of_job->expected_start = expected;
    } else {
      auto& of_start = std::get<StartReply>(reply);
      of_start.expected_start = expected;
      of_start.start_by_limits = limits;
    }
    const Job& job = engine_.cluster().job(job_);
    if (expected < 0 || limits < 0 || job.arrival != arrival_ || !job.waiting() || job.holds != 0)
      return;
    engine_.note_shown_start(job_, forecaster_.expected(), forecaster_.by_limits());
  }

 private:
  Engine& engine_;
  JobId job_;
  std::uint64_t arrival_;
  StartForecaster forecaster_;
};

}  // namespace

std::optional<ExpectedEnd> expected_end(const Context& context, const Job& job) {
  if (!learns(context) || !job.active()) return std::nullopt;
  const RunForecast run = forecast_of(context, job.id);
  if (run.similar == 0) return std::nullopt;
  const Time began = counted_start(job);
  return ExpectedEnd{raw(began + run.expected), raw(began + run.likely.low),
                     raw(began + run.likely.high), run.similar};
}

Time promised_start(const Context& context, const Job& job) {
  if (!learns(context) || !job.waiting()) return kForever;
  return latest_promise(context.cluster(), context.settings(), job);
}

void expect_start(const Context& context, JobId id) {
  if (!learns(context) || !context.cluster().job(id).waiting()) return;
  context.follow_up = std::make_unique<StartExpectation>(context, id);
}

}  // namespace maui
