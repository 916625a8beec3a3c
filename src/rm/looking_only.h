// SERVERMODE TEST: a resource manager that is looked at and never told to do anything.
#pragma once
#include <memory>
#include <string_view>

#include "maui/resource_manager.h"

namespace maui {

class LookingOnly final : public ResourceManager {
 public:
  explicit LookingOnly(std::unique_ptr<ResourceManager> inner) : inner_(std::move(inner)) {}

  std::string_view name() const override { return inner_->name(); }
  void poll(const Cluster& cluster, Time now, std::function<void(Result<Update>)> done) override {
    inner_->poll(cluster, now, std::move(done));
  }
  void start(const Job&, const Cluster&, Time, Answer done) override { refuse(done); }
  void cancel(const Job&, Time, Answer done) override { refuse(done); }
  void requeue(const Job&, Time, Answer done) override { refuse(done); }
  void suspend(const Job&, Time, Answer done) override { refuse(done); }
  void resume(const Job&, Time, Answer done) override { refuse(done); }
  void checkpoint(const Job&, Time, Answer done) override { refuse(done); }
  void set_limit(const Job&, Seconds, Time, Answer done) override { refuse(done); }
  void modify_node(const Node&, NodeState, Time, Answer done) override { refuse(done); }
  bool tells_when_jobs_run() const override { return inner_->tells_when_jobs_run(); }
  Time next_event() const override { return inner_->next_event(); }
  std::vector<RmRecord> records() const override { return inner_->records(); }

 private:
  static void refuse(const Answer& done) {
    done(Error{"SERVERMODE TEST: nothing is done, it is only looked"});
  }
  std::unique_ptr<ResourceManager> inner_;
};

}  // namespace maui
