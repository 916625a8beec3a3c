#include "config/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/local_zone.h"
#include "base/text.h"

namespace maui::config {
namespace {

// Orders numbers by size, and before names.
auto index_order(const std::string& index) {
  const auto number = parse_integer<std::uint32_t>(index);
  return std::tuple(!number.has_value(), number.value_or(0), std::string_view(index));
}

constexpr std::uint32_t kMostStacks = 1000;  // the index of a stack is its position in a list

// Returns the index without its quotes, for NAME["INDEX"]; else nullopt.
std::optional<std::string_view> quoted(std::string_view index) {
  const bool quotes = index.size() >= 2 && (index.front() == '"' || index.front() == '\'') &&
                      index.front() == index.back();
  if (!quotes) return std::nullopt;
  return index.substr(1, index.size() - 2);
}

// True if full_name() can write NAME[INDEX] so that it can be read again: paired brackets, and
// blanks only within quotes.
bool writable(std::string_view index, bool in_quotes) {
  return std::count(index.begin(), index.end(), '[') ==
             std::count(index.begin(), index.end(), ']') &&
         index.find_first_of(in_quotes ? "\"\t" : " \t") == std::string_view::npos;
}

bool has_control_characters(const Words& words) {
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return std::any_of(word.begin(), word.end(), [](char c) {
      return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == 0x7f;
    });
  });
}

Result<std::string> checked_index(const Parameter& parameter, const Name& name) {
  const auto written = trimmed(name.index);
  const auto between = quoted(written);
  const std::string index(trimmed(between.value_or(written)));
  if (!name.indexed) return assumed_index(parameter);
  if (index.empty()) return Error{fmt::format("{}[]: the index is empty", parameter.name)};
  const bool may_be_quoted = parameter.index == Index::credential;
  if (!writable(index, may_be_quoted && between))
    return Error{fmt::format("{}[{}]: expected a name without blanks{} as index", parameter.name,
                             written, may_be_quoted ? ", or in quotes," : "")};
  if (has_control_characters({index}))
    return Error{fmt::format("{}: the index contains a control character", parameter.name)};
  const auto number = parse_integer<std::uint32_t>(index);
  switch (parameter.index) {
    case Index::none:
      if (number == 0U) return std::string();
      return Error{
          fmt::format("{}[{}]: this parameter takes no index but 0", parameter.name, index)};
    case Index::optional_name:
      return number == 0U ? std::string() : index;
    case Index::base:
      if (number == 0U || same_word(index, "base")) return std::string();
      return Error{
          fmt::format("{}[{}]: this parameter takes no index but [base]", parameter.name, index)};
    case Index::numeric:
      if (number && *number < kMostStacks) return fmt::format("{}", *number);
      return Error{fmt::format("{}[{}]: expected a number from 0 to {} as index", parameter.name,
                               index, kMostStacks - 1)};
    case Index::name:
    case Index::credential:
    case Index::either:
      return same_word(index, "DEFAULT") ? std::string("DEFAULT") : index;
  }
  return index;
}

std::string_view head(std::string_view pair) { return pair.substr(0, pair.find('=') + 1); }

std::string merge(Words& object, Words said) {
  std::string replaced;
  if (said.empty()) object.clear();
  for (auto& pair : said) {
    const auto same = std::find_if(object.begin(), object.end(),
                                   [&](const auto& old) { return head(old) == head(pair); });
    if (same == object.end()) {
      object.push_back(std::move(pair));
    } else {
      if (replaced.empty()) replaced = std::string(head(pair).substr(0, head(pair).size() - 1));
      *same = std::move(pair);
    }
  }
  return replaced;
}

Values said_of(const Parameter& parameter, const Values& values) {
  Values out;
  for (const auto& row : values)
    if (row.first.parameter == &parameter) out.insert(row);
  return out;
}

bool counts_at_once(const Parameter& parameter, std::string_view pair) {
  if (parameter.attributes == nullptr) return false;
  const auto read = parse_pair(*parameter.attributes, pair);
  return read && read->attribute->at_runtime;
}

// Returns the pairs of an object that take effect at once, or those that do not.
Words part_of(const Parameter& parameter, const Words& value, bool at_once) {
  Words part;
  for (const auto& word : value)
    if (counts_at_once(parameter, word) == at_once) part.push_back(word);
  return part;
}

// True if the row is an object of which every pair takes effect at once.
bool all_at_once(const Key& key, const Words& value) {
  return !value.empty() && part_of(*key.parameter, value, true).size() == value.size();
}

// Returns the values that take effect at the next start; a default counts as not set.
std::map<std::string, Words> lasting(const Values& values) {
  std::map<std::string, Words> out;
  for (const auto& [key, value] : values)
    if (!is_default(key, value) && !all_at_once(key, value))
      out.emplace(key.index, part_of(*key.parameter, value, false));
  return out;
}

