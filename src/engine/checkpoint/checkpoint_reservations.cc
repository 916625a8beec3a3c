// Administrative and standing reservations, and future triggers, in a checkpoint.
#include <algorithm>

#include "engine/checkpoint/checkpoint_parts.h"
#include "model/access_names.h"
#include "model/credentials.h"

namespace maui {

void to_json(nlohmann::json& out, const NamedShare& share) {
  out = {{"node", share.node}, {"tasks", share.tasks}, {"requirement", share.requirement}};
}
void from_json(const nlohmann::json& in, NamedShare& share) {
  in.at("node").get_to(share.node);
  share.tasks = in.at("tasks").get<int>();
  if (share.tasks < 0) checkpointing::refuse("a negative number of tasks");
  in.at("requirement").get_to(share.requirement);
}

void from_json(const nlohmann::json& in, TriggerEvent& event) {
  event = checkpointing::enumerator(in, TriggerEvent::min_load);
}
void from_json(const nlohmann::json& in, TriggerAction& action) {
  action = checkpointing::enumerator(in, TriggerAction::submit);
}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Trigger, event, offset, threshold, action, data)
// Earlier releases kept only minload triggers here, without a time.
void to_json(nlohmann::json& out, const Triggers::GoneOff& done) {
  out = done.trigger;
  if (done.when < kForever) out["when"] = done.when;
}
void from_json(const nlohmann::json& in, Triggers::GoneOff& done) {
  in.get_to(done.trigger);
  done.when = kForever;
  if (in.contains("when")) in.at("when").get_to(done.when);
}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Triggers::Life, made, done)

std::string terms_text(const Cluster& names, const StandingReservationSettings& settings) {
  using checkpointing::Json;
  const auto seconds = [](const std::optional<Seconds>& time) {
    return time ? time->raw() : std::int64_t{-1};
  };
  Json access = Json::array();
  for (const AccessWord& word : settings.access)
    access.push_back({kind_word(word.kind), word.name, word.value, static_cast<int>(word.compare),
                      static_cast<int>(word.affinity), word.negated, word.required});
  const Json terms{settings.hosts,
                   settings.tasks,
                   checkpointing::json_of(names, settings.per_task),
                   settings.tasks_per_node,
                   settings.features,
                   settings.partition,
                   settings.shared,
                   static_cast<int>(settings.period),
                   settings.days,
                   settings.depth,
                   seconds(settings.start),
                   seconds(settings.end),
                   seconds(settings.week_start),
                   seconds(settings.week_end),
                   settings.priority,
                   settings.flags,
                   access,
                   settings.time_and,
                   settings.owner,
                   settings.charge_account,
                   settings.triggers};
  return json_text(terms);
}

}  // namespace maui

