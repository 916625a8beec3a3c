// The options of a program as a table: each row has an option's parser, and its text for help and
// manual.
//
// A value may be attached (--name=VALUE, -nVALUE) or be the next word; a word that is not an option
// is an operand, and so is every word after `--`.
#pragma once
#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/suggestions.h"
#include "base/text.h"
#include "maui/result.h"

namespace maui {

template <class Options>
struct OptionRow {
  std::string_view name;      // without the leading --
  char letter;                // without the leading -; 0: none
  std::string_view argument;  // empty: none; in brackets: optional
  std::string_view help;
  Status (*apply)(Options& options, std::string_view value);

  /// Returns "-C, --configfile FILE", for help and manual.
  std::string form() const {
    std::string text = letter != 0 ? fmt::format("-{}, ", letter) : "";
    text += fmt::format("--{}", name);
    return argument.empty() ? text : text + fmt::format(" {}", argument);
  }
};

/// Parses an option without a value.
template <auto Member, class Options>
Status switch_on(Options& options, std::string_view) {
  options.*Member = true;
  return Done{};
}

/// An option as found in a word.
template <class Options>
struct FoundOption {
  const OptionRow<Options>* row = nullptr;
  std::string_view value;
  bool attached = false;  // the value is part of the same word
};

template <class Options>
FoundOption<Options> find_option(std::span<const OptionRow<Options>> rows, std::string_view word) {
  for (const auto& row : rows) {
    if (word.starts_with("--")) {
      const auto equals = word.find('=');
      const auto name = word.substr(2, equals == word.npos ? equals : equals - 2);
      if (name != row.name) continue;
      if (equals == word.npos) return {&row, {}, false};
      return {&row, word.substr(equals + 1), true};
    }
    if (row.letter != 0 && word.size() > 1 && word[0] == '-' && word[1] == row.letter)
      return {&row, word.substr(2), word.size() > 2};
  }
  return {};
}

inline Error unknown_option(std::string_view word) {
  return Error{fmt::format("unknown option '{}'", word)};
}

/// Fills `options` and returns the operands.  An error names the option and what is expected; that
/// of an option without a row comes from `unknown`.
template <class Options>
Result<std::vector<std::string>> parse_options(
    std::span<const OptionRow<Options>> rows, std::span<const std::string> words, Options& options,
    Error (*unknown)(std::string_view) = unknown_option) {
  std::vector<std::string> operands;
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (words[at] == "--") {
      operands.insert(operands.end(), words.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                      words.end());
      break;
    }
    auto [option, value, attached] = find_option(rows, words[at]);
    if (option == nullptr) {
      if (words[at].size() > 1 && words[at][0] == '-') return unknown(words[at]);
      operands.push_back(words[at]);
      continue;
    }
    if (option->argument.empty() && attached)
      return Error{fmt::format("--{} takes no value", option->name)};
    const bool may_lack = option->argument.starts_with('[');
    if (!option->argument.empty() && !attached) {
      const bool more = at + 1 < words.size() && !(may_lack && words[at + 1].starts_with('-'));
      if (!more && !may_lack)
        return Error{fmt::format("--{} must be followed by {}", option->name, option->argument)};
      if (more) value = words[++at];
    }
    if (auto status = option->apply(options, value); !status)
      return Error{fmt::format("--{}: {}", option->name, status.error().what)};
  }
  return operands;
}

/// Returns the options as suggestions for a shell.
template <class Options>
Suggestions option_suggestions(std::span<const OptionRow<Options>> rows) {
  Suggestions all;
  for (const auto& row : rows)
    all.push_back({fmt::format("--{}", row.name), std::string(row.help)});
  return all;
}

/// Returns a paragraph for each option, for --help: at most 80 columns wide.
template <class Options>
std::string options_help(std::span<const OptionRow<Options>> rows) {
  constexpr std::size_t kIndent = 28, kWidth = 80;
  std::string text;
  for (const auto& row : rows) {
    std::string line = "  " + row.form();
    if (line.size() >= kIndent) {
      text += line + "\n";
      line.clear();
    }
    line.resize(kIndent, ' ');
    for (const auto word : words(row.help)) {
      const bool first = line.size() == kIndent;
      if (!first && line.size() + 1 + word.size() > kWidth) {
        text += line + "\n";
        line.assign(kIndent, ' ');
      } else if (!first) {
        line += ' ';
      }
      line += word;
    }
    text += line + "\n";
  }
  return text;
}

}  // namespace maui
