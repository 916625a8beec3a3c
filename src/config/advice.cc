#include "config/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "base/duration.h"
#include "base/text.h"
#include "config/log_facilities.h"

namespace maui::config {
namespace {

bool is_limit(std::string_view name) { return name.starts_with("MAX") || name.starts_with("OMAX"); }

// True for SOFT,HARD with the soft limit above the hard limit; a hard limit of 0 is no limit.
bool soft_above_hard(std::string_view value) {
  const auto parts = split(value, ',');
  if (parts.size() != 2) return false;
  const auto soft = parse_duration(parts[0]), hard = parse_duration(parts[1]);
  return soft && hard && *hard > Seconds(0) && *soft > *hard;
}

void advise_on_limit(const std::string& name, const Words& value, std::vector<std::string>& found) {
  for (const auto& word : value)
    if (soft_above_hard(word))
      found.push_back(fmt::format(
          "{} {}: the soft limit is above the hard limit, which counts for both", name, word));
}

bool any_value(std::string_view /*pair*/) { return true; }

// Returns the objects that set `attribute`: "USERCFG[amy] and 2 others".
std::string users_of(const Values& values, std::string_view parameter, std::string_view attribute,
                     bool (*counts)(std::string_view) = any_value) {
  std::string first;
  int others = 0;
  for (const auto& [key, pairs] : values) {
    if (!key.parameter->attributes) continue;
    if (!parameter.empty() && key.parameter->name != parameter) continue;
    const auto head = fmt::format("{}=", attribute);
    const bool says = std::any_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
      return pair.starts_with(head) && counts(pair);
    });
    if (!says) continue;
    if (first.empty())
      first = full_name(*key.parameter, key.index);
    else
      ++others;
  }
  if (others == 0) return first;
  return fmt::format("{} and {}", first, counted(others, "other"));
}

void advise_on_fairshare(const Values& values, const Settings& settings,
                         std::vector<std::string>& found) {
  if (settings.fairshare.metric != FairshareMetric::none) return;
  if (const auto who = users_of(values, "", "FSTARGET"); !who.empty())
    found.push_back(fmt::format("FSTARGET ({}) has no effect without FSPOLICY", who));
  for (const auto& [key, value] : values) {
    const std::string_view name = key.parameter->name;
    if (name.starts_with("FS") && name.ends_with("WEIGHT") && !is_default(key, value) &&
        value != Words{"0"})
      found.push_back(fmt::format("{} has no effect without FSPOLICY", name));
  }
}

// True if the weight is not 0 in general, or is set for some partition.
bool has_weight(const Settings& settings, Weighting PrioritySettings::*member) {
  const auto& partitions = settings.partition_weights;
  return (settings.priority.*member).weight != 0 ||
         std::any_of(partitions.begin(), partitions.end(), [&](const auto& entry) {
           return std::any_of(entry.second.begin(), entry.second.end(),
                              [&](const PartitionWeight& weight) { return weight.of == member; });
         });
}

// A cap bars jobs whatever the weights are; all other targets only change priorities.
bool is_no_cap(std::string_view pair) { return !pair.ends_with('^'); }

// Priorities and targets of credentials take effect only through the weight of their kind, which is
// 0 by default.
void advise_on_weights(const Values& values, const Settings& settings,
                       std::vector<std::string>& found) {
  using P = PrioritySettings;
  struct Kind {
    const char *object, *weight;
    Weighting P::*member;
    const char* target_weight;
    Weighting P::*target_member;
  };
  constexpr Kind kKinds[] = {
      {"USERCFG", "USERWEIGHT", &P::user, "FSUSERWEIGHT", &P::fs_user},
      {"GROUPCFG", "GROUPWEIGHT", &P::group, "FSGROUPWEIGHT", &P::fs_group},
      {"ACCOUNTCFG", "ACCOUNTWEIGHT", &P::account, "FSACCOUNTWEIGHT", &P::fs_account},
      {"CLASSCFG", "CLASSWEIGHT", &P::job_class, "FSCLASSWEIGHT", &P::fs_class},
      {"QOSCFG", "QOSWEIGHT", &P::qos, "FSQOSWEIGHT", &P::fs_qos}};
  for (const auto& kind : kKinds) {
    if (has_weight(settings, kind.member)) continue;
    if (const auto who = users_of(values, kind.object, "PRIORITY"); !who.empty())
      found.push_back(fmt::format("PRIORITY ({}) has no effect: {} is 0", who, kind.weight));
  }
  if (settings.fairshare.metric == FairshareMetric::none) return;
  for (const auto& kind : kKinds) {
    if (has_weight(settings, kind.target_member)) continue;
    if (const auto who = users_of(values, kind.object, "FSTARGET", is_no_cap); !who.empty())
      found.push_back(fmt::format("FSTARGET ({}) has no effect on priorities: {} is 0", who,
                                  kind.target_weight));
  }
}

