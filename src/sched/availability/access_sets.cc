#include "sched/availability/access_sets.h"

#include <algorithm>

#include "maui/hash.h"

namespace maui {
namespace {

/// True if the reservation admits only the users that its access list names.
bool names_users_only(const Reservation& reservation) {
  const auto& criteria = reservation.access.criteria;
  return !criteria.empty() && !has(reservation.flags, ReservationFlag::preemptee) &&
         std::all_of(criteria.begin(), criteria.end(), [](const AccessCriterion& criterion) {
           return criterion.kind == AccessKind::user &&
                  criterion.value != AccessCriterion::kAnybody && !criterion.negated;
         });
}

}  // namespace

AccessSets::AccessSets(const Cluster& cluster, const Settings& settings)
    : AccessSets(cluster, JobFlags(cluster, settings)) {}

AccessSets::AccessSets(const Cluster& cluster, JobFlags flags)
    : cluster_(cluster), flags_(std::move(flags)), sets_(1) {
  for (const auto id : cluster.reservations()) {
    const auto& reservation = cluster.reservation(id);
    const bool gives_way = has(reservation.flags, ReservationFlag::preemptee);
    if (reservation.kind == ReservationKind::job || (reservation.access.empty() && !gives_way))
      continue;
    if (names_users_only(reservation)) {
      for (const AccessCriterion& criterion : reservation.access.criteria) {
        auto& own = of_users_[criterion.value];
        if (own.empty() || own.back() != id) own.push_back(id);
      }
      continue;
    }
    guarded_.push_back(id);
    asks_flags_ = asks_flags_ || gives_way;
    for (const AccessCriterion& criterion : reservation.access.criteria) {
      asks_flags_ = asks_flags_ || criterion.kind == AccessKind::job_attribute;
      asks_size_ =
          asks_size_ || criterion.kind == AccessKind::procs || criterion.kind == AccessKind::tasks;
      asks_time_ = asks_time_ || criterion.kind == AccessKind::time;
    }
  }
}

AccessSets::Key AccessSets::key_of(const Job& job, const Request& request, Seconds duration) {
  Key key;
  key.who = job.credentials;
  if (asks_flags_ || asks_time_) key.flags = flags_.of(job);
  if (asks_size_) key.procs = request.total_procs();
  if (asks_size_) key.tasks = request.total_tasks();
  if (asks_time_) key.duration = duration;
  key.confined = flags_.confined(job);
  if (!key.confined) return key;
  const auto name = flags_.required_reservation(job);
  const auto at = std::find(requested_.begin(), requested_.end(), name);
  key.requested = static_cast<std::uint32_t>(at - requested_.begin());
  if (at == requested_.end()) requested_.emplace_back(name);
  return key;
}

std::size_t AccessSets::KeyHash::operator()(const Key& key) const {
  std::uint64_t hash = mix(0, key.requested);
  hash = mix(hash, std::uint64_t{key.who.user.raw()} << 32 | key.who.group.raw());
  hash = mix(hash, std::uint64_t{key.who.account.raw()} << 32 | key.who.job_class.raw());
  hash = mix(hash, std::uint64_t{key.who.qos.raw()} << 32 | key.flags);
  hash = mix(hash,
             static_cast<std::uint64_t>(key.procs) << 32 | static_cast<std::uint32_t>(key.tasks));
  hash = mix(hash, static_cast<std::uint64_t>(key.duration.raw()) << 1 | (key.confined ? 1U : 0U));
  return hash;
}

AccessSet AccessSets::of(const Job& job, const Request& request, Seconds duration) {
  if (!any() && !flags_.confined(job)) return 0;
  const Key key = key_of(job, request, duration);
  any_confined_ = any_confined_ || key.confined;
  if (key == last_key_) return last_;
  const auto known = known_.find(key);
  last_key_ = key;
  if (known != known_.end()) return last_ = known->second;
  Set set;
  set.confined = key.confined;
  for (const auto id : guarded_) admit(set, id, key, job, duration);
  if (const auto own = of_users_.find(key.who.user.raw()); own != of_users_.end())
    for (const auto id : own->second) admit(set, id, key, job, duration);
  last_ = intern(std::move(set));
  known_.emplace(key, last_);
  return last_;
}

void AccessSets::admit(Set& set, ReservationId id, const Key& key, const Job& job,
                       Seconds duration) const {
  const auto& reservation = cluster_.reservation(id);
  const auto& requested = requested_[key.requested];
  if (!requested.empty() && !goes_by(reservation, requested)) return;
  const auto terms = admission(reservation, {key.who, key.flags, key.procs, key.tasks, requested});
  if (!terms.admitted) return;
  const bool exempt =
      reservation.kind == ReservationKind::standing && flags_.has(job, JobFlag::ignore_time_limit);
  const bool limited = terms.overlap < duration && !exempt;
  set.terms.push_back({id, limited ? terms.overlap : kUnlimited, terms.affinity});
}

AccessSet AccessSets::open_to(const Job& job, const Request& request,
                              std::span<const CredentialKind> any) {
  if (any.empty()) return of(job, request);
  Set set;
  const auto consider = [&](ReservationId id) {
    Job guest = job;
    for (const AccessCriterion& criterion : cluster_.reservation(id).access.criteria) {
      const auto kind = credential_kind(criterion.kind);
      if (!kind || criterion.negated || std::find(any.begin(), any.end(), *kind) == any.end())
        continue;
      const bool anybody = criterion.value == AccessCriterion::kAnybody;
      set_number(guest.credentials, *kind,
                 anybody ? 0 : static_cast<std::uint32_t>(criterion.value));
    }
    admit(set, id, key_of(guest, request, request.limit), guest, request.limit);
  };
  for (const auto id : guarded_) consider(id);
  if (const auto own = of_users_.find(job.credentials.user.raw()); own != of_users_.end())
    for (const auto id : own->second) consider(id);
  return intern(std::move(set));
}

AccessSet AccessSets::all() {
  Set every;
  for (const auto id : cluster_.reservations())
    if (cluster_.reservation(id).kind != ReservationKind::job) every.terms.push_back({id});
  return intern(std::move(every));
}

AccessSet AccessSets::when(AccessSet set, Time start, Seconds duration) {
  if (!sets_[set].limited) return set;
  if (resolved_.set == set && resolved_.start == start && resolved_.duration == duration)
    return resolved_.answer;
  Set then = sets_[set];
  std::erase_if(then.terms, [&](const AccessTerms& terms) {
    const auto& r = cluster_.reservation(terms.reservation);
    return std::min(start + duration, r.end) - std::max(start, r.start) > terms.overlap;
  });
  for (AccessTerms& terms : then.terms) terms.overlap = kUnlimited;
  resolved_ = {set, start, duration, intern(std::move(then))};
  return resolved_.answer;
}

const AccessTerms* AccessSets::terms(AccessSet set, ReservationId reservation) const {
  const auto& admitted = sets_[set].terms;
  const auto at = std::lower_bound(
      admitted.begin(), admitted.end(), reservation,
      [](const AccessTerms& terms, ReservationId id) { return terms.reservation < id; });
  return at == admitted.end() || at->reservation != reservation ? nullptr : &*at;
}

AccessSet AccessSets::intern(Set set) {
  set.limited = std::any_of(set.terms.begin(), set.terms.end(),
                            [](const AccessTerms& terms) { return terms.overlap < kUnlimited; });
  std::sort(set.terms.begin(), set.terms.end(), [](const AccessTerms& a, const AccessTerms& b) {
    return a.reservation < b.reservation;
  });
  const auto at = std::find(sets_.begin(), sets_.end(), set);
  if (at != sets_.end()) return static_cast<AccessSet>(at - sets_.begin());
  sets_.push_back(std::move(set));
  return static_cast<AccessSet>(sets_.size() - 1);
}

}  // namespace maui
