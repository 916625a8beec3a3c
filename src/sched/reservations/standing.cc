#include "sched/reservations/standing.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "model/credentials.h"
#include "model/placement.h"
#include "sched/reservations/calendar.h"
#include "sched/reservations/reservation_fit.h"

namespace maui {
namespace {

std::int64_t id_of(const Cluster& cluster, const AccessWord& word) {
  const auto kind = credential_kind(word.kind);
  if (!kind) return word.value;
  return word.name == "ALL" ? AccessCriterion::kAnybody : find(cluster, *kind, word.name);
}

AccessList access_of(const Cluster& cluster, const StandingReservationSettings& standing) {
  AccessList list;
  for (const AccessWord& word : standing.access)
    list.criteria.push_back(
        {word.kind, id_of(cluster, word), word.compare, word.affinity, word.negated,
         word.required || (word.kind == AccessKind::time && standing.time_and)});
  std::stable_sort(
      list.criteria.begin(), list.criteria.end(),
      [](const AccessCriterion& a, const AccessCriterion& b) { return a.kind < b.kind; });
  return list;
}

// Returns the reservation without its nodes.
Reservation reservation_of(const Cluster& cluster, const StandingReservationSettings& standing,
                           const std::string& name, const Occurrence& when) {
  Reservation r;
  r.name = fmt::format("{}.{}.0", name, when.index);
  r.kind = ReservationKind::standing;
  r.access = access_of(cluster, standing);
  r.start = when.start;
  r.end = when.end;
  r.per_task = standing.per_task;
  r.flags = standing.flags;
  r.owner = standing.owner;
  r.charge_account = standing.charge_account;
  r.host_expression = standing.hosts;
  r.standing = name;
  r.period = when.period;
  return r;
}

// Returns the reservation of a period without its nodes; `kept`: the existing one, or nullptr.
Reservation wanted_in(const Cluster& cluster, const StandingReservationSettings& standing,
                      const std::string& name, const Occurrence& when, const Reservation* kept,
                      Time now) {
  Reservation wanted = reservation_of(cluster, standing, name, when);
  if (!kept) return wanted;
  const bool over = when.end <= now;  // TIMEFLEX has moved it to a later time
  if (over || standing.period == StandingPeriod::infinity) wanted.start = kept->start;
  if (over) wanted.end = kept->end;
  return wanted;
}

bool same(const Reservation& a, const Reservation& b) {
  return a.name == b.name && a.start == b.start && a.end == b.end && a.nodes == b.nodes &&
         a.access == b.access && a.per_task == b.per_task && a.flags == b.flags &&
         a.owner == b.owner && a.charge_account == b.charge_account &&
         a.host_expression == b.host_expression && a.tasks_wanted == b.tasks_wanted;
}

// True if the flags let the reservation change at any time.
bool never_settles(const StandingReservationSettings& standing) {
  return has(standing.flags, ReservationFlag::space_flex) ||
         has(standing.flags, ReservationFlag::best_effort) ||
         has(standing.flags, ReservationFlag::slide_forward);
}

/// Returns the end of the period of `r`; the reservation may not extend into the next period.
Time period_end(const Reservation& r, StandingPeriod period, const TimeZone& zone) {
  const auto days = period == StandingPeriod::week ? 7 : 1;
  return std::max(r.end, zone.first(zone.day_of(r.period) + days, Seconds(0)));
}

ReservationFit::Leeway leeway_of(const Reservation& r, StandingPeriod period,
                                 const TimeZone& zone) {
  if (period == StandingPeriod::infinity) return {r.start, r.start};
  return {r.period, r.start + (period_end(r, period, zone) - r.end)};
}

// Orders decisions such that no two reservations have the same name at any time.
class Batch {
 public:
  explicit Batch(const Cluster& cluster) : cluster_(cluster) {}

  void drop(ReservationId id) {
    free_.insert(cluster_.reservation(id).name);
    drops_.emplace_back(DropReservation{id});
  }
  void make(Reservation wanted) { others_.push_back({{}, std::move(wanted)}); }
  void change(ReservationId id, Reservation wanted) { others_.push_back({id, std::move(wanted)}); }

