// showres: lists reservations, or nodes with their reservations.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "base/date.h"
#include "base/duration.h"
#include "base/state_names.h"
#include "cmd/access.h"
#include "cmd/facts/cluster_walk.h"
#include "cmd/facts/job_facts.h"
#include "cmd/facts/reply_values.h"
#include "cmd/facts/reservation_facts.h"
#include "model/placement.h"

namespace maui {
namespace {

/// A reservation as showres lists it; for an active job, it is derived from the job, and is as long
/// as the job's limit.
struct Seen {
  ReservationRow row;
  Placement nodes;
};

Seen of_job(const Cluster& cluster, const Job& job) {
  return {{job.name, "Job", std::string(state_name(job.state)), raw(job.counted_start()),
           raw(job.ends), static_cast<std::int64_t>(node_count(job.placement)),
           cluster.request(job.request).total_procs()},
          job.placement};
}

Seen of_reservation(const Cluster& cluster, const Reservation& r) {
  const bool job = r.kind == ReservationKind::job;
  return {{r.name, std::string(type_of(r)),
           job ? std::string(state_name(cluster.job(r.job).state)) : std::string(), raw(r.start),
           raw(r.end), static_cast<std::int64_t>(node_count(r.nodes)), procs_of(cluster, r)},
          r.nodes};
}

/// True for administrators, for reservations of jobs, and for those the user owns or may use.
bool may_see(const Context& context, const Reservation& r) {
  if (is_admin(context, 3) || r.kind == ReservationKind::job) return true;
  if (context.settings().reservation_control == ReservationControl::any) return true;
  // Only the user is authenticated: a client may claim any group.
  const UserId user = context.cluster().users.find(context.request.user);
  return owns(context, r) || (user.valid() && r.access.admits({user, {}, {}, {}, {}}));
}

bool overlap(const ReservationRow& a, const ReservationRow& b) {
  return (b.end == -1 || a.start < b.end) && (a.end == -1 || b.start < a.end);
}

/// Returns the reservation that the operand names, with -o also those that overlap it.
Result<std::vector<Seen>> about(const Context& context, const std::vector<Seen>& seen) {
  const std::string& name = context.request.operands.front();
  const auto at = std::find_if(seen.begin(), seen.end(), [&](const Seen& reservation) {
    return reservation.row.name == name;
  });
  if (at == seen.end()) return Error{"cannot locate reservation '" + name + "'"};
  std::vector<Seen> chosen;
  for (const Seen& reservation : seen)
    if (reservation.row.name == name || (context.has("o") && overlap(reservation.row, at->row)))
      chosen.push_back(reservation);
  return chosen;
}

/// Combines the requirements of a reservation on a node in one share.
void add_share(std::vector<ReservedShare>& shares, const Seen& reservation, const NodeTasks& part) {
  if (!shares.empty() && shares.back().reservation == reservation.row.name)
    shares.back().tasks += part.tasks;
  else
    shares.push_back({reservation.row.name, reservation.row.type, reservation.row.job_state,
                      part.tasks, reservation.row.start, reservation.row.end});
}

std::vector<ReservedNode> by_node(const Context& context, const std::vector<Seen>& seen,
                                  const std::vector<Seen>& shown_on) {
  std::map<NodeId, std::vector<ReservedShare>> nodes;
  for (const Seen& reservation : shown_on)
    for (const NodeTasks& part : reservation.nodes) nodes[part.node];
  for (const Seen& reservation : seen)
    for (const NodeTasks& part : reservation.nodes) {
      const auto node = nodes.find(part.node);
      if (node == nodes.end()) continue;
      add_share(node->second, reservation, part);
    }
  std::vector<ReservedNode> all;
  for (auto& [id, shares] : nodes)
    all.push_back({context.cluster().node(id).name, std::move(shares)});
  return all;
}

std::vector<ReservationSummary> summary_of(const std::vector<Seen>& seen, std::int64_t now) {
  std::vector<ReservationSummary> rows;
  for (const char* type : {"Job", "User", "Group", "Account", "System"}) {
    ReservationSummary row{type, 0, 0, 0, 0};
    std::set<NodeId> nodes;
    for (const Seen& reservation : seen) {
      if (reservation.row.type != type) continue;
      ++row.reservations;
      if (reservation.row.start > now) continue;
      ++row.active;
      row.procs += reservation.row.procs;
      for (const NodeTasks& part : reservation.nodes) nodes.insert(part.node);
    }
    row.nodes = static_cast<std::int64_t>(nodes.size());
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Returns a table of reservations, or of nodes (-n).
Reply table(const Context& context, const std::vector<Seen>& everything,
            const std::vector<Seen>& chosen) {
  const std::int64_t now = context.now().raw();
  if (context.has("n")) {
    ReservedNodesReply reply{now, context.has("v"), context.has("g"), {}, context.has("r")};
    reply.nodes = by_node(context, reply.verbose ? everything : chosen, chosen);
    return reply;
  }
  ReservationsReply reply{now, context.has("v"), {}, context.has("r")};
  for (const Seen& reservation : chosen) reply.reservations.push_back(reservation.row);
  if (context.has("s")) reply.summary = summary_of(chosen, now);
  return reply;
}

/// Collects all reservations, then builds a table in one step or a chart in slices.
class ReservationWalk final : public ClusterWalk {
 public:
  /// `chart`: the length of the chart; nullopt: a table.
  ReservationWalk(const Context& of, std::optional<Seconds> chart)
      : ClusterWalk(of), chart_(chart) {}

  bool is_large() const override { return chart_.has_value(); }
  void complete(Reply& reply) const override { reply = std::move(*made_); }

 private:
  static constexpr std::size_t kAtOnce = 500;  // reservations
  static constexpr std::size_t kNodes = 4000;  // that a slice examines, at least
  enum class Part : std::uint8_t { jobs, reservations, choice, nodes, shares };

  void begin() override {
    const Cluster& cluster = context().cluster();
    order_.emplace(context().settings());
    part_ = Part::jobs;
    at_ = 0;
    active_.clear();
    for (const Active& line : cluster.active()) active_.push_back(line.job);
    others_.assign(cluster.reservations().begin(), cluster.reservations().end());
    by_name_.clear();
    by_place_.clear();
    everything_.clear();
  }

  bool go_on() override {
    switch (part_) {
      case Part::jobs:
        return slice(active_.size(), Part::reservations, [this](std::size_t at) {
          Seen seen = of_job(cluster(), cluster().job(active_[at]));
          by_name_.emplace(seen.row.name, std::move(seen));
        });
      case Part::reservations:
        return slice(others_.size(), Part::choice, [this](std::size_t at) { take(others_[at]); });
      case Part::choice:
        return choose();
      case Part::nodes:
        return slice(cluster().nodes().size(), Part::shares,
                     [this](std::size_t at) { show(cluster().nodes()[at]); });
      case Part::shares:
        break;
    }
    for (std::size_t nodes = 0; at_ < everything_.size() && nodes < kNodes; ++at_)
      nodes += 1 + share(everything_[at_]);
    return at_ < everything_.size();
  }

  /// Processes some of `of` elements; switches to the next part after the last element.
  template <class Deal>
  bool slice(std::size_t of, Part next, Deal deal) {
    for (std::size_t left = kAtOnce; at_ < of && left > 0; --left) deal(at_++);
    if (at_ < of) return true;
    part_ = next;
    at_ = 0;
    return true;
  }

  const Cluster& cluster() const { return context().engine.counted(); }

  void take(ReservationId id) {
    const Reservation& r = cluster().reservation(id);
    if (r.kind == ReservationKind::job)
      by_name_.emplace(r.name, of_reservation(cluster(), r));
    else if (may_see(context(), r))
      by_place_.emplace(order_->place(r), of_reservation(cluster(), r));
  }

  /// Orders reservations: those of jobs by name, standing ones, then others by creation.
  bool choose() {
    for (auto& [name, seen] : by_name_) everything_.push_back(std::move(seen));
    for (auto& [place, seen] : by_place_) everything_.push_back(std::move(seen));
    const bool named = !context().request.operands.empty();
    auto chosen = named ? about(context(), everything_) : std::vector<Seen>();
    if (!chosen) {
      made_ = std::make_unique<Reply>(Refusal{chosen.error().what});
      return false;
    }
    if (!chart_) {
      made_ = std::make_unique<Reply>(table(context(), everything_, named ? *chosen : everything_));
      return false;
    }
    const Time now = context().now();
    made_ = std::make_unique<Reply>(ReservationChartReply{raw(now), raw(now + *chart_), {}, {}});
    places_.assign(cluster().nodes().size(), named ? kNowhere : kSomewhere);
    for (const Seen& reservation : *chosen)
      for (const NodeTasks& part : reservation.nodes) places_[part.node.index()] = kSomewhere;
    part_ = Part::nodes;
    return true;
  }

  ReservationChartReply& charted() { return std::get<ReservationChartReply>(*made_); }

  /// Adds a node to the chart: --gantt shows all nodes, with RES only those it is on.
  void show(const Node& node) {
    std::size_t& place = places_[node.id.index()];
    if (node.purged) place = kNowhere;
    if (place == kNowhere) return;
    place = charted().nodes.size();
    charted().nodes.push_back({node.name, std::string(state_name(cluster().state(node.id))), {}});
  }

  /// Adds a reservation to its nodes in the chart.  Returns the number of nodes examined.
  std::size_t share(const Seen& reservation) {
    if (reservation.row.start >= charted().until) return 0;
    std::size_t looked_at = 0;
    bool stands = false;
    for (const NodeTasks& part : reservation.nodes) {
      ++looked_at;
      const std::size_t place = places_[part.node.index()];
      if (place == kNowhere) continue;
      stands = true;
      add_share(charted().nodes[place].shares, reservation, part);
    }
    if (stands) charted().reservations.push_back(reservation.row);
    return looked_at;
  }

  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1), kSomewhere = 0;

  std::optional<Seconds> chart_;
  std::optional<ListedOrder> order_;
  Part part_ = Part::jobs;
  std::size_t at_ = 0;  // position in the current part
  std::vector<JobId> active_;
  std::vector<ReservationId> others_;
  std::multimap<std::string, Seen> by_name_;
  std::multimap<std::size_t, Seen> by_place_;
  std::vector<Seen> everything_;
  std::vector<std::size_t> places_;  // index of each node in the chart
  std::unique_ptr<Reply> made_;
};

/// Returns the length of the requested chart; nullopt: no chart is requested.
Result<std::optional<Seconds>> asked_chart(const Context& context) {
  if (!context.has("gantt")) {
    if (context.has("d")) return Error{"showres: -d requires --gantt"};
    return std::optional<Seconds>();
  }
  const std::string asked = context.request.value("d", "24:00:00");
  const auto length = parse_duration_ahead(asked, context.now());
  if (!length && is_duration(asked)) return Error{"showres: -d: " + length.error().what};
  if (!length || *length <= Seconds(0) || *length == kUnlimited)
    return Error{fmt::format(
        "showres: -d: invalid value '{}': expected the length of the chart as [[[DD:]HH:]MM:]SS",
        asked)};
  return std::optional(*length);
}

}  // namespace

Answer showres(const Context& context) {
  const auto chart = asked_chart(context);
  if (!chart) return chart.error();
  if (context.has("o") && context.request.operands.empty())
    return Error{"showres: -o: missing name of a reservation"};
  if (context.has("n") && context.has("s") && !*chart)
    return Error{"showres: either -n or -s, not both"};
  context.follow_up = std::make_unique<ReservationWalk>(context, *chart);
  return Reply(ReservationsReply{});  // until complete() replaces it
}

}  // namespace maui
