// When a request could start that has not been submitted (showstart).
#pragma once
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cmd/follow_up.h"
#include "engine/engine.h"
#include "maui/job.h"
#include "maui/replies/job.h"
#include "maui/resource_manager.h"
#include "sched/query/explain.h"

namespace maui {

/// Finds the request's start, why it is not now, and smaller requests that would start earlier, one
/// question per step.  With several resource managers each is tried, since a job gets the nodes of
/// one of them; the answer is that of the best.
class RequestedStart final : public FollowUp {
 public:
  /// `copy`: of the engine, which nothing else observes.  `reports`: the request as a job of each
  /// manager that may get it, at least one.  `unknown`: options of its script that have no effect.
  RequestedStart(std::unique_ptr<Engine> copy, std::vector<JobReport> reports,
                 std::vector<std::string> unknown);

  /// Returns the job of the first report, before the first step.
  const Job& first_job() const { return current_->job; }

  bool step() override;
  void complete(Reply& reply) const override;

 private:
  enum class Stage { start, never, reason, cheaper };
  /// The request as a job in a copy of the engine, and when it would start.
  struct Attempt {
    Attempt(std::unique_ptr<Engine> copy, JobId id);

    void find_start();
    bool starts_now() const { return forecast && forecast->start <= trial->now(); }
    bool better_than(const Attempt& other) const;
    bool possible() const;

    const std::unique_ptr<Engine> trial;
    const Job job;
    const Request request;
    Questions questions;
    std::optional<Forecast> forecast;  // of find_start()
  };
  struct Candidate {
    std::size_t kind;
    Request request;
  };

  std::unique_ptr<Attempt> next_attempt();
  bool find_start();
  bool find_why_never();
  bool find_reason();
  bool find_cheaper();
  void shorter();
  void smaller();

  std::unique_ptr<Engine> copy_;  // none once the last report is tried
  std::vector<JobReport> reports_;
  std::size_t attempts_ = 0;  // made; reports_ of these are empty
  std::vector<std::string> unknown_;
  std::unique_ptr<Attempt> current_, best_;
  Stage stage_ = Stage::start;
  std::optional<std::string> why_never_;  // no start is known
  StartReply found_;
  std::unique_ptr<StartFinder> finder_;
  std::vector<Candidate> candidates_;
  std::size_t next_ = 0;
  std::array<bool, 2> done_{};
  std::array<std::vector<StartAlternative>, 2> alternatives_;  // shorter limit, fewer processors
};

}  // namespace maui
