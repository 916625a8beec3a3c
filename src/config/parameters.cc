#include "config/parameters.h"

#include <fmt/format.h>

#include <cassert>
#include <unordered_map>

#include "base/text.h"

namespace maui::config {
namespace {

std::vector<Parameter> all_parameters() {
  std::vector<Parameter> rows;
  for (const auto& group :
       {server_parameters, http_parameters, scheduling_parameters, learning_parameters,
        priority_parameters, node_parameters, job_parameters, credential_parameters,
        limit_parameters, fairshare_parameters, reservation_parameters, resource_manager_parameters,
        simulation_parameters, private_parameters, relic_parameters})
    for (auto& row : group()) rows.push_back(std::move(row));
  for (auto& row : rows) {  // an object's words must be attributes of that object
    if (row.attributes == nullptr) continue;
    row.type.expected = "ATTRIBUTE=VALUE pairs separated by blanks";
    row.type.canonical = [attributes = row.attributes](const Words& words) {
      return parse_object(*attributes, words);
    };
  }
  return rows;
}

using ByName = std::unordered_map<std::string, const Parameter*>;

ByName by_name() {
  ByName names;
  for (const auto& row : parameters()) {
    names.emplace(row.name, &row);
    for (const auto alias : words(row.aliases)) names.emplace(alias, &row);
  }
  return names;
}

std::vector<Words> all_fallbacks() {
  std::vector<Words> out;
  for (const auto& row : parameters()) {
    Words written;
    for (const auto word : words(row.fallback)) written.emplace_back(word);
    auto canonical = written.empty() ? Result<Words>(Words{}) : row.type.canonical(written);
    assert(canonical);
    out.push_back(std::move(canonical).value());
  }
  return out;
}

}  // namespace

const std::vector<Parameter>& parameters() {
  static const auto kRows = all_parameters();
  return kRows;
}

std::string_view restart_reason(Change change) {
  switch (change) {
    case Change::at_runtime:
    case Change::with_file:
      return {};
    case Change::listens:
      return "the scheduler listens there until it ends";
    case Change::runs:
      return "it cannot change while the scheduler runs";
    case Change::simulates:
      return "the simulation is set up with it when it begins";
    case Change::connects:
      return "connections to resource managers are set up when the scheduler starts";
    case Change::proves:
      return "messages under way are authenticated with it";
  }
  return {};
}

const Parameter* find_parameter(std::string_view name) {
  static const auto kNames = by_name();
  const auto at = kNames.find(upper(name));
  return at == kNames.end() ? nullptr : at->second;
}

std::string nearest_parameter(std::string_view name) {
  std::vector<std::string_view> known;
  for (const auto& row : parameters()) {
    known.push_back(row.name);
    for (const auto alias : words(row.aliases)) known.push_back(alias);
  }
  // For names of objects, compares only the part before "CFG".
  constexpr std::string_view kObject = "CFG";
  const auto is_object = [&](std::string_view parameter) {
    return parameter.size() > kObject.size() &&
           same_word(parameter.substr(parameter.size() - kObject.size()), kObject);
  };
  if (!is_object(name)) return nearest(name, known);
  std::erase_if(known, [&](std::string_view parameter) { return !is_object(parameter); });
  for (auto& parameter : known) parameter.remove_suffix(kObject.size());
  name.remove_suffix(kObject.size());
  const auto near = nearest(name, known);
  return near.empty() ? near : near + std::string(kObject);
}

std::string assumed_index(const Parameter& parameter) {
  switch (parameter.index) {
    case Index::none:
    case Index::optional_name:
    case Index::base:
      return {};
    case Index::numeric:
    case Index::name:
    case Index::credential:
    case Index::either:
      return "0";
  }
  return {};
}

std::string default_index(const Parameter& parameter) {
  const bool has_default = parameter.index == Index::name || parameter.index == Index::credential;
  return has_default ? "DEFAULT" : assumed_index(parameter);
}

std::string full_name(const Parameter& parameter, std::string_view index) {
  if (index.empty()) return parameter.name;
  const std::string_view quote = index.find(' ') != index.npos ? "\"" : "";
  return fmt::format("{}[{}{}{}]", parameter.name, quote, index, quote);
}

const Words& fallback_of(const Parameter& parameter) {
  static const auto kFallbacks = all_fallbacks();
  return kFallbacks[static_cast<std::size_t>(&parameter - parameters().data())];
}

}  // namespace maui::config