  struct Ordered {
    std::vector<Decision> decisions;
    bool complete = true;  // false: a name belongs to another reservation or a job, which stays
  };
  Ordered ordered() && {
    std::vector<Decision> all;
    while (!others_.empty()) {
      const auto next = std::find_if(others_.begin(), others_.end(),
                                     [this](const Other& other) { return is_free(other); });
      if (next != others_.end()) {
        all.push_back(carried_out(std::move(*next)));
        others_.erase(next);
        continue;
      }
      const auto exchanged = std::find_if(others_.begin(), others_.end(), [this](const Other& a) {
        return a.id.valid() && std::any_of(others_.begin(), others_.end(), [&](const Other& b) {
                 return b.id.valid() && cluster_.reservation(b.id).name == a.wanted.name;
               });
      });
      if (exchanged != others_.end())
        drop(std::exchange(exchanged->id, {}));  // makes room for the other; is made anew
      else if (!keep_a_name())
        break;
    }
    Ordered result{std::move(drops_), complete_ && others_.empty()};
    std::move(all.begin(), all.end(), std::back_inserter(result.decisions));
    return result;
  }

 private:
  struct Other {
    ReservationId id;  // invalid: the reservation is made
    Reservation wanted;
  };

  bool is_free(const Other& other) const {
    const std::string& name = other.wanted.name;
    if (other.id.valid() && cluster_.reservation(other.id).name == name) return true;
    if (taken_.contains(name)) return false;
    const bool known = cluster_.find_reservation(name).valid() || cluster_.find_job(name).valid();
    return !known || free_.contains(name);
  }
  /// Lets a reservation keep its name, since its new one is not free; false if there is none.
  bool keep_a_name() {
    for (Other& other : others_) {
      if (!other.id.valid()) continue;
      other.wanted.name = cluster_.reservation(other.id).name;
      complete_ = false;
      return true;
    }
    return false;
  }
  Decision carried_out(Other&& other) {
    taken_.insert(other.wanted.name);
    if (!other.id.valid()) return MakeReservation{std::move(other.wanted)};
    if (const auto& old = cluster_.reservation(other.id).name; old != other.wanted.name)
      free_.insert(old);
    return ChangeReservation{other.id, std::move(other.wanted)};
  }

