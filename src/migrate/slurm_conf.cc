#include "migrate/slurm_conf.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/host_range.h"
#include "base/text.h"

namespace maui::migrate {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Splits a line into words.  Quotes keep blanks, blanks around the equals sign of NAME = VALUE are
/// dropped, and '#' ends the line.
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> found;
  bool quoted = false, begun = false, named = false, awaits_value = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (c == '#' && !quoted) break;
    if (is_blank(c) && !quoted) {
      const auto next = std::min(line.find_first_not_of(" \t\r", at), line.size());
      const bool equals = next < line.size() && line[next] == '=';
      begun = begun && (awaits_value || (!named && equals));
      at = next - 1;
    } else if (c == '"') {
      quoted = !quoted;
      awaits_value = false;
    } else {
      if (!begun) {
        found.emplace_back();
        named = false;
      }
      begun = true;
      awaits_value = c == '=' && !named;
      named = named || c == '=';
      found.back() += c;
    }
  }
  return found;
}

struct Pair {
  std::string name, value;
};

std::optional<Pair> pair_of(std::string_view word) {
  const auto equals = word.find('=');
  if (equals == word.npos || equals == 0) return std::nullopt;
  return Pair{lower(word.substr(0, equals)), std::string(word.substr(equals + 1))};
}

class Reader {
 public:
  SlurmConf read(std::string_view text) {
    int number = 0;
    std::string whole;
    for (const auto raw : split(text, '\n')) {
      ++number;
      std::string_view part = trimmed(raw);
      const bool goes_on = part.ends_with('\\');
      if (goes_on) part.remove_suffix(1);
      whole += part;
      if (!goes_on) take(number, std::exchange(whole, {}));
    }
    take(number, whole);
    return std::move(conf_);
  }

 private:
  void take(int number, const std::string& line) {
    const auto words = words_of(line);
    if (words.empty()) return;
    if (lower(words.front()) == "include" && words.size() == 2) {
      conf_.includes.push_back({words[1], number});
      return;
    }
    const auto first = pair_of(words.front());
    if (!first) {
      conf_.unread.push_back({line, number});
    } else if (first->name == "nodename") {
      add(number, *first, words, conf_.nodes, node_defaults_);
    } else if (first->name == "partitionname") {
      add(number, *first, words, conf_.partitions, partition_defaults_);
    } else {
      for (const auto& word : words)
        if (const auto pair = pair_of(word)) set(*pair, number);
    }
  }

  /// Slurm uses the last of several values, except that each SlurmctldHost adds a host.
  void set(const Pair& pair, int number) {
    SlurmValue value{pair.value, number};
    if (pair.name == "slurmctldhost" && conf_.values.contains(pair.name))
      conf_.backups.push_back(std::move(value));
    else
      conf_.values[pair.name] = std::move(value);
  }

  static void add(int number, const Pair& first, const std::vector<std::string>& words,
                  std::vector<SlurmRecord>& into, SlurmRecord& defaults) {
    SlurmRecord made = defaults;
    made.name = first.value;
    made.line = number;
    for (std::size_t i = 1; i < words.size(); ++i)
      if (const auto pair = pair_of(words[i])) made.values[pair->name] = pair->value;
    if (same_word(first.value, "DEFAULT"))
      defaults = std::move(made);
    else
      into.push_back(std::move(made));
  }

  SlurmConf conf_;
  SlurmRecord node_defaults_, partition_defaults_;
};

template <class Values>
auto find_in(const Values& values, std::string_view key) {
  return values.find(lower(key));
}

}  // namespace

std::string SlurmRecord::value(std::string_view key, std::string_view otherwise) const {
  const auto at = find_in(values, key);
  return at == values.end() ? std::string(otherwise) : at->second;
}

std::string SlurmConf::value(std::string_view key, std::string_view otherwise) const {
  const auto at = find_in(values, key);
  return at == values.end() ? std::string(otherwise) : at->second.text;
}

int SlurmConf::line_of(std::string_view key) const {
  const auto at = find_in(values, key);
  return at == values.end() ? 0 : at->second.line;
}

std::uint64_t count_nodes(const SlurmRecord& node) {
  std::uint64_t count = 0;
  for (const auto& item : split_hosts(node.name)) count += count_hosts(item);
  return count;
}

SlurmConf read_slurm_conf(std::string_view text) { return Reader().read(text); }

Result<Seconds> parse_slurm_time(std::string_view text) {
  const Error wrong{
      fmt::format("invalid time '{}': expected [DAYS-]HH[:MM[:SS]] or MINUTES[:SS]", text)};
  if (same_word(text, "INFINITE") || same_word(text, "UNLIMITED")) return kUnlimited;
  const auto dash = text.find('-');
  const auto days = dash == text.npos ? std::optional<std::int64_t>(0)
                                      : parse_integer<std::int64_t>(text.substr(0, dash));
  const auto parts = split(dash == text.npos ? text : text.substr(dash + 1), ':');
  if (!days || *days < 0 || *days > 36500 || parts.size() > 3) return wrong;
  std::int64_t field[3] = {0, 0, 0};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto number = parse_integer<std::int64_t>(parts[i]);
    if (!number || *number < 0 || *number > 100000000) return wrong;
    field[i] = *number;
  }
  if (dash != text.npos || parts.size() == 3)  // hours come first
    return Seconds(*days * 86400 + field[0] * 3600 + field[1] * 60 + field[2]);
  return Seconds(field[0] * 60 + field[1]);
}

}  // namespace maui::migrate