void apply_object(Settings& settings, const Key& key, const Words& pairs) {
  if (key.parameter->apply) key.parameter->apply(settings, key.index, {});
  for (const auto& text : pairs) {
    const auto pair = parse_pair(*key.parameter->attributes, text);
    if (!pair) continue;
    const auto& row = *pair->attribute;
    if (!pair->credential.empty() && row.apply_within)
      row.apply_within(settings, key.index, pair->credential, pair->value);
    else if (pair->credential.empty() && row.apply)
      row.apply(settings, key.index, pair->value);
  }
}

/// The parameters that describe resource managers.  They are kept or changed together: a port or a
/// host belongs to the type that it was written for.
constexpr std::string_view kManagerParameters[] = {"RMTYPE",     "RMNAME",    "RMSERVER", "RMPORT",
                                                   "RMAUTHTYPE", "RMTIMEOUT", "RMCFG"};

bool describes_managers(const Parameter& parameter) {
  return std::find(std::begin(kManagerParameters), std::end(kManagerParameters), parameter.name) !=
         std::end(kManagerParameters);
}

/// Returns the values of a parameter by index; a default counts as not set.
std::map<std::string, Words> stated(const Values& values) {
  std::map<std::string, Words> out;
  for (const auto& [key, value] : values)
    if (!is_default(key, value)) out.emplace(key.index, value);
  return out;
}

/// Returns what cannot change until the restart: the types of the resource managers by their names.
std::map<std::string, std::string> lasting_managers(const Values& values) {
  Values said;
  for (const auto& row : values)
    if (describes_managers(*row.first.parameter) &&
        !restart_reason(row.first.parameter->change).empty())
      said.insert(row);
  std::map<std::string, std::string> out;
  for (const auto& [index, manager] : settings_of(said).resource_managers)
    out.emplace(manager.name.empty() ? index : manager.name, manager.type);
  return out;
}

/// Gives the parameters of resource managers their values in `running` if a manager came, went, or
/// has another type or name.  Appends the names of those whose values differed.
void keep_managers(Values& next, const Values& running, std::vector<std::string>& kept) {
  if (lasting_managers(next) == lasting_managers(running)) return;
  for (const auto& parameter : parameters()) {
    if (!describes_managers(parameter)) continue;
    const Values old = said_of(parameter, running), wanted = said_of(parameter, next);
    if (stated(wanted) == stated(old)) continue;
    std::erase_if(next, [&](const auto& row) { return row.first.parameter == &parameter; });
    for (const auto& row : old) next.insert(row);
    kept.push_back(parameter.name);
  }
}

}  // namespace

bool operator<(const Key& a, const Key& b) {
  return std::tuple(a.parameter, index_order(a.index)) <
         std::tuple(b.parameter, index_order(b.index));
}

Result<Name> parse_name(std::string_view text) {
  const auto open = text.find('[');
  if (open == std::string_view::npos) return Name{text, {}, false};
  if (text.back() != ']') return Error{fmt::format("{}: expected a ']' at the end", text)};
  return Name{text.substr(0, open), text.substr(open + 1, text.size() - open - 2), true};
}

Result<Key> resolve(const Name& name, File file, bool suggests) {
  const auto* parameter = find_parameter(name.parameter);
  if (parameter == nullptr) {
    const auto equals = name.parameter.find('=');
    if (find_parameter(name.parameter.substr(0, equals)) != nullptr)
      return Error{fmt::format("{}: expected a blank between name and value", name.parameter)};
    if (!suggests)
      return Error{
          fmt::format("unknown parameter '{}' (suggestions are made for the first {} only)",
                      name.parameter, kMostSuggestions)};
    const auto near = nearest_parameter(name.parameter);
    return Error{near.empty() ? fmt::format("unknown parameter '{}'", name.parameter)
                              : fmt::format("unknown parameter '{}' (did you mean '{}'?)",
                                            name.parameter, near)};
  }
  if (parameter->file != file && parameter->file != File::both)
    return Error{file == File::open
                     ? fmt::format("{} is allowed only in maui-private.cfg", parameter->name)
                     : fmt::format("{} belongs in maui.cfg", parameter->name)};
  auto index = checked_index(*parameter, name);
  if (!index) return index.error();
  return Key{parameter, std::move(index).value()};
}