// Service targets take effect only through a weight, which is 0 by default.
void advise_on_targets(const Values& values, const Settings& settings,
                       std::vector<std::string>& found) {
  using P = PrioritySettings;
  struct Target {
    const char *attribute, *weight;
    Weighting P::*member;
  };
  constexpr Target kTargets[] = {{"QTTARGET", "TARGETQUEUETIMEWEIGHT", &P::target_queue_time},
                                 {"XFTARGET", "TARGETXFACTORWEIGHT", &P::target_xfactor}};
  for (const auto& target : kTargets) {
    if (has_weight(settings, target.member)) continue;
    if (const auto who = users_of(values, "", target.attribute); !who.empty())
      found.push_back(fmt::format("{} ({}) has no effect on priorities: {} is 0", target.attribute,
                                  who, target.weight));
  }
}

bool is_declared(const Settings& settings, std::string_view qos) {
  if (qos.empty() || qos == "DEFAULT" || names_all(qos) || settings.qos.contains(qos)) return true;
  return std::any_of(settings.qos_names.begin(), settings.qos_names.end(),
                     [qos](const auto& entry) { return entry.second == qos; });
}

// Warns of names of QOS that no line declares: they are probably misspelled.
void advise_on_qos(const Settings& settings, std::vector<std::string>& found) {
  const auto expect = [&](const std::string& where, const std::string& qos) {
    if (!is_declared(settings, qos))
      found.push_back(fmt::format("{}: no QOSCFG line declares QOS '{}'", where, qos));
  };
  struct Table {
    const char* object;
    const CredentialTable* entries;
  };
  const Table tables[] = {{"USERCFG", &settings.users},
                          {"GROUPCFG", &settings.groups},
                          {"ACCOUNTCFG", &settings.accounts},
                          {"CLASSCFG", &settings.classes}};
  for (const auto& [object, entries] : tables) {
    const auto common = entries->find("DEFAULT");
    for (const auto& [name, entry] : *entries) {
      // A value that DEFAULT gives to all is mentioned once.
      const auto own = [&, &name = name, &entry = entry, none = entries->end()](auto member) {
        return name == "DEFAULT" || common == none || entry.*member != common->second.*member;
      };
      if (own(&CredentialSettings::default_qos))
        expect(fmt::format("{}[{}] QDEF", object, name), entry.default_qos);
      if (own(&CredentialSettings::qos_list))
        for (const auto& qos : entry.qos_list.value_or(std::vector<std::string>()))
          expect(fmt::format("{}[{}] QLIST", object, name), qos);
    }
  }
  const auto& stacks = settings.reservation_stacks;
  for (std::size_t i = 0; i < stacks.size(); ++i)
    for (const auto& qos : stacks[i].qos) expect(fmt::format("RESERVATIONQOSLIST[{}]", i), qos);
  for (const auto& [index, standing] : settings.standing_reservations)
    for (const AccessWord& word : standing.access)
      if (word.kind == AccessKind::qos) expect(fmt::format("SRCFG[{}] QOSLIST", index), word.name);
}

// Warns if the lowest row or column is above the highest.
void advise_on_grid(const PlotSettings& plot, std::vector<std::string>& found) {
  if (plot.min_procs > plot.max_procs)
    found.emplace_back("PLOTMINPROC is above PLOTMAXPROC: showgrid has a single row");
  if (plot.min_time > plot.max_time)
    found.emplace_back("PLOTMINTIME is above PLOTMAXTIME: showgrid has a single column");
}

