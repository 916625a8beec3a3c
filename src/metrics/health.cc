#include "metrics/health.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/outside_text.h"
#include "proto/json_writer.h"

namespace maui {
namespace {

constexpr double kPatience = 60;
constexpr int kLateAfter = 3;  // poll intervals

}  // namespace

Health health_of(const Engine& engine, const ServerState& server) {
  Health health;
  health.iteration = engine.iteration();
  health.iteration_age = server.iteration_age;
  health.stopped = engine.stop_rule().stopped;
  const double interval = static_cast<double>(engine.settings().poll_interval.raw());
  const double late = std::max(kPatience, kLateAfter * interval);
  const double age = server.iteration_age.value_or(server.up);
  if (!health.stopped && age > late)
    health.problems.push_back(fmt::format("no iteration has ended for {:.0f} s", age));
  for (const auto& manager : engine.rm_records()) {
    const auto name = printable(manager.name);
    health.managers.push_back({name, manager.up});
    if (manager.asked >= Time(0) && manager.answered < Time(0))
      health.problems.push_back(fmt::format("resource manager '{}' has not reported yet", name));
    else if (!manager.up && manager.polls > 0)
      health.problems.push_back(fmt::format("resource manager '{}' does not answer", name));
  }
  if (server.checkpoint_failing) health.problems.emplace_back("the checkpoint cannot be written");
  if (server.memory_short) health.problems.emplace_back("memory is short");
  return health;
}

std::string health_as_json(const Health& health) {
  JsonWriter json;
  json.begin_object();
  json.member("healthy", health.problems.empty());
  json.key("problems");
  json.begin_array();
  for (const auto& problem : health.problems) json.string(problem);
  json.end_array();
  json.member("iteration", health.iteration);
  json.key("iteration_age");
  health.iteration_age ? json.number(*health.iteration_age) : json.null();
  json.member("scheduling", health.stopped ? "stopped" : "running");
  json.key("resource_managers");
  json.begin_array();
  for (const auto& manager : health.managers) {
    json.begin_object();
    json.member("name", manager.name);
    json.member("up", manager.up);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take() + "\n";
}

}  // namespace maui