  const Cluster& cluster_;
  std::set<std::string> free_, taken_;  // names that were given up, and names that were given
  std::vector<Decision> drops_;
  std::vector<Other> others_;
  bool complete_ = true;
};

}  // namespace

const std::string& standing_name(const StandingReservations::value_type& entry) {
  return entry.second.name.empty() ? entry.first : entry.second.name;
}

bool waived(const Cluster& cluster, const std::string& name, Time period) {
  return cluster.waivers.contains({name, period});
}

void StandingPlanner::forget() {
  memos_.clear();
  ordered_ = false;
}

const std::vector<std::string>& StandingPlanner::order(const Settings& settings) {
  if (ordered_) return order_;
  ordered_ = true;
  order_.clear();
  for (const auto& [index, standing] : settings.standing_reservations) order_.push_back(index);
  std::stable_sort(order_.begin(), order_.end(), [&](const auto& a, const auto& b) {
    return settings.standing_reservations.at(a).priority >
           settings.standing_reservations.at(b).priority;
  });
  return order_;
}

std::vector<Decision> StandingPlanner::obsolete(const Cluster& cluster, const Settings& settings) {
  indexed_ = false;
  std::vector<Decision> drops;
  if (ordered_) return drops;  // nothing has changed since the last call
  std::set<std::string> names;
  for (const auto& entry : settings.standing_reservations) names.insert(standing_name(entry));
  for (const auto id : cluster.reservations()) {
    const Reservation& r = cluster.reservation(id);
    if (r.kind == ReservationKind::standing && !names.contains(r.standing))
      drops.emplace_back(DropReservation{id});
  }
  return drops;
}

std::vector<ReservationId> StandingPlanner::existing(const Cluster& cluster,
                                                     const std::string& name) {
  if (!indexed_) {
    existing_.clear();
    for (const auto id : cluster.reservations())
      if (const Reservation& r = cluster.reservation(id); r.kind == ReservationKind::standing)
        existing_[r.standing].push_back(id);
    indexed_ = true;
  }
  return existing_[name];
}

bool StandingPlanner::settled(const Memo& memo, const Cluster& cluster, Time now) {
  return memo.node_changes == cluster.node_changes() &&
         memo.waivers == cluster.waivers.all().size() &&
         (!memo.short_of || memo.room_seen == cluster.room_count()) && memo.settled_from <= now &&
         now < memo.settled_until;
}

void StandingPlanner::look_anew(Memo& memo, const Cluster& cluster,
                                const StandingReservationSettings& standing) {
  if (memo.node_changes != cluster.node_changes()) {
    memo.site = standing_site(cluster, standing);
    memo.looked.clear();
  }
  memo.node_changes = cluster.node_changes();
  memo.waivers = cluster.waivers.all().size();
  memo.room_seen = cluster.room_count();
  memo.short_of = false;
}

std::vector<Decision> StandingPlanner::refresh(const Cluster& cluster, const Settings& settings,
                                               const std::string& index, Time now) {
  const auto entry = settings.standing_reservations.find(index);
  const StandingReservationSettings& standing = entry->second;
  Memo& memo = memos_[index];
  if (settled(memo, cluster, now)) return {};
  look_anew(memo, cluster, standing);
  if (now < memo.settled_from) memo.looked.clear();  // what is due may have been in the way
  memo.settled_from = now;
  memo.settled_until = never_settles(standing) ? Time(0) : next_midnight(settings.zone, now);
  const std::string& name = standing_name(*entry);
  auto before = existing(cluster, name);
  const auto looked = std::exchange(memo.looked, {});
  Batch batch(cluster);
  ReservationFit fit(cluster, settings, standing, memo.site, now);
  for (const Occurrence& when : occurrences(standing, settings.zone, now)) {
    if (waived(cluster, name, when.period)) continue;
    const auto at = std::find_if(before.begin(), before.end(), [&](ReservationId id) {
      return cluster.reservation(id).period == when.period;
    });
    const Reservation* kept = at == before.end() ? nullptr : &cluster.reservation(*at);
    if (when.end <= now && (!kept || kept->end <= now)) continue;
    Reservation wanted = wanted_in(cluster, standing, name, when, kept, now);
    wanted.tasks_wanted = memo.site.total();
    const auto seen = looked.find(when.period);
    fit.look_since(seen == looked.end() ? 0 : seen->second);
    wanted = fit.fitted(wanted, kept, leeway_of(wanted, standing.period, settings.zone));
    memo.settled_until = std::min(memo.settled_until, wanted.end);
    const bool lacks = task_count(wanted.nodes) < wanted.tasks_wanted;
    memo.short_of = memo.short_of || lacks;
    if (lacks && (kept || wanted.nodes.empty())) memo.looked[when.period] = cluster.room_count();
    if (wanted.nodes.empty()) continue;
    if (!kept) {
      batch.make(std::move(wanted));
    } else {
      if (!same(*kept, wanted)) batch.change(*at, std::move(wanted));
      before.erase(at);
    }
  }
  for (const auto id : before) batch.drop(id);
  auto [decisions, complete] = std::move(batch).ordered();
  if (!complete) memo.settled_until = now;
  if (!decisions.empty()) indexed_ = false;
  return std::move(decisions);
}

Time next_standing_roll(const Settings& settings, Time now) {
  const auto& all = settings.standing_reservations;
  const bool rolls = std::any_of(all.begin(), all.end(), [](const auto& entry) {
    return entry.second.period != StandingPeriod::infinity;
  });
  return rolls ? next_midnight(settings.zone, now) : kForever;
}

}  // namespace maui
