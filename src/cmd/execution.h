// A request under way.  One that names many jobs is done job by job, a slice at a time, so that
// other clients and iterations are served in between: whoever asks for much waits for it himself.
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/name_pattern.h"
#include "cmd/context.h"

namespace maui {

class Execution {
 public:
  Execution(Engine& engine, ServerControl& server, CommandRequest request)
      : engine_(engine), server_(server), request_(std::move(request)) {}

  const CommandRequest& request() const { return request_; }
  /// Goes on until all is done, which gives the reply, or until `enough` says so.  A step lies
  /// between two questions to it; at least one is done.
  std::optional<Reply> go_on(const std::function<bool()>& enough);

 private:
  struct Expression {
    std::string operand;
    NamePattern pattern;
    bool matched = false;
  };

  Context context() const { return {engine_, server_, request_}; }
  void step();
  void begin();
  void list_jobs(std::size_t first);
  void match(const Job& job);
  void act(const std::string& job);
  void finish();
  void add_job(const std::string& name);
  void note(const std::string& name, const std::string& reason);

  Engine& engine_;
  ServerControl& server_;
  CommandRequest request_;
  bool begun_ = false;
  std::vector<Expression> expressions_;
  std::vector<std::string> jobs_;  // those named, each once
  std::set<std::string, std::less<>> named_;
  std::size_t tried_ = 0, acted_on_ = 0;  // slots of jobs; of jobs_
  JobsReply told_;                        // what was done, and with each job
  std::optional<Reply> reply_;
};

}  // namespace maui