void advise_on_nodes(const Settings& settings, std::vector<std::string>& found) {
  const auto& node = settings.node;
  if (node.allocation_program.empty()) {
    if (settings.node_allocation == NodeAllocation::local)
      found.emplace_back(
          "NODEALLOCATIONPOLICY LOCAL has no effect without NODEALLOCATIONPROGRAM: nodes are "
          "chosen as with LASTAVAILABLE");
    if (node.local_tasks)
      found.emplace_back(
          "TASKDISTRIBUTIONPOLICY LOCAL has no effect without NODEALLOCATIONPROGRAM");
  }
  if (settings.backfill == BackfillPolicy::local && settings.local.backfill_program.empty())
    found.emplace_back("BACKFILLPOLICY LOCAL acts as FIRSTFIT without BACKFILLPROGRAM");
  if (node.set_policy && !node.set_attribute)
    found.emplace_back("NODESETPOLICY has no effect without NODESETATTRIBUTE");
  if (node.set_attribute && !node.set_policy)
    found.emplace_back("NODESETATTRIBUTE has no effect without NODESETPOLICY");
}

// Warns of NODECFG PRIORITY and PRIORITYF if no policy ranks nodes by them.
void advise_on_node_priorities(const Values& values, const Settings& settings,
                               std::vector<std::string>& found) {
  const auto& partitions = settings.partition_policies;
  if (settings.node_allocation == NodeAllocation::machine_prio ||
      std::any_of(partitions.begin(), partitions.end(), [](const auto& entry) {
        return entry.second.node_allocation == NodeAllocation::machine_prio;
      }))
    return;
  for (const auto* attribute : {"PRIORITY", "PRIORITYF"})
    if (const auto who = users_of(values, "NODECFG", attribute); !who.empty())
      found.push_back(fmt::format("{} ({}) has no effect without NODEALLOCATIONPOLICY MACHINEPRIO",
                                  attribute, who));
}

void advise_on_days(const Settings& settings, std::vector<std::string>& found) {
  constexpr std::uint8_t kEveryDay = 0x7f;
  for (const auto& [index, standing] : settings.standing_reservations)
    if (standing.period != StandingPeriod::day && standing.days != kEveryDay)
      found.push_back(fmt::format("SRCFG[{}] DAYS has no effect: PERIOD is not DAY", index));
}

// A TIMELIMIT beside lists admits every short job, whoever owns it, unless it is required.
void advise_on_time_limits(const Settings& settings, std::vector<std::string>& found) {
  for (const auto& [index, standing] : settings.standing_reservations) {
    const auto& access = standing.access;
    const auto limit = std::find_if(access.begin(), access.end(), [](const AccessWord& word) {
      return word.kind == AccessKind::time && !word.required;
    });
    const bool lists = std::any_of(access.begin(), access.end(), [](const AccessWord& word) {
      return word.kind != AccessKind::time;
    });
    const bool required = std::any_of(access.begin(), access.end(),
                                      [](const AccessWord& word) { return word.required; });
    if (limit == access.end() || standing.time_and || !lists || required) continue;
    found.push_back(fmt::format(
        "SRCFG[{}] TIMELIMIT admits every job of up to {}, also those that no list admits: "
        "with TIMELOGIC=AND, only jobs that a list admits",
        index, format_duration(Seconds(limit->value))));
  }
}

