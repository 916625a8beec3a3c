// A request under way.  One that names many jobs is done job by job, a slice at a time, so that
// other clients and iterations are served in between: whoever asks for much waits for it himself.
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
#include "cmd/context.h"
#include "cmd/dry_run.h"

namespace maui {

/// There was not enough memory for a command that changes something, some of which may be done.
class HalfDone : public std::exception {
 public:
  const char* what() const noexcept override { return "a command has run out of memory half-way"; }
};

class Execution {
 public:
  Execution(Engine& engine, ServerControl& server, CommandRequest request)
      : engine_(engine), server_(server), request_(std::move(request)) {}

  const CommandRequest& request() const { return request_; }
  /// Goes on until all is done, which gives the reply, or until `enough` says so.  A step lies
  /// between two questions to it; at least one is done.  Throws HalfDone where memory runs out once
  /// something may have been changed, and std::bad_alloc where nothing was.
  std::optional<Reply> go_on(const std::function<bool()>& enough);
  /// While it is under way: it holds much memory, and is to be finished first.
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
    if (dry_run_) return {dry_run_->engine(), dry_run_->server(), request_, follow_up_};
    return {engine_, server_, request_, follow_up_};
  }
  void begin_dry_run();
  void step();
  Reply act();
  void begin();
  /// That is the reply, but for what is still to be found out of a dry run.
  void conclude(Reply reply);
  void list_jobs(std::size_t first);
  void match(const Job& job);
  void act(const std::string& job);
  void finish();
  void follow_up();
  void add_job(const std::string& name);
  void note(const std::string& name, const std::string& reason);

  Engine& engine_;
  ServerControl& server_;
  CommandRequest request_;
  bool begun_ = false;
  bool acted_ = false;  // something may have been changed
  std::vector<Expression> expressions_;
  std::vector<std::string> jobs_;  // those named, each once
  std::set<std::string, std::less<>> named_;
  std::size_t tried_ = 0, acted_on_ = 0;  // slots of jobs; of jobs_
  JobsReply jobs_reply_;                  // what was done, and with each job
  std::optional<Reply> reply_;
  std::unique_ptr<DryRunner> dry_run_;  // --dry-run, until the command has been carried out
  std::unique_ptr<FollowUp> follow_up_;
  std::optional<Reply> incomplete_;  // the reply that lacks what follow_up_ is to find out
};

}  // namespace maui
