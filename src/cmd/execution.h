// A request being executed.  A request that names many jobs is executed job by job, in slices, with
// other clients and iterations served in between: a large request delays only its own client.
#pragma once
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/name_pattern.h"
#include "cmd/awaited_answers.h"
#include "cmd/context.h"
#include "cmd/dry_run.h"

namespace maui {

/// Memory ran out during a command that changes something; part of the change may be done.
class HalfDone : public std::exception {
 public:
  const char* what() const noexcept override { return "a command ran out of memory half-way"; }
};

class Execution {
 public:
  Execution(Engine& engine, ServerControl& server, CommandRequest request)
      : engine_(engine), server_(server), request_(std::move(request)) {}

  const CommandRequest& request() const { return request_; }
  /// Continues until the request is done and returns the reply, or returns nullopt once `enough` is
  /// true, which is asked after each step, or while nothing is left but to wait for awaited().
  /// Executes at least one step.  Throws HalfDone if memory runs out after something may have
  /// changed, std::bad_alloc if nothing has.
  std::optional<Reply> go_on(const std::function<bool()>& enough);
  /// Returns the answers of resource managers without which the reply is not complete, if go_on()
  /// has returned because of them; otherwise null.
  std::shared_ptr<AwaitedAnswers> awaited() const { return waits_ ? awaited_ : nullptr; }
  /// True if something has been changed; the request need not be finished for that.
  bool has_changed() const { return changed_; }
  /// True if the request holds much memory at present and should be finished first.
  bool is_large() const {
    return dry_run_ != nullptr || (follow_up_ != nullptr && follow_up_->is_large());
  }

 private:
  struct Expression {
    std::string operand;
    NamePattern pattern;
    bool matched = false;
  };

  Context context() {
    if (dry_run_) return {dry_run_->engine(), dry_run_->server(), request_, follow_up_, *awaited_};
    return {engine_, server_, request_, follow_up_, *awaited_};
  }
  void begin_dry_run();
  void step();
  Reply act();
  void begin();
  /// Sets the reply, except for the results of a dry run that are still to be computed.
  void conclude(Reply reply);
  void list_jobs(std::size_t first);
  void match(const Job& job);
  void act(const std::string& job);
  /// Concludes once the answers that were awaited are in the outcomes.
  template <class R>
  void conclude_corrected(R reply, std::vector<Outcome> R::*outcomes);
  void finish();
  void follow_up();
  void add_job(const std::string& name);
  void note(const std::string& name, const std::string& reason);

  Engine& engine_;
  ServerControl& server_;
  CommandRequest request_;
  bool begun_ = false;
  bool acted_ = false;  // something may have been changed
  bool changed_ = false;
  std::vector<Expression> expressions_;
  std::vector<std::string> jobs_;  // named jobs, each once
  std::set<std::string, std::less<>> named_;
  std::size_t tried_ = 0, acted_on_ = 0;  // counts: tried job slots, processed jobs_
  JobsReply jobs_reply_;                  // action and outcome for each job
  std::optional<Reply> reply_;
  std::unique_ptr<DryRunner> dry_run_;  // --dry-run, until the command has been executed
  std::unique_ptr<FollowUp> follow_up_;
  std::optional<Reply> incomplete_;  // reply without the results of follow_up_
  std::shared_ptr<AwaitedAnswers> awaited_ = std::make_shared<AwaitedAnswers>();
  std::optional<NodesModifiedReply> nodes_reply_;  // until awaited_ are there
  bool waits_ = false;                             // nothing is left but to wait for awaited_
};

}  // namespace maui