// RMCFG of the same resource manager, and AMCFG, take precedence over the parameters of earlier
// releases.
void advise_on_earlier_forms(const Values& values, std::vector<std::string>& found) {
  struct Twin {
    const char *parameter, *object, *attribute;
  };
  constexpr Twin kTwins[] = {{"RMTYPE", "RMCFG", "TYPE"},
                             {"RMSERVER", "RMCFG", "HOST"},
                             {"RMPORT", "RMCFG", "PORT"},
                             {"RMAUTHTYPE", "RMCFG", "AUTHTYPE"},
                             {"RMTIMEOUT", "RMCFG", "TIMEOUT"},
                             {"BANKTYPE", "AMCFG", "TYPE"},
                             {"BANKSERVER", "AMCFG", "HOST"},
                             {"BANKPORT", "AMCFG", "PORT"},
                             {"BANKTIMEOUT", "AMCFG", "TIMEOUT"},
                             {"BANKCHARGEPOLICY", "AMCFG", "CHARGEPOLICY"},
                             {"BANKDEFERJOBONFAILURE", "AMCFG", "DEFERJOBONFAILURE"},
                             {"BANKFALLBACKACCOUNT", "AMCFG", "FALLBACKACCOUNT"}};
  for (const auto& [key, value] : values) {
    // A default says nothing that is lost: showconfig -v lists them all, also for a saved maui.cfg.
    if (is_default(key, value)) continue;
    for (const auto& twin : kTwins) {
      if (std::string_view(key.parameter->name) != twin.parameter) continue;
      const std::string_view index = key.index == "0" ? "base" : std::string_view(key.index);
      for (const auto& [object, pairs] : values)
        if (object.parameter->name == twin.object &&
            (key.parameter->index == Index::none || object.index == index) &&
            says(values, twin.object, object.index, twin.attribute))
          found.push_back(fmt::format("{} has no effect: {} sets {}",
                                      full_name(*key.parameter, key.index),
                                      full_name(*object.parameter, object.index), twin.attribute));
    }
  }
}

void advise_on_starts(const Settings& settings, std::vector<std::string>& found) {
  if (settings.server.mode != ServerMode::normal) return;
  for (const auto& [index, manager] : settings.resource_managers)
    if (manager.type == "NATIVE" && !manager.urls.contains("STARTJOB"))
      found.push_back(
          fmt::format("RMCFG[{}] has no JOBSTARTURL: its jobs cannot be started (SERVERMODE TEST "
                      "only observes them)",
                      index));
}

}  // namespace

std::vector<std::string> advice_on_line(const Key& key, const Line& line) {
  std::vector<std::string> found;
  const auto& parameter = *key.parameter;
  const auto name = full_name(parameter, key.index);
  if (parameter.index == Index::credential && line.name.find('[') == line.name.npos)
    found.push_back(
        fmt::format("{0} without an index is {0}[0]: expected {0}[NAME], or "
                    "{0}[DEFAULT] for all without an entry of their own",
                    parameter.name));
  if (!parameter.attributes) {
    if (is_limit(parameter.name)) advise_on_limit(name, line.words, found);
    return found;
  }
  std::set<std::string> given;
  for (const auto& word : line.words) {
    const auto pair = parse_pair(*parameter.attributes, word);
    if (!pair) continue;
    const auto whole = fmt::format("{} {}", name, pair->name);
    if (!given.insert(pair->name).second)
      found.push_back(fmt::format("{} is given twice on this line; the last value counts", whole));
    if (is_limit(pair->name)) advise_on_limit(whole, pair->value, found);
  }
  return found;
}

std::vector<std::string> advice(const Values& values, const Settings& settings) {
  std::vector<std::string> found;
  advise_on_fairshare(values, settings, found);
  advise_on_weights(values, settings, found);
  advise_on_targets(values, settings, found);
  advise_on_qos(settings, found);
  advise_on_grid(settings.display.plot, found);
  advise_on_nodes(settings, found);
  advise_on_node_priorities(values, settings, found);
  advise_on_days(settings, found);
  advise_on_time_limits(settings, found);
  advise_on_earlier_forms(values, found);
  advise_on_starts(settings, found);
  for (const auto& [index, standing] : settings.standing_reservations)
    if (standing.hosts.empty() && standing.tasks == 0)
      found.push_back(fmt::format(
          "standing reservation {} reserves nothing: it has neither HOSTLIST nor TASKCOUNT",
          standing.name.empty() ? index : standing.name));
  for (const auto& name : settings.log.trap_functions)
    if (!is_log_facility(name))
      found.push_back(fmt::format(
          "TRAPFUNCTION {} has no effect: expected a log facility, such as fSCHED", name));
  for (const auto& name : settings.log.facilities)
    if (is_silent_facility(name))
      found.push_back(fmt::format(
          "LOGFACILITY {} has no effect: this scheduler does not support that resource manager",
          name));
  return found;
}

}  // namespace maui::config