namespace maui::checkpointing {
namespace {

// A list may have thousands of names: what a criterion has unless somebody says otherwise is left
// out.  Earlier releases wrote all of it.
Json criterion_json(const Cluster& cluster, const AccessCriterion& criterion) {
  Json out{{"kind", kind_word(criterion.kind)}};
  const AccessCriterion usual;
  if (criterion.compare != usual.compare) out["compare"] = static_cast<int>(criterion.compare);
  if (criterion.affinity != usual.affinity) out["affinity"] = static_cast<int>(criterion.affinity);
  if (criterion.negated) out["negated"] = true;
  if (criterion.required) out["required"] = true;
  if (credential_kind(criterion.kind))
    out["name"] = credential_name(cluster, criterion);
  else
    out["value"] = criterion.value;
  // A credential may be named ALL.
  if (out.value("name", "") == "ALL") out["anybody"] = criterion.value == AccessCriterion::kAnybody;
  return out;
}

AccessCriterion criterion_of(const Json& in, ClusterNames& names) {
  AccessCriterion criterion;
  const auto word = in.at("kind").get<std::string>();
  const auto kind = kind_of_word(word);
  if (!kind) refuse(fmt::format("unknown kind of access '{}'", word));
  criterion.kind = *kind;
  if (in.contains("compare")) criterion.compare = enumerator(in["compare"], Comparison::more);
  if (in.contains("affinity")) criterion.affinity = enumerator(in["affinity"], Affinity::negative);
  criterion.negated = in.value("negated", false);
  criterion.required = in.value("required", false);
  if (const auto credential = credential_kind(criterion.kind)) {
    const auto name = in.at("name").get<std::string>();
    const bool anybody = in.value("anybody", name == "ALL");
    criterion.value = anybody ? AccessCriterion::kAnybody : intern(names, *credential, name);
  } else {
    criterion.value = in.at("value").get<std::int64_t>();
  }
  return criterion;
}

}  // namespace

Json json_of(const Cluster& cluster, const CheckpointedReservation& saved) {
  const Reservation& r = saved.terms;
  Json access = Json::array();
  for (const auto& criterion : r.access.criteria)
    access.push_back(criterion_json(cluster, criterion));
  Json features = Json::array();
  for (const FeatureId feature : r.features) features.push_back(cluster.features[feature]);
  Json out{{"name", r.name},
           {"partition", r.partition.valid() ? cluster.partitions[r.partition] : ""},
           {"features", features},
           {"access", access},
           {"start", r.start},
           {"end", r.end},
           {"per_task", json_of(cluster, r.per_task)},
           {"flags", r.flags},
           {"owner", r.owner},
           {"charge_account", r.charge_account},
           {"host_expression", r.host_expression},
           {"standing", r.standing},
           {"period", r.period},
           {"tasks_wanted", r.tasks_wanted},
           {"nodes", saved.shares},
           {"life", saved.life}};
  if (!r.made_by.empty()) out["made_by"] = r.made_by;
  if (saved.use != ReservationUses::Use{})
    out["use"] = {{"active", saved.use.active_proc_seconds}, {"kept", saved.use.kept_proc_seconds}};
  return out;
}

/// Earlier releases did not keep the use.
ReservationUses::Use reservation_use_of(const Json& in) {
  if (!in.contains("use")) return {};
  const auto amount = [&use = in["use"]](const char* name) {
    constexpr double kMostKept = 1e18;  // processor seconds
    const auto seconds = use.at(name).get<double>();
    if (!(seconds >= 0 && seconds <= kMostKept)) refuse("an impossible use of a reservation");
    return seconds;
  };
  return {amount("active"), amount("kept")};
}

CheckpointedReservation reservation_of(const Json& in, ClusterNames& names) {
  CheckpointedReservation saved;
  Reservation& r = saved.terms;
  in.at("name").get_to(r.name);
  for (const auto& criterion : in.at("access"))
    r.access.criteria.push_back(criterion_of(criterion, names));
  in.at("start").get_to(r.start);
  in.at("end").get_to(r.end);
  r.per_task = resources_of(in.at("per_task"), names);
  in.at("flags").get_to(r.flags);
  in.at("owner").get_to(r.owner);
  r.made_by = in.value("made_by", "");
  in.at("charge_account").get_to(r.charge_account);
  in.at("host_expression").get_to(r.host_expression);
  in.at("standing").get_to(r.standing);
  in.at("period").get_to(r.period);
  in.at("tasks_wanted").get_to(r.tasks_wanted);
  in.at("nodes").get_to(saved.shares);
  in.at("life").get_to(saved.life);
  saved.use = reservation_use_of(in);
  if (const auto partition = in.at("partition").get<std::string>(); !partition.empty())
    r.partition = names.partitions.intern(partition);
  for (const auto& feature : in.at("features"))
    r.features.push_back(names.features.intern(feature.get<std::string>()));
  std::sort(r.features.begin(), r.features.end());
  r.kind = r.standing.empty() ? ReservationKind::administrative : ReservationKind::standing;
  return saved;
}

Json json_of(const Cluster& cluster, const Triggers::Later& later) {
  return {
      {"when", later.when},
      {"trigger", later.due.trigger},
      {"reservation", json_of(cluster, CheckpointedReservation{later.due.reservation, {}, {}})}};
}

Triggers::Later later_of(const Json& in, ClusterNames& names) {
  Triggers::Later later;
  in.at("when").get_to(later.when);
  in.at("trigger").get_to(later.due.trigger);
  later.due.reservation = reservation_of(in.at("reservation"), names).terms;
  return later;
}

}  // namespace maui::checkpointing
