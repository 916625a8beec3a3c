// A resource manager for PBS connected to a fake server, both on one event loop.
#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pbs/fake_server.h"
#include "pbs/link.h"
#include "rm/wiki_resource_manager.h"
#include "support/asking_loop.h"

namespace maui::pbs::test {

class PbsFixture : public maui::test::AskingLoop {
 public:
  explicit PbsFixture(FakePbs::Kind kind) : server(io, kind) {
    link.server.port = server.port();
    link.server.auth = Auth::none;
    link.server.timeout = std::chrono::milliseconds(1500);
    if (kind == FakePbs::Kind::torque) link.server.trial = std::chrono::milliseconds(50);
    link.now = [] { return Time(std::time(nullptr)); };
    link.ring = [this] { ++rings; };
    link.log = [this](int, std::string_view line) { lines.emplace_back(line); };
    server.nodes["n01"].properties = "odd";
    server.nodes["n02"];
  }

  WikiResourceManager& manager() {
    if (!manager_) {
      WikiManagerOptions options;
      describe_pbs(options);
      options.notices = comments;
      options.generation = generation;
      options.now = link.now;
      options.log = link.log;
      options.warn = [this](std::string_view line) { lines.emplace_back(line); };
      manager_ = std::make_unique<WikiResourceManager>(options, make_link(io, link));
    }
    return *manager_;
  }

  Result<Update> poll() {
    manager().hurry();  // polls at once even if an earlier request failed
    return answer_to<Result<Update>>(
        [&](auto done) { manager().poll(cluster, link.now(), std::move(done)); });
  }

  NodeId node(const std::string& name) {
    if (const auto known = cluster.find_node(name); known.valid()) return known;
    Node made;
    made.name = name;
    made.resource_manager = "base";
    made.configured = Resources(4);
    return cluster.add_node(std::move(made));
  }

  /// Returns a job with the given name and placement (tasks per node).
  Job placed(const std::string& name, std::vector<std::pair<std::string, int>> where) {
    Job job;
    job.name = name;
    std::vector<NodeTasks> shares;
    for (const auto& [host, tasks] : where) shares.push_back({node(host), tasks, 0});
    job.placement = Placement(shares.begin(), shares.end());
    return job;
  }

  StartAnswer start(const Job& job) {
    return answer_to<StartAnswer>(
        [&](auto done) { manager().start(job, cluster, link.now(), std::move(done)); });
  }

  /// Returns the link's answer as text.
  std::string said(WikiLink& by, const WikiRequest& request) {
    std::optional<WikiAnswer> given;
    by.ask(request, [&](WikiAnswer answer) { given = std::move(answer); });
    run_until([&] { return given.has_value(); });
    if (!given || !given->reply) return "no answer";
    if (!given->records) return given->reply->text;
    std::vector<std::string> records;
    for (const auto& record : given->records->records) records.push_back(write_wiki(*record));
    return write_wiki_records(records);
  }
  std::string jobs_said(WikiLink& by) {
    said(by, {"GETNODES", "0:ALL", {}});
    return said(by, {"GETJOBS", "0:ALL", {}});
  }

  int times_asked(std::string_view beginning) const {
    int count = 0;
    for (const auto& request : server.asked) count += request.starts_with(beginning) ? 1 : 0;
    return count;
  }

  FakePbs server;
  Cluster cluster;
  LinkOptions link;
  std::vector<std::string> lines;
  int rings = 0;
  bool comments = false;  // FLAGS=COMMENT
  std::int64_t generation = 0;

 private:
  std::unique_ptr<WikiResourceManager> manager_;
};

}  // namespace maui::pbs::test
