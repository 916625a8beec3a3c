// Presents several resource managers as one.
//
// Each poll asks every manager.  Once one has answered, the others are waited for as long as the
// patience lasts.  A manager that failed to answer the last poll, or exceeded the patience, is not
// waited for at all: its late answer is delivered with the next poll.  So neither a silent manager
// nor a slow one delays the others by more than the patience, once.  A job runs only on nodes of
// its own resource manager: with several managers, the feature "rm:NAME" of nodes and jobs enforces
// this.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "maui/resource_manager.h"

namespace maui {

class ResourceManagers final : public ResourceManager {
 public:
  /// Calls `over` when the patience with the manager of that name is over, unless it is called for
  /// the same manager again before that; never from within.
  using Patience = std::function<void(const std::string& manager, std::function<void()> over)>;

  /// `wake` is called when an answer arrives while no poll is under way.  Without `patience`, every
  /// manager that answered the last time is waited for.
  ResourceManagers(std::vector<std::unique_ptr<ResourceManager>> parts, std::function<void()> wake,
                   Patience patience = {});
  ~ResourceManagers() override;

  std::string_view name() const override { return name_; }
  void poll(const Cluster& cluster, Time now, std::function<void(Result<Update>)> done) override;
  void start(const Job& job, const Cluster& cluster, Time now, Started done) override;
  void cancel(const Job& job, CancelCause why, Time now, Answer done) override;
  void requeue(const Job& job, Time now, Answer done) override;
  void suspend(const Job& job, Time now, Answer done) override;
  void resume(const Job& job, Time now, Answer done) override;
  void checkpoint(const Job& job, Time now, Answer done) override;
  void set_limit(const Job& job, Seconds limit, Time now, Answer done) override;
  void modify_node(const Node& node, NodeState state, const std::string& user, Time now,
                   Answer done) override;
  bool shows_notices() const override;
  void note(const std::vector<JobNotice>& notices) override;
  bool reports_job_starts() const override { return true; }
  std::vector<UnusedAttribute> unused_attributes_of_job(const Job& job) const override;
  std::vector<UnusedAttribute> unused_attributes_of_node(const Node& node) const override;
  std::vector<RmRecord> records() const override;

 private:
  struct Part {
    std::unique_ptr<ResourceManager> manager;
    bool asked = false;                 // and has not answered yet
    bool up = true;                     // according to its last answer
    bool overdue = false;               // asked longer ago than the patience lasts
    bool late = false;                  // overdue, or was so when it answered last
    std::string why = {};               // the reason why it is not up
    std::optional<Update> answer = {};  // not delivered yet; until then it is not polled again
  };

  void ask(Part& part, const Cluster& cluster, Time now);
  void part_answered(Part& part, Result<Update> answer);
  void overdue(Part& part);
  bool complete() const;
  void hand_on();
  void take(Part& part, Update& whole, std::set<std::string>& nodes) const;
  const ResourceManager& manager_of(const std::string& name) const;
  ResourceManager& to_command(const std::string& name);

  std::vector<Part> parts_;
  std::string name_;
  std::function<void()> wake_;
  Patience patience_;
  std::function<void(Result<Update>)> done_;  // callback of the poll under way
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace maui
