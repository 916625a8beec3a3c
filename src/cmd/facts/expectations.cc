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
      : context_(context), job_(id), arrival_(context.cluster().job(id).arrival) {}

  /// The first step copies the cluster, of which an iteration may have started the job meanwhile.
  bool step() override {
    if (forecaster_) return forecaster_->step();
    if (!waits()) return false;
    forecaster_.emplace(context_.cluster(), context_.settings(), context_.now(), job_,
                        [&](JobId job) { return forecast_of(context_, job).expected; });
    return true;
  }
  void complete(Reply& reply) const override {
    if (!forecaster_) return;
    const std::int64_t expected = raw(forecaster_->expected()),
                       limits = raw(forecaster_->by_limits());
    if (auto* of_job = std::get_if<JobReply>(&reply)) {
      of_job->expected_start = expected;
    } else {
      auto& of_start = std::get<StartReply>(reply);
      of_start.expected_start = expected;
      of_start.start_by_limits = limits;
    }
    if (expected < 0 || limits < 0 || !waits() || context_.cluster().job(job_).holds != 0) return;
    context_.engine.note_shown_start(job_, forecaster_->expected(), forecaster_->by_limits());
  }

 private:
  bool waits() const {
    const Job& job = context_.cluster().job(job_);
    return job.arrival == arrival_ && job.waiting();
  }

  const Context context_;
  const JobId job_;
  const std::uint64_t arrival_;
  std::optional<StartForecaster> forecaster_;
};

}  // namespace

std::optional<ExpectedEnd> expected_end(const Context& context, const Job& job) {
  if (!learns(context) || !job.active()) return std::nullopt;
  const RunForecast run = forecast_of(context, job.id);
  if (run.similar == 0) return std::nullopt;
  const Time began = job.counted_start();
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
