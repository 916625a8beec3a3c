#include "config/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/local_zone.h"
#include "base/text.h"

namespace maui::config {
namespace {

// Numbers by size, and before names.
auto index_order(const std::string& index) {
  const auto number = parse_integer<std::uint32_t>(index);
  return std::tuple(!number.has_value(), number.value_or(0), std::string_view(index));
}

constexpr std::uint32_t kMostStacks = 1000;  // an index is the place of a stack in a list

// Whether NAME[INDEX] is read back as it is written: brackets in pairs, no blanks.
bool writable(std::string_view index) {
  return std::count(index.begin(), index.end(), '[') ==
             std::count(index.begin(), index.end(), ']') &&
         index.find_first_of(" \t") == std::string_view::npos;
}

bool has_control_characters(const Words& words) {
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return std::any_of(word.begin(), word.end(), [](char c) {
      return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == 0x7f;
    });
  });
}

Result<std::string> checked_index(const Parameter& parameter, const Name& name) {
  const std::string index(trimmed(name.index));
  if (!name.indexed) return assumed_index(parameter);
  if (index.empty()) return Error{fmt::format("{}[]: the index is empty", parameter.name)};
  if (!writable(index))
    return Error{
        fmt::format("{}[{}]: expected a name without blanks as index", parameter.name, index)};
  if (has_control_characters({index}))
    return Error{fmt::format("{}: the index has a control character", parameter.name)};
  const auto number = parse_integer<std::uint32_t>(index);
  switch (parameter.index) {
    case Index::none:
      if (number == 0U) return std::string();
      return Error{fmt::format("{}[{}]: this parameter has no index but 0", parameter.name, index)};
    case Index::optional_name:
      return number == 0U ? std::string() : index;
    case Index::numeric:
      if (number && *number < kMostStacks) return fmt::format("{}", *number);
      return Error{fmt::format("{}[{}]: expected a number from 0 to {} as index", parameter.name,
                               index, kMostStacks - 1)};
    case Index::name:
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

// What says the default says the same as nothing.
std::map<std::string, Words> without_defaults(const Values& values) {
  std::map<std::string, Words> out;
  for (const auto& [key, value] : values)
    if (!is_default(key, value)) out.emplace(key.index, value);
  return out;
}

void apply_object(Settings& settings, const Key& key, const Words& pairs) {
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

Result<Key> resolve(const Name& name, File file) {
  const auto* parameter = find_parameter(name.parameter);
  if (parameter == nullptr) {
    const auto equals = name.parameter.find('=');
    if (find_parameter(name.parameter.substr(0, equals)) != nullptr)
      return Error{fmt::format("{}: expected a blank between name and value", name.parameter)};
    const auto near = nearest_parameter(name.parameter);
    return Error{near.empty() ? fmt::format("unknown parameter {}", name.parameter)
                              : fmt::format("unknown parameter {} (did you mean {}?)",
                                            name.parameter, near)};
  }
  if (parameter->file != file)
    return Error{file == File::open
                     ? fmt::format("{} may stand only in maui-private.cfg", parameter->name)
                     : fmt::format("{} belongs in maui.cfg", parameter->name)};
  auto index = checked_index(*parameter, name);
  if (!index) return index.error();
  return Key{parameter, std::move(index).value()};
}

Result<Words> checked(const Key& key, const Words& words) {
  const auto name = full_name(*key.parameter, key.index);
  if (has_control_characters(words))
    return Error{fmt::format("{}: a control character in the value", name)};
  if (key.parameter->attributes && words.empty())
    return Error{fmt::format("{}: no value: expected {}", name, key.parameter->type.expected)};
  auto canonical = key.parameter->type.canonical(words);
  if (canonical) return canonical;
  if (key.parameter->attributes) return Error{fmt::format("{}: {}", name, canonical.error().what)};
  return Error{fmt::format("{}: {}: expected {}", name, canonical.error().what,
                           key.parameter->type.expected)};
}

std::string add(Values& values, const Key& key, Words canonical) {
  const auto [at, is_new] = values.try_emplace(key);
  if (key.parameter->attributes) return merge(at->second, std::move(canonical));
  at->second = std::move(canonical);
  return is_new ? std::string() : key.parameter->name;
}

bool is_default(const Key& key, const Words& value) {
  return key.index == default_index(*key.parameter) && value == fallback_of(*key.parameter);
}

std::vector<std::string> keep_until_restart(Values& next, const Values& running) {
  std::vector<std::string> kept;
  for (const auto& parameter : parameters()) {
    if (parameter.change != Change::at_restart) continue;
    const Values old = said_of(parameter, running);
    if (without_defaults(said_of(parameter, next)) == without_defaults(old)) continue;
    std::erase_if(next, [&](const auto& row) { return row.first.parameter == &parameter; });
    next.insert(old.begin(), old.end());
    kept.push_back(parameter.name);
  }
  return kept;
}

Settings settings_of(const Values& values) {
  Settings settings;
  for (const auto& [key, value] : values) {
    if (is_default(key, value)) continue;
    if (key.parameter->attributes)
      apply_object(settings, key, value);
    else if (key.parameter->apply)
      key.parameter->apply(settings, key.index, value);
  }
  if (!settings.standing_reservations.empty()) settings.zone = local_zone();
  return settings;
}

}  // namespace maui::config
