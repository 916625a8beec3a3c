// Wraps a resource manager that is polled but receives no commands: for SERVERMODE TEST, and until
// an administrator has made a required decision.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "maui/resource_manager.h"

namespace maui {

class LookingOnly final : public ResourceManager {
 public:
  /// `why`: the reason that refuses every command; empty: commands are passed on.
  LookingOnly(std::unique_ptr<ResourceManager> inner, std::string why)
      : inner_(std::move(inner)), why_(std::move(why)) {}
  void only_look(std::string why) { why_ = std::move(why); }

  std::string_view name() const override { return inner_->name(); }
  void poll(const Cluster& cluster, Time now, std::function<void(Result<Update>)> done) override {
    inner_->poll(cluster, now, std::move(done));
  }
  void start(const Job& job, const Cluster& cluster, Time now, Started done) override {
    if (!why_.empty()) return done({Error{why_}, Obstacle::passes});
    inner_->start(job, cluster, now, std::move(done));
  }
  void cancel(const Job& job, CancelCause why, Time now, Answer done) override {
    if (may(done)) inner_->cancel(job, why, now, std::move(done));
  }
  void requeue(const Job& job, Time now, Answer done) override {
    if (may(done)) inner_->requeue(job, now, std::move(done));
  }
  void suspend(const Job& job, Time now, Answer done) override {
    if (may(done)) inner_->suspend(job, now, std::move(done));
  }
  void resume(const Job& job, Time now, Answer done) override {
    if (may(done)) inner_->resume(job, now, std::move(done));
  }
  void checkpoint(const Job& job, Time now, Answer done) override {
    if (may(done)) inner_->checkpoint(job, now, std::move(done));
  }
  void set_limit(const Job& job, Seconds limit, Time now, Answer done) override {
    if (may(done)) inner_->set_limit(job, limit, now, std::move(done));
  }
  void modify_node(const Node& node, NodeState state, const std::string& user, Time now,
                   Answer done) override {
    if (may(done)) inner_->modify_node(node, state, user, now, std::move(done));
  }
  bool shows_notices() const override { return why_.empty() && inner_->shows_notices(); }
  void note(const std::vector<JobNotice>& notices) override {
    if (why_.empty()) inner_->note(notices);
  }
  bool reports_job_starts() const override { return inner_->reports_job_starts(); }
  Time next_event() const override { return inner_->next_event(); }
  std::vector<UnusedAttribute> unused_attributes_of_job(const Job& job) const override {
    return inner_->unused_attributes_of_job(job);
  }
  std::vector<UnusedAttribute> unused_attributes_of_node(const Node& node) const override {
    return inner_->unused_attributes_of_node(node);
  }
  std::vector<RmRecord> records() const override { return inner_->records(); }

 private:
  bool may(const Answer& done) const {
    if (!why_.empty()) done(Error{why_});
    return why_.empty();
  }
  std::unique_ptr<ResourceManager> inner_;
  std::string why_;
};

}  // namespace maui