Status in_place(const Key& key, const Words& canonical, File file) {
  if (key.parameter->file != File::both) return Done{};
  for (const auto& word : canonical) {
    const auto pair = parse_pair(*key.parameter->attributes, word);
    if (!pair) continue;
    const auto name = full_name(*key.parameter, key.index);
    if (file == File::open && pair->attribute->file == file && key.index.starts_with("RM:"))
      return Error{fmt::format("{}: {}= is for hosts: expected RMCFG[{}] for a resource manager",
                               name, pair->name, key.index.substr(3))};
    if (pair->attribute->file == file) continue;
    return Error{
        file == File::open
            ? fmt::format("{} {}= is allowed only in maui-private.cfg", name, pair->name)
            : fmt::format("{} {}= belongs in maui.cfg, which commands read", name, pair->name)};
  }
  return Done{};
}

namespace {

/// Suggests USERCFG[amy] for "USERCFG amy PRIORITY=5".
std::string as_index(const Key& key, const Words& words) {
  const Parameter& parameter = *key.parameter;
  const auto& first = words.front();
  const bool is_name = first.find('=') == first.npos && writable(first, false) &&
                       std::none_of(parameter.attributes->begin(), parameter.attributes->end(),
                                    [&](const auto& row) { return same_word(row.name, first); });
  if (key.index != assumed_index(parameter) || !is_name || words.size() < 2) return {};
  return fmt::format(" (did you mean '{}[{}]'?)", parameter.name, first);
}

}  // namespace

Result<Words> checked(const Key& key, const Words& words) {
  const auto name = full_name(*key.parameter, key.index);
  if (has_control_characters(words))
    return Error{fmt::format("{}: a control character in the value", name)};
  if (key.parameter->attributes && words.empty())
    return Error{fmt::format("{}: no value: expected {}", name, key.parameter->type.expected)};
  auto canonical = key.parameter->type.canonical(words);
  if (canonical) return canonical;
  if (key.parameter->attributes)
    return Error{fmt::format("{}: {}{}", name, canonical.error().what, as_index(key, words))};
  return Error{fmt::format("{}: {}: expected {}", name, canonical.error().what,
                           key.parameter->type.expected)};
}

std::string add(Values& values, const Key& key, Words canonical) {
  const auto [at, is_new] = values.try_emplace(key);
  if (is_new && key.parameter->attributes) values.objects.push_back(key);
  if (key.parameter->attributes) return merge(at->second, std::move(canonical));
  at->second = std::move(canonical);
  return is_new ? std::string() : key.parameter->name;
}

void mention(Values& values, const Key& key) {
  const bool is_new = values.try_emplace(key).second;
  if (is_new && key.parameter->attributes) values.objects.push_back(key);
}

bool says(const Values& values, std::string_view parameter, std::string_view index,
          std::string_view attribute) {
  return std::any_of(values.begin(), values.end(), [&](const auto& row) {
    const auto& [key, words] = row;
    if (key.parameter->name != parameter || key.index != index) return false;
    const auto head = fmt::format("{}=", attribute);
    return attribute.empty() || std::any_of(words.begin(), words.end(), [&](const auto& pair) {
             return pair.starts_with(head);
           });
  });
}

bool is_default(const Key& key, const Words& value) {
  return key.index == default_index(*key.parameter) && value == fallback_of(*key.parameter);
}

std::vector<std::string> keep_until_restart(Values& next, const Values& running) {
  std::vector<std::string> kept;
  keep_managers(next, running, kept);
  for (const auto& parameter : parameters()) {
    if (restart_reason(parameter.change).empty() || describes_managers(parameter)) continue;
    const Values old = said_of(parameter, running), wanted = said_of(parameter, next);
    if (lasting(wanted) == lasting(old)) continue;
    std::erase_if(next, [&](const auto& row) { return row.first.parameter == &parameter; });
    for (const auto& [key, value] : old) {
      const auto now = wanted.find(key);
      if (now == wanted.end() && all_at_once(key, value)) continue;
      Words words = part_of(parameter, value, false);
      for (auto& pair : part_of(parameter, now == wanted.end() ? value : now->second, true))
        words.push_back(std::move(pair));
      next.emplace(key, std::move(words));
    }
    for (const auto& [key, value] : wanted)
      if (all_at_once(key, value)) next.emplace(key, value);
    kept.push_back(parameter.name);
  }
  return kept;
}

std::string waits_for_restart(const Values& running, const Key& key, const Words& words) {
  const Parameter& parameter = *key.parameter;
  if (restart_reason(parameter.change).empty()) return {};
  if (parameter.attributes == nullptr) return parameter.name;
  auto late = part_of(parameter, words, false);
  if (const auto known = running.find(key); known != running.end())
    std::erase_if(late, [&](const std::string& pair) {  // it has that value
      return std::find(known->second.begin(), known->second.end(), pair) != known->second.end();
    });
  if (late.empty() && !words.empty()) return {};
  return fmt::format("{} {}", full_name(parameter, key.index),
                     late.empty() ? "" : late.front().substr(0, late.front().find('=')));
}

