#include "completion.h"

#include <algorithm>
#include <set>
#include <variant>

#include "base/text.h"
#include "config/parameters.h"
#include "proto/general_options.h"

namespace maui {
namespace {

using Names = std::set<std::string>;

/// Calls see(row) for each job of showq.
template <class See>
void each_job(const AskQuickly& ask, See see) {
  const auto reply = ask("showq");
  const auto* queue = reply ? std::get_if<QueueReply>(&*reply) : nullptr;
  if (queue == nullptr) return;
  for (const auto& row : queue->active) see(row);
  for (const auto* rows : {&queue->idle, &queue->blocked})
    for (const auto& row : *rows) see(row);
}

template <auto Of>
void of_jobs(const AskQuickly& ask, Names& names) {
  each_job(ask, [&](const auto& row) { names.insert(Of(row)); });
}

void of_nodes(const AskQuickly& ask, Names& names) {
  const auto reply = ask("showstate");
  if (const auto* state = reply ? std::get_if<StateReply>(&*reply) : nullptr)
    for (const auto& node : state->nodes) names.insert(node.name);
}

void of_reservations(const AskQuickly& ask, Names& names) {
  const auto reply = ask("showres");
  if (const auto* reserved = reply ? std::get_if<ReservationsReply>(&*reply) : nullptr)
    for (const auto& row : reserved->reservations) names.insert(row.name);
}

void of_parameters(const AskQuickly&, Names& names) {
  for (const auto& parameter : config::parameters()) names.insert(parameter.name);
}

struct Kind {
  std::string_view word;  // the name of an operand or a flag's value
  void (*find)(const AskQuickly& ask, Names& names);
};
constexpr Kind kKinds[] = {
    {"JOB", of_jobs<[](const auto& row) { return row.name; }>},
    {"USER", of_jobs<[](const auto& row) { return row.user; }>},
    {"GROUP", of_jobs<[](const auto& row) { return row.group; }>},
    {"ACCOUNT", of_jobs<[](const auto& row) { return row.account; }>},
    {"CLASS", of_jobs<[](const auto& row) { return row.job_class; }>},
    {"QOS", of_jobs<[](const auto& row) { return row.qos; }>},
    {"NODE", of_nodes},
    {"RES", of_reservations},
    {"PARAMETER", of_parameters},
};

/// Adds names: "JOB|PROCS@DURATION" may be a job's name; "text|json" offers these two words.
void add_names(std::string_view called, const AskQuickly& ask, Names& names) {
  for (const auto word : split(called, '|')) {
    const auto kind = std::find_if(std::begin(kKinds), std::end(kKinds),
                                   [&](const Kind& known) { return known.word == word; });
    if (kind != std::end(kKinds))
      kind->find(ask, names);
    else if (called.find('|') != called.npos && word == lower(word))
      names.emplace(word);
  }
}

/// Returns the name of the operand with that number: "PARAMETER" of "PARAMETER VALUE...".
std::string_view operand_called(std::string_view operands, std::size_t number) {
  std::string_view called;
  for (auto word : split(operands, ' ')) {
    while (word.starts_with('[')) word.remove_prefix(1);
    while (word.ends_with(']')) word.remove_suffix(1);
    const bool repeats = word.ends_with("...");
    if (repeats) word.remove_suffix(3);
    called = word;
    if (number == 0 || repeats) return called;
    --number;
  }
  return {};
}

/// Returns the name of the value that follows this word; empty: the word is no flag whose value
/// follows.
std::string_view value_called(const CommandSpec& spec, std::string_view word) {
  if (word.size() < 2 || word[0] != '-') return {};
  const bool is_long = word[1] == '-';
  const auto name = word.substr(is_long ? 2 : 1);
  if (!is_long && name.size() > 1) return {};
  if (const Flag* flag = find_flag(spec, name)) return flag->argument;
  for (const auto& option : general_options())
    if (is_long ? option.name == name : option.is(name[0])) return option.argument;
  return {};
}

Suggestions flags_of(const CommandSpec& spec) {
  Suggestions all;
  for (const auto& flag : spec.flags) {
    if (flag.letter != 0) all.push_back({std::string("-") + flag.letter, std::string(flag.help)});
    if (!flag.name.empty()) all.push_back({"--" + std::string(flag.name), std::string(flag.help)});
  }
  for (const auto& option : general_options())
    all.push_back({"--" + std::string(option.name), std::string(option.help)});
  return all;
}

}  // namespace

Suggestions completions(const CommandSpec& spec, std::span<const std::string> words,
                        const AskQuickly& ask) {
  if (words.empty()) return {};
  const std::string& begun = words.back();
  std::size_t operands = 0;
  std::string_view expected;  // set by the preceding flag
  for (const auto& word : words.first(words.size() - 1)) {
    const bool is_value = !expected.empty();
    expected = is_value ? std::string_view() : value_called(spec, word);
    if (!is_value && !word.starts_with('-')) ++operands;
  }
  std::string before;  // --NAME= if the value is in the same word
  if (const auto equals = begun.find('=');
      expected.empty() && begun.starts_with("--") && equals != begun.npos) {
    before = begun.substr(0, equals + 1);
    expected = value_called(spec, begun.substr(0, equals));
    if (expected.empty()) return {};
  }
  if (begun.starts_with('-') && expected.empty()) return flags_of(spec);
  Names names;
  add_names(expected.empty() ? operand_called(spec.operands, operands) : expected, ask, names);
  Suggestions all;
  for (const auto& name : names) all.push_back({before + name, {}});
  return all;
}

}  // namespace maui
