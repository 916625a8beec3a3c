// Fairshare and statistics in a checkpoint.
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <vector>

#include "engine/checkpoint/checkpoint_parts.h"
#include "model/credentials.h"

namespace maui {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(JobTotals, jobs, successful, backfilled, on_target, queue_hours,
                                   max_queue_hours, xfactor, max_xfactor, xfactor_proc_seconds,
                                   xfactor_procs, procs, bypass, max_bypass, requested_proc_seconds,
                                   run_proc_seconds, completed_proc_seconds,
                                   backfilled_proc_seconds, dedicated_proc_seconds,
                                   utilised_proc_seconds, run_seconds, limit_seconds, accuracy)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FairshareStep, from, to)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ForecastTotals, jobs, run_seconds, limit_seconds, foreseen,
                                   within, error, limit_error, starts, start_error,
                                   limit_start_error)

}  // namespace maui

namespace maui::checkpointing {
namespace {

// Totals of jobs without such a credential are stored under the empty name.
template <class IdType, class Totals>
Json totals_json(const Names<IdType>& names, const std::map<IdType, Totals>& totals) {
  Json out = Json::object();
  for (const auto& [id, sums] : totals) out[id.valid() ? names[id] : std::string()] = sums;
  return out;
}

template <class IdType, class Totals>
void read_totals(const Json& in, std::string_view nobody, Names<IdType>& names,
                 std::map<IdType, Totals>& totals) {
  for (const auto& [name, sums] : in.items())
    sums.get_to(totals[name == nobody ? IdType() : names.intern(name)]);
}

Json grid_json(const Grid& grid) {
  return {{"procs", grid.procs()},
          {"limits", grid.limits()},
          {"cells", grid.cells()},
          {"outside", grid.outside()}};
}

}  // namespace

Json json_of(const Cluster& names, const FairshareHistory& history) {
  Json windows = Json::array();
  for (const FairshareWindow& window : history.windows) {
    Json used = Json::object();
    for (const CredentialKind kind : kCredentialKinds) {
      Json amounts = Json::object();
      for (std::size_t i = 0; i < window.used[kind].size(); ++i)
        if (window.used[kind][i] != 0) amounts[names_of(names, kind)[i]] = window.used[kind][i];
      used[std::string(kind_name(kind))] = std::move(amounts);
    }
    windows.push_back({{"start", window.start},
                       {"length", window.length},
                       {"total", window.total},
                       {"used", used}});
  }
  Json out{{"complete_until", history.complete_until}, {"windows", std::move(windows)}};
  constexpr std::ptrdiff_t kMostSteps = 64;
  const auto& steps = history.steps;
  if (!steps.empty())
    out["steps"] = std::vector<FairshareStep>(steps.end() - std::min(kMostSteps, std::ssize(steps)),
                                              steps.end());
  return out;
}

FairshareHistory fairshare_of(const Json& in, ClusterNames& names) {
  FairshareHistory history;
  in.at("complete_until").get_to(history.complete_until);
  if (const auto steps = in.find("steps"); steps != in.end()) steps->get_to(history.steps);
  for (const auto& window : in.at("windows")) {
    FairshareWindow& made = history.windows.emplace_back();
    window.at("start").get_to(made.start);
    window.at("length").get_to(made.length);
    window.at("total").get_to(made.total);
    if (made.length <= Seconds(0)) refuse("a window of length zero");
    for (const CredentialKind kind : kCredentialKinds)
      for (const auto& [name, amount] :
           window.at("used").at(std::string(kind_name(kind))).items()) {
        const auto number = intern(names, kind, name);
        if (number >= made.used[kind].size()) made.used[kind].resize(number + std::size_t{1});
        amount.get_to(made.used[kind][number]);
      }
  }
  return history;
}
Json json_of(const Cluster& cluster, const Statistics& s) {
  Json out{{"since", s.since},
           {"all", s.all},
           {"users", totals_json(cluster.users, s.users)},
           {"groups", totals_json(cluster.groups, s.groups)},
           {"accounts", totals_json(cluster.accounts, s.accounts)},
           {"classes", totals_json(cluster.classes, s.classes)},
           {"qos", totals_json(cluster.qos, s.qos)},
           {"grid", grid_json(s.grid)},
           {"grid_since", s.grid_since},
           {"available_proc_seconds", s.available_proc_seconds},
           {"backlog_proc_hours", s.backlog_proc_hours},
           {"iterations", s.iterations},
           {"preemptions", s.preemptions},
           {"preempted_proc_seconds", s.preempted_proc_seconds},
           {"min_utilisation", s.min_utilisation},
           {"min_utilisation_iteration", s.min_utilisation_iteration}};
  if (!s.run_before.empty()) out["run_before"] = s.run_before;
  if (s.forecasts.all.jobs > 0)
    out["forecasts"] = {{"all", s.forecasts.all},
                        {"users", totals_json(cluster.users, s.forecasts.users)},
                        {"classes", totals_json(cluster.classes, s.forecasts.classes)}};
  return out;
}

void read(const Json& in, std::string_view nobody, const PlotSettings& plot, ClusterNames& names,
          Statistics& s) {
  in.at("since").get_to(s.since);
  if (const auto before = in.find("run_before"); before != in.end()) before->get_to(s.run_before);
  in.at("all").get_to(s.all);
  read_totals(in.at("users"), nobody, names.users, s.users);
  read_totals(in.at("groups"), nobody, names.groups, s.groups);
  read_totals(in.at("accounts"), nobody, names.accounts, s.accounts);
  read_totals(in.at("classes"), nobody, names.classes, s.classes);
  read_totals(in.at("qos"), nobody, names.qos, s.qos);
  if (const auto forecasts = in.find("forecasts"); forecasts != in.end()) {
    forecasts->at("all").get_to(s.forecasts.all);
    read_totals(forecasts->at("users"), nobody, names.users, s.forecasts.users);
    read_totals(forecasts->at("classes"), nobody, names.classes, s.forecasts.classes);
  }
  const Json& grid = in.at("grid");
  s.grid = Grid(plot);
  in.at("grid_since").get_to(s.grid_since);
  if (grid.at("procs").get<std::vector<std::int64_t>>() == s.grid.procs() &&
      grid.at("limits").get<std::vector<std::int64_t>>() == s.grid.limits())
    s.grid.take_up(grid.at("cells").get<std::vector<JobTotals>>(),
                   grid.at("outside").get<std::int64_t>());
  else
    s.grid_since = kForever;
  in.at("available_proc_seconds").get_to(s.available_proc_seconds);
  in.at("backlog_proc_hours").get_to(s.backlog_proc_hours);
  in.at("iterations").get_to(s.iterations);
  in.at("preemptions").get_to(s.preemptions);
  in.at("preempted_proc_seconds").get_to(s.preempted_proc_seconds);
  in.at("min_utilisation").get_to(s.min_utilisation);
  in.at("min_utilisation_iteration").get_to(s.min_utilisation_iteration);
}

}  // namespace maui::checkpointing
