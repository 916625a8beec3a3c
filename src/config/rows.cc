#include "config/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"

namespace maui::config {
namespace {

// Quotes only the value of a pair if that suffices: PARTITION='a b'.
std::string shown_pair(const std::string& pair) {
  const auto value = pair.find('=') + 1;
  if (pair.find(' ') < value) return config_word(pair);
  return pair.substr(0, value) + (value == pair.size() ? "" : config_word(pair.substr(value)));
}

std::string shown_value(const Parameter& parameter, const Words& value) {
  if (!parameter.attributes || value.empty()) return shown(value);
  std::string out;
  for (const auto& pair : value) out += (out.empty() ? "" : " ") + shown_pair(pair);
  return out;
}

void note_object(const Key& key, const Words& pairs, std::set<std::string>& found) {
  for (const auto& text : pairs) {
    const auto pair = parse_pair(*key.parameter->attributes, text);
    if (!pair) continue;
    const auto& attribute = *pair->attribute;
    if (!attribute.landed) found.insert(fmt::format("{} {}", key.parameter->name, attribute.name));
  }
}

}  // namespace

std::vector<Row> rows_of(const Values& values, bool all) {
  std::vector<Row> rows;
  auto at = values.begin();  // values are in the order of the table
  for (const auto& parameter : parameters()) {
    if (parameter.file == File::secret) continue;
    const Key standing{&parameter, default_index(parameter)};
    bool shown_default = values.contains(standing);
    const auto show = [&](const Key& key, const Words& value) {
      const bool is_fallback = is_default(key, value);
      if (all || !is_fallback)
        rows.push_back(
            {full_name(parameter, key.index), shown_value(parameter, value), is_fallback});
    };
    for (; at != values.end() && at->first.parameter == &parameter; ++at) {
      if (!shown_default && standing < at->first) {
        show(standing, fallback_of(parameter));
        shown_default = true;
      }
      show(at->first, at->second);
    }
    if (!shown_default) show(standing, fallback_of(parameter));
  }
  return rows;
}

std::vector<std::string> without_effect(const Values& values) {
  std::set<std::string> found;
  for (const auto& [key, value] : values) {
    const auto& parameter = *key.parameter;
    if (is_default(key, value)) continue;
    if (parameter.landed != Landed::yes) {
      found.insert(parameter.name);
    } else if (parameter.attributes) {
      note_object(key, value, found);
    }
  }
  return {found.begin(), found.end()};
}

}  // namespace maui::config
