#include "cmd/facts/job_script.h"

#include <fmt/format.h>

#include <optional>
#include <span>
#include <utility>

#include "base/text.h"
#include "cmd/facts/script_options.h"
#include "cmd/facts/script_reading.h"

namespace maui {
namespace {

/// Splits a line into words as a shell does; a # at the start of a word begins a comment.
Result<std::vector<std::string>> shell_words(std::string_view line) {
  std::vector<std::string> found;
  std::string word;
  bool inside = false;
  char quote = 0;
  for (const char c : line) {
    if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      inside = true;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      if (inside) found.push_back(std::exchange(word, {}));
      inside = false;
    } else if (c == '#' && !inside) {
      break;
    } else {
      word += c;
      inside = true;
    }
  }
  if (quote != 0) return Error{"unclosed quotation mark"};
  if (inside) found.push_back(std::move(word));
  return found;
}

const ScriptOption* find_option(std::span<const ScriptOption> options, std::string_view word) {
  if (word.starts_with("--")) {
    const auto name = word.substr(2, word.find('=') == word.npos ? word.npos : word.find('=') - 2);
    for (const ScriptOption& option : options)
      if (!option.name.empty() && option.name == name) return &option;
  } else if (word.size() > 1 && word[0] == '-') {
    for (const ScriptOption& option : options)
      if (option.letter == word[1]) return &option;
  }
  return nullptr;
}

Status read_directive(ScriptReading& reading, std::span<const ScriptOption> options,
                      std::string_view line) {
  const auto parted = shell_words(line);
  if (!parted) return parted.error();
  for (std::size_t i = 0; i < parted->size(); ++i) {
    const std::string& word = (*parted)[i];
    const ScriptOption* option = find_option(options, word);
    if (option == nullptr) {
      reading.pass_over(word);
      // Skips the option's value if that is a separate word.
      if (word.find('=') == word.npos && i + 1 < parted->size() && (*parted)[i + 1][0] != '-') ++i;
      continue;
    }
    const bool is_long = word.starts_with("--");
    std::optional<std::string> value;
    if (const auto equals = word.find('='); is_long && equals != word.npos)
      value = word.substr(equals + 1);
    else if (!is_long && word.size() > 2)
      value = word.substr(word[2] == '=' ? 3 : 2);
    else if (option->has_value && i + 1 < parted->size())
      value = (*parted)[++i];
    const auto name = is_long ? word.substr(0, word.find('=')) : word.substr(0, 2);
    if (option->has_value && !value)
      return Error{fmt::format("{} must be followed by a value", name)};
    if (option->read == nullptr) continue;
    if (auto status = option->read(reading, value.value_or("")); !status)
      return Error{fmt::format("{}: {}", name, status.error().what)};
  }
  return Done{};
}

}  // namespace

Result<JobScript> read_job_script(std::string_view text, std::uint64_t most_hosts) {
  ScriptReading reading(most_hosts);
  int number = 0;
  bool any = false;
  for (const auto whole : split(text, '\n')) {
    ++number;
    const auto line = trimmed(whole);
    if (!line.empty() && line.front() != '#') break;
    const bool slurm = line.starts_with("#SBATCH"), pbs = line.starts_with("#PBS");
    if (!slurm && !pbs) continue;
    any = true;
    const auto rest = line.substr(slurm ? 7 : 4);
    const auto options = slurm ? slurm_script_options() : pbs_script_options();
    if (auto status = read_directive(reading, options, rest); !status)
      return Error{fmt::format("line {}: {}", number, status.error().what)};
  }
  if (!any) return Error{"no line begins with #SBATCH or #PBS before the first command"};
  return reading.settled();
}

}  // namespace maui