namespace {

/// RMHOST, RMPORT etc. without an index apply to the resource manager of RMCFG if there is only
/// one. A line RMCFG[base] is not without an index.
void join_unnamed(const Values& values, ResourceManagerTable& all) {
  const auto unnamed = all.find("base");
  const ResourceManagerSettings nothing;
  if (all.size() != 2 || unnamed == all.end() || says(values, "RMCFG", "base")) return;
  auto& [index, named] = *(all.begin() == unnamed ? std::next(unnamed) : all.begin());
  // RMTYPE and RMPORT[1] configure two resource managers.
  if (unnamed->second.type != nothing.type && !says(values, "RMCFG", index)) return;
  if (unnamed->second.type != nothing.type && named.type != nothing.type) return;
  const auto take = [&unnamed, &nothing, &named = named](auto ResourceManagerSettings::*member) {
    if (unnamed->second.*member != nothing.*member) named.*member = unnamed->second.*member;
  };
  using R = ResourceManagerSettings;
  for (const auto member : {&R::type, &R::name, &R::host, &R::auth}) take(member);
  for (const auto member : {&R::port, &R::event_port}) take(member);
  for (const auto member : {&R::timeout, &R::poll_interval}) take(member);
  all.erase(unnamed);
}

/// True if an entry with this list may have that default.
template <class List>
bool admits(const List& own, const std::string& name) {
  return !own || std::any_of(own->begin(), own->end(), [&](const std::string& listed) {
    return listed == name || names_all(listed);
  });
}

struct CredentialObject {
  const char* parameter;
  CredentialTable Settings::*table;
  bool flags;  // the QOS DEFAULT is that of most jobs, and its flags are its own
};
constexpr CredentialObject kCredentialObjects[] = {{"USERCFG", &Settings::users, true},
                                                   {"GROUPCFG", &Settings::groups, true},
                                                   {"ACCOUNTCFG", &Settings::accounts, true},
                                                   {"CLASSCFG", &Settings::classes, true},
                                                   {"QOSCFG", &Settings::qos, false}};

/// Returns settings with nothing but what the entries of credentials have from DEFAULT.
Settings from_default(const Settings& settings) {
  Settings made;
  for (const auto& object : kCredentialObjects) {
    const auto& table = settings.*object.table;
    const auto common = table.find("DEFAULT");
    if (common == table.end()) continue;
    for (const auto& row : table) {
      if (row.first == "DEFAULT") continue;
      auto& own = (made.*object.table)[row.first] = inherited(common->second);
      if (!object.flags) own.flags.clear();
    }
  }
  return made;
}

/// Drops a QDEF or PDEF of DEFAULT that the entry's own list does not admit.
void drop_excluded(const Values& values, Settings& settings) {
  for (const auto& object : kCredentialObjects)
    for (auto& [name, own] : settings.*object.table) {
      if (name == "DEFAULT") continue;
      if (!admits(own.qos_list, own.default_qos) && !says(values, object.parameter, name, "QDEF"))
        own.default_qos.clear();
      if (!admits(own.partition_list, own.default_partition) &&
          !says(values, object.parameter, name, "PDEF"))
        own.default_partition.clear();
    }
}

void apply(Settings& settings, const Values& values) {
  for (const auto& [key, value] : values) {
    if (is_default(key, value)) continue;
    if (key.parameter->attributes)
      apply_object(settings, key, value);
    else if (key.parameter->apply)
      key.parameter->apply(settings, key.index, value);
  }
}

}  // namespace

CredentialSettings inherited(const CredentialSettings& common) {
  CredentialSettings own;
  own.default_qos = common.default_qos;
  own.default_partition = common.default_partition;
  own.qos_list = common.qos_list;
  own.partition_list = common.partition_list;
  own.features = common.features;
  own.queue_time_weight = common.queue_time_weight;
  own.xfactor_weight = common.xfactor_weight;
  own.flags = common.flags;
  return own;
}

Settings settings_of(const Values& values) {
  Settings alone;
  apply(alone, values);
  Settings settings = from_default(alone);
  apply(settings, values);
  drop_excluded(values, settings);
  join_unnamed(values, settings.resource_managers);
  for (const Key& key : values.objects)
    if (key.parameter->name == "CLASSCFG" && key.index != "DEFAULT")
      settings.class_order.push_back(key.index);
  for (const Key& key : values.objects)
    if (key.parameter->name == "SRCFG" && settings.standing_reservations.contains(key.index))
      settings.standing_order.push_back(key.index);
  settings.zone = local_zone();
  return settings;
}

}  // namespace maui::config
