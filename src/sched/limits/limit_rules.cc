#include "sched/limits/limit_rules.h"

#include <algorithm>
#include <string_view>

#include "base/limit_flag.h"
#include "maui/hash.h"
#include "model/credentials.h"
#include "model/placement.h"

namespace maui {
namespace {

constexpr Exemptions::Kinds bit(LimitKind kind) {
  return static_cast<Exemptions::Kinds>(1U << index_of(kind));
}
constexpr Exemptions::Kinds kEvery = (1U << kLimitKinds) - 1;

/// The order in which limits are evaluated and named.
constexpr std::array<CredentialKind, kCredentialKinds.size()> kOrder{
    CredentialKind::user, CredentialKind::group, CredentialKind::account, CredentialKind::job_class,
    CredentialKind::qos};

bool limits_anything(const CredentialLimits& limits) {
  const auto some = [](const LimitSet& set) {
    return std::any_of(set.begin(), set.end(), [](const auto& limit) { return limit.has_value(); });
  };
  return some(limits.active) || some(limits.idle) || !limits.cross.empty();
}

bool is_limit(const Limit& limit) { return limit.soft > 0 || limit.hard > 0; }

/// Returns the limit of the first entry that sets it.
template <class Entries>
std::optional<Limit> first_set(const Entries& entries, LimitSet CredentialLimits::*set,
                               LimitKind kind) {
  for (const auto* entry : entries)
    if (entry && (entry->limits.*set)[index_of(kind)]) return (entry->limits.*set)[index_of(kind)];
  return std::nullopt;
}

/// Returns the limit that OMAX* or OMAXI* of the QOS puts in place of others.
template <class Entries>
std::optional<Limit> override_of(const Entries& qos, bool idle, LimitKind kind) {
  return first_set(
      qos, idle ? &CredentialLimits::override_idle : &CredentialLimits::override_active, kind);
}

/// Calls see(kind, limit, idle) for every configured limit.
template <class See>
void each_limit(const Settings& settings, See see) {
  const auto in_set = [&](const LimitSet& set, bool idle) {
    for (std::size_t i = 0; i < kLimitKinds; ++i)
      if (set[i]) see(static_cast<LimitKind>(i), *set[i], idle);
  };
  const auto in_limits = [&](const CredentialLimits& limits) {
    in_set(limits.active, false);
    in_set(limits.override_active, false);
    in_set(limits.idle, true);
    in_set(limits.override_idle, true);
    for (const auto& cross : limits.cross) see(cross.kind, cross.limit, cross.idle);
  };
  in_limits(settings.system.limits);
  for (const auto& entry : settings.partitions) in_limits(entry.second);
  for (const auto* table :
       {&settings.users, &settings.groups, &settings.accounts, &settings.classes, &settings.qos})
    for (const auto& entry : *table) in_limits(entry.second.limits);
  for (const auto kind : kCredentialKinds)
    for (std::size_t i = 0; i < kLimitKinds; ++i) {
      see(static_cast<LimitKind>(i), settings.throttling.each_active[kind][i], false);
      see(static_cast<LimitKind>(i), settings.throttling.each_idle[kind][i], true);
    }
}

void add_rule(LimitRules::Scope& scope, bool idle, std::size_t subject, LimitKind kind,
              const Limit& limit) {
  if (is_limit(limit)) (idle ? scope.idle : scope.active).push_back({subject, kind, limit});
}

void add_rules(LimitRules::Scope& scope, std::size_t subject, const CredentialLimits& limits) {
  for (std::size_t i = 0; i < kLimitKinds; ++i) {
    add_rule(scope, false, subject, static_cast<LimitKind>(i), limits.active[i].value_or(Limit{}));
    add_rule(scope, true, subject, static_cast<LimitKind>(i), limits.idle[i].value_or(Limit{}));
  }
}

void lift(Exemptions& exempt, CredentialKind whose, Exemptions::Kinds active,
          Exemptions::Kinds idle) {
  exempt.active[whose] |= active;
  exempt.idle[whose] |= idle;
}

void lift_limits(Exemptions& exempt, std::string_view word) {
  const auto* flag = find_limit_flag(word);
  const bool all = word == "IGNALL";
  for (const auto kind : kCredentialKinds) {
    const bool of_kind = ((all || word == "IGNUSER") && kind == CredentialKind::user) ||
                         ((all || word == "IGNGROUP") && kind == CredentialKind::group) ||
                         ((all || word == "IGNACCOUNT") && kind == CredentialKind::account);
    if (of_kind) lift(exempt, kind, kEvery, kEvery);
    if (flag != nullptr && flag->whose.value_or(kind) == kind)
      lift(exempt, kind, flag->idle ? 0 : bit(flag->kind), flag->idle ? bit(flag->kind) : 0);
  }
}

}  // namespace

Exemptions& Exemptions::operator|=(const Exemptions& other) {
  for (const auto kind : kCredentialKinds) lift(*this, kind, other.active[kind], other.idle[kind]);
  system |= other.system;
  job_procs |= other.job_procs;
  job_time |= other.job_time;
  job_ps |= other.job_ps;
  return *this;
}

Exemptions exemptions_of(const std::vector<std::string>& flags) {
  Exemptions exempt;
  for (const auto& word : flags) {
    lift_limits(exempt, word);
    const bool system = word == "IGNSYSTEM";
    exempt.system |= system;
    exempt.job_procs |= system || word == "IGNSYSMAXPROC";
    exempt.job_time |= system || word == "IGNSYSMAXTIME";
    exempt.job_ps |= system || word == "IGNSYSMAXPS";
  }
  return exempt;
}

bool LimitRules::any(const Cluster& cluster, const Settings& settings) {
  const auto& throttling = settings.throttling;
  const auto something = [](const Limit& limit) { return is_limit(limit); };
  const auto of_kind = [&](CredentialKind kind) {
    const auto& table = table_of(settings, kind);
    const auto& active = throttling.each_active[kind];
    const auto& idle = throttling.each_idle[kind];
    return std::any_of(table.begin(), table.end(),
                       [](const auto& entry) { return limits_anything(entry.second.limits); }) ||
           std::any_of(active.begin(), active.end(), something) ||
           std::any_of(idle.begin(), idle.end(), something);
  };
  return limits_anything(settings.system.limits) ||
         std::any_of(kCredentialKinds.begin(), kCredentialKinds.end(), of_kind) ||
         !by_number(cluster, settings.partitions).empty();
}

LimitRules::LimitRules(const Cluster& cluster, const Settings& settings)
    : cluster_(cluster),
      settings_(settings),
      any_(any(cluster, settings)),
      of_system_(exemptions_of(settings.system.flags)),
      of_partitions_(by_number(cluster, settings.partitions)) {
  for (const auto kind : kCredentialKinds) {
    const CredentialTable& table = table_of(settings, kind);
    const auto fallback = table.find("DEFAULT");
    fallback_[kind] = fallback == table.end() ? nullptr : &fallback->second;
  }
  if (!any_) return;
  each_limit(settings, [this](LimitKind kind, const Limit& limit, bool idle) {
    if (!is_limit(limit)) return;
    if (auto& kinds = matter_.idle_kinds; idle && std::count(kinds.begin(), kinds.end(), kind) == 0)
      kinds.push_back(kind);
    matter_.soft = matter_.soft || (!idle && limit.soft != limit.hard);
    matter_.equivalents = matter_.equivalents || kind == LimitKind::pe;
    matter_.nodes = matter_.nodes || kind == LimitKind::node;
    matter_.time = matter_.time || kind == LimitKind::ps || kind == LimitKind::wc;
  });
}

std::vector<const CredentialLimits*> LimitRules::by_number(const Cluster& cluster,
                                                           const PartitionLimits& partitions) {
  std::vector<const CredentialLimits*> found;
  for (const auto& [name, limits] : partitions) {
    const auto partition = cluster.partitions.find(name);
    if (!partition.valid() || !limits_anything(limits)) continue;
    if (found.size() <= partition.index()) found.resize(partition.index() + 1);
    found[partition.index()] = &limits;
  }
  return found;
}

LimitRules::Entries LimitRules::entries(CredentialKind kind, std::uint32_t number) const {
  const CredentialTable& table = table_of(settings_, kind);
  if (table.empty() || number == kNoCredential) return {nullptr, fallback_[kind]};
  const auto own = table.find(credential_name(cluster_, kind, number));
  const CredentialSettings* mine = own == table.end() ? nullptr : &own->second;
  return {mine, fallback_[kind] == mine ? nullptr : fallback_[kind]};
}

const LimitRules::Share& LimitRules::share_of(CredentialKind kind, std::uint32_t number) {
  auto& shares = shares_[kind];
  if (number >= shares.size()) shares.resize(names_of(cluster_, kind).size());
  auto& share = shares[number];
  if (!share) share = make_share(kind, number);
  return *share;
}

LimitRules::Share LimitRules::make_share(CredentialKind kind, std::uint32_t number) const {
  Share share;
  share.entries = entries(kind, number);
  const auto [own, fallback] = share.entries;
  const CredentialSettings* first = own != nullptr ? own : fallback;
  if (first != nullptr) share.exempt = exemptions_of(first->flags);
  const auto& throttling = settings_.throttling;
  for (std::size_t i = 0; i < kLimitKinds; ++i) {
    const auto which = static_cast<LimitKind>(i);
    const auto add = [&](auto& limits, LimitSet CredentialLimits::*set, const Limit& each) {
      const auto limit = first_set(share.entries, set, which).value_or(each);
      if (is_limit(limit)) limits.emplace_back(which, limit);
    };
    add(share.active, &CredentialLimits::active, throttling.each_active[kind][i]);
    add(share.idle, &CredentialLimits::idle, throttling.each_idle[kind][i]);
  }
  return share;
}

std::size_t LimitRules::subject_number(const LimitSubject& subject) {
  if (subject.of && !subject.within && !subject.partition.valid())
    return subject_number(*subject.of, subject.number);
  const auto [found, is_new] = subject_numbers_.try_emplace(subject, subjects_.size());
  if (is_new) subjects_.push_back(subject);
  return found->second;
}

std::size_t LimitRules::subject_number(CredentialKind kind, std::uint32_t number) {
  constexpr auto kUnknown = ~std::size_t{0};
  auto& known = credential_subjects_[kind];
  if (number >= known.size()) known.resize(names_of(cluster_, kind).size(), kUnknown);
  if (known[number] == kUnknown) {
    known[number] = subjects_.size();
    subjects_.push_back({kind, number, std::nullopt, kNoCredential, {}});
  }
  return known[number];
}

void LimitRules::add_own(Scope& scope, CredentialKind kind, std::uint32_t number,
                         const Entries& qos) {
  const auto& share = share_of(kind, number);
  const auto subject = subject_number(kind, number);
  scope.subjects.push_back(subject);
  for (const bool idle : {false, true}) {
    const auto exempt = (idle ? scope.exempt.idle : scope.exempt.active)[kind];
    for (const auto& [which, limit] : idle ? share.idle : share.active) {
      if ((exempt & bit(which)) != 0) continue;
      const auto instead =
          kind == CredentialKind::qos ? std::nullopt : override_of(qos, idle, which);
      add_rule(scope, idle, subject, which, instead.value_or(limit));
    }
  }
}

void LimitRules::add_own_pairs(Scope& scope, const Credentials& who, CredentialKind kind,
                               std::uint32_t number, const Entries& qos) {
  std::vector<const CredentialLimits*> from;
  for (const auto* entry : share_of(kind, number).entries)
    if (entry && !entry->limits.cross.empty()) from.push_back(&entry->limits);
  if (from.empty()) return;
  LimitSubject within;
  within.within = kind;
  within.within_number = number;
  add_pairs(scope, who, within, from, qos);
}

void LimitRules::add_pair(Scope& scope, const LimitSubject& pair, const CrossLimit& cross,
                          const Entries& qos) {
  const auto subject = subject_number(pair);
  if (std::find(scope.subjects.begin(), scope.subjects.end(), subject) == scope.subjects.end())
    scope.subjects.push_back(subject);
  const auto& exempt = cross.idle ? scope.exempt.idle : scope.exempt.active;
  const auto lifted = [&](CredentialKind of) { return (exempt[of] & bit(cross.kind)) != 0; };
  if (lifted(cross.of) || (pair.within && lifted(*pair.within))) return;
  const auto instead = override_of(qos, cross.idle, cross.kind);
  // Neither the limits of a QOS nor those of the system or of a partition are replaced.
  const bool replaced =
      instead && pair.within && pair.within != CredentialKind::qos && is_limit(cross.limit);
  add_rule(scope, cross.idle, subject, cross.kind, replaced ? *instead : cross.limit);
}

void LimitRules::add_pairs(Scope& scope, const Credentials& who, const LimitSubject& within,
                           const std::vector<const CredentialLimits*>& from, const Entries& qos) {
  std::vector<const CrossLimit*> done;
  const auto known = [&](const CrossLimit& cross) {
    return std::any_of(done.begin(), done.end(), [&](const CrossLimit* other) {
      return other->kind == cross.kind && other->idle == cross.idle && other->of == cross.of;
    });
  };
  for (const auto* limits : from)
    for (const bool named : {true, false})
      for (const auto& cross : limits->cross) {
        const auto other = maui::number_of(who, cross.of);
        if (cross.name.empty() == named || other == kNoCredential || known(cross)) continue;
        if (named && credential_name(cluster_, cross.of, other) != cross.name) continue;
        done.push_back(&cross);
        LimitSubject pair = within;
        pair.of = cross.of;
        pair.number = other;
        add_pair(scope, pair, cross, qos);
      }
}

void LimitRules::add_system(Scope& scope, const Credentials& who, const Entries& qos) {
  const auto all = subject_number({});
  scope.subjects.push_back(all);
  if (scope.exempt.system) return;
  add_rules(scope, all, settings_.system.limits);
  add_pairs(scope, who, {}, {&settings_.system.limits}, qos);
}

void LimitRules::add_partition(Scope& scope, const Credentials& who, PartitionId partition,
                               const Entries& qos) {
  LimitSubject here;
  here.partition = partition;
  const auto all = subject_number(here);
  scope.subjects.push_back(all);
  if (scope.exempt.system) return;
  const auto& limits = *of_partitions_[partition.index()];
  add_rules(scope, all, limits);
  add_pairs(scope, who, here, {&limits}, qos);
}

LimitRules::Scope LimitRules::make(const Credentials& who, PartitionId partition) {
  Scope scope;
  scope.exempt = of_system_;
  const auto each = [&](const auto& visit) {
    for (const auto kind : kOrder)
      if (const auto number = maui::number_of(who, kind); number != kNoCredential)
        visit(kind, number);
  };
  std::size_t active = 0, idle = 0;
  each([&](CredentialKind kind, std::uint32_t number) {
    const auto& share = share_of(kind, number);
    scope.exempt |= share.exempt;
    active += share.active.size();
    idle += share.idle.size();
  });
  if (!any_) return scope;
  scope.subjects.reserve(kCredentialKinds.size() + 1);
  scope.active.reserve(active);
  scope.idle.reserve(idle);
  const auto qos = entries(CredentialKind::qos, maui::number_of(who, CredentialKind::qos));
  each([&](CredentialKind kind, std::uint32_t number) { add_own(scope, kind, number, qos); });
  each([&](CredentialKind kind, std::uint32_t number) {
    add_own_pairs(scope, who, kind, number, qos);
  });
  if (partition.valid()) add_partition(scope, who, partition, qos);
  add_system(scope, who, qos);
  return scope;
}

void LimitRules::note_lowest(const Scope& scope) {
  if (lowest_limits_.size() < subjects_.size()) lowest_limits_.resize(subjects_.size());
  const auto lower = [](auto& lowest, auto limit) {
    if (limit > 0 && (lowest == 0 || limit < lowest)) lowest = limit;
  };
  for (const auto& rule : scope.active) {
    Limit& lowest = lowest_limits_[rule.subject][index_of(rule.kind)];
    lower(lowest.soft, rule.limit.soft);
    lower(lowest.hard, rule.limit.hard);
  }
}

PartitionId LimitRules::partition_of(const Job& job, const Placement* placement) const {
  if (!placement && (job.active() || job.suspended())) placement = &job.placement;
  PartitionId found;
  if (!placement) {
    if (!job.request.valid()) return {};  // a job that exists only for a query
    const auto& allowed = cluster_.request(job.request).partitions;
    if (allowed.size() == 1) found = allowed.front();
  } else if (!placement->empty()) {
    if (!in_one_partition(cluster_, *placement)) return {};
    found = maui::partition_of(cluster_, *placement);
  }
  return limits(found) ? found : PartitionId();
}

std::size_t LimitRules::number_of(const Job& job, const Placement* placement) {
  return number_in(job.credentials,
                   of_partitions_.empty() ? PartitionId() : partition_of(job, placement));
}

std::size_t LimitRules::number_in(const Credentials& who, PartitionId partition) {
  if (!limits(partition)) partition = {};
  const auto [found, is_new] = scope_numbers_.try_emplace({who, partition}, scopes_.size());
  if (is_new) {
    scopes_.push_back(std::make_unique<Scope>(make(who, partition)));
    note_lowest(*scopes_.back());
  }
  return found->second;
}

std::size_t LimitRules::find_number(CredentialsId who) {
  if (who.index() >= scope_of_credentials_.size())
    scope_of_credentials_.resize(cluster_.credentials_known(), kNoScope);
  return scope_of_credentials_[who.index()] = number_in(cluster_.credentials(who), {});
}

std::size_t LimitRules::Hash::operator()(
    const std::pair<Credentials, PartitionId>& key) const noexcept {
  return mix(Credentials::Hash()(key.first), key.second.raw());
}

}  // namespace maui
