// The answers of resource managers for which a command waits before it replies.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/command_result.h"
#include "maui/replies/job.h"

namespace maui {

/// Must belong to a shared pointer: answers that come after its end are ignored.
class AwaitedAnswers : public std::enable_shared_from_this<AwaitedAnswers> {
 public:
  /// Waits for the answer about `name`, a job or node of the reply, if the result awaits one.
  void add(const std::string& name, const CommandResult& result);
  /// True while an answer is missing, until give_up().
  bool any() const { return missing_ > 0 && !given_up_; }
  /// Calls `then` once any() has become false: the latest `then` alone, and once.
  void when_over(std::function<void()> then) { then_ = std::move(then); }
  /// Waits no longer.
  void give_up();
  /// Corrects the outcomes of a reply that took all requests as done.
  void correct(std::vector<Outcome>& outcomes) const;

 private:
  struct Awaited {
    bool answered = false;
    Status status = Done{};
  };

  void over();

  std::multimap<std::string, std::shared_ptr<Awaited>, std::less<>> all_;  // by name
  int missing_ = 0;
  bool given_up_ = false;
  std::function<void()> then_;
};

}  // namespace maui
