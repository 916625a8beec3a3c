#include "proto/arguments.h"

#include <fmt/format.h>

#include <cctype>

#include "base/text.h"
#include "proto/general_options.h"
#include "proto/gone_flags.h"

namespace maui {
namespace {

bool looks_like_flags(std::string_view word) {
  return word.size() > 1 && word[0] == '-' &&
         std::isdigit(static_cast<unsigned char>(word[1])) == 0;
}

const GeneralOption* find_general(char letter) {
  for (const auto& option : general_options())
    if (option.is(letter)) return &option;
  return nullptr;
}

const GeneralOption* find_general(std::string_view name) {
  for (const auto& option : general_options())
    if (option.name == name) return &option;
  return nullptr;
}

class Parser {
 public:
  Parser(const CommandSpec& spec, std::span<const std::string> words) : spec_(spec), words_(words) {
    result_.request.command = spec.name;
  }

  Result<Invocation> run() {
    bool flags_over = false;
    while (at_ < words_.size()) {
      const std::string& word = words_[at_++];
      Status status = Done{};
      if (flags_over || !looks_like_flags(word))
        result_.request.operands.push_back(word);
      else if (word == "--")
        flags_over = true;
      else if (word.starts_with("--"))
        status = long_option(std::string_view(word).substr(2));
      else
        status = cluster(std::string_view(word).substr(1));
      if (!status) return status.error();
    }
    auto& general = result_.general;
    // -h alone is a request for help if the command needs operands (-h may be a flag, as of holds).
    if (words_.size() == 1 && words_.front() == "-h" && spec_.min_operands > 0) general.help = true;
    if (general.help || general.version || general.about) return result_;
    move_operand_to_flag();
    if (auto status = check_request(spec_, result_.request); !status) return status.error();
    return result_;
  }

 private:
  const std::string* next_word() { return at_ < words_.size() ? &words_[at_++] : nullptr; }

  Status long_option(std::string_view text) {
    const auto equals = text.find('=');
    const auto name = text.substr(0, equals);
    std::optional<std::string_view> value;
    if (equals != std::string_view::npos) value = text.substr(equals + 1);
    if (const auto* option = find_general(name))
      return general(*option, value, "--" + std::string(name));
    for (const Flag& flag : spec_.flags)
      if (!flag.name.empty() && flag.name == name)
        return own(flag, value, "--" + std::string(name));
    return Error{fmt::format("{}: unknown option '--{}'", spec_.name, name)};
  }

  Status cluster(std::string_view letters) {
    while (!letters.empty()) {
      const char letter = letters.front();
      letters.remove_prefix(1);
      std::optional<std::string_view> rest;
      if (!letters.empty()) rest = letters;
      // A flag of the command takes precedence over a general option with the same letter.
      const Flag* flag = find_flag(spec_, std::string_view(&letter, 1));
      const auto* option = flag == nullptr ? find_general(letter) : nullptr;
      if (option == nullptr && flag == nullptr) {
        if (const GoneFlag* gone = gone_flag(spec_.name, letter))
          return Error{fmt::format("{}: -{} {}", spec_.name, letter, gone->instead)};
        return Error{fmt::format("{}: unknown flag '-{}'", spec_.name, letter)};
      }
      const bool takes_value = !(option != nullptr ? option->argument : flag->argument).empty();
      const auto value = takes_value ? rest : std::nullopt;
      auto status = option != nullptr ? general(*option, value, fmt::format("-{}", letter))
                                      : own(*flag, value, fmt::format("-{}", letter));
      if (!status || takes_value) return status;
    }
    return Done{};
  }

  Status general(const GeneralOption& option, std::optional<std::string_view> value,
                 const std::string& name) {
    if (option.argument.empty() && value)
      return Error{fmt::format("{}: {} takes no value", spec_.name, name)};
    if (!option.argument.empty() && !value) {
      const auto* word = next_word();
      if (word == nullptr)
        return Error{
            fmt::format("{}: {} must be followed by {}", spec_.name, name, option.argument)};
      value = *word;
    }
    auto status = option.apply(result_.general, value.value_or(""));
    if (!status) return Error{fmt::format("{}: {}: {}", spec_.name, name, status.error().what)};
    return status;
  }

  Status own(const Flag& flag, std::optional<std::string_view> value, const std::string& name) {
    if (flag.argument.empty() && value)
      return Error{fmt::format("{}: {} takes no value", spec_.name, name)};
    if (!flag.argument.empty() && !value) {
      const bool leave =
          flag.optional_argument && (at_ == words_.size() || looks_like_flags(words_[at_]));
      if (const auto* word = leave ? nullptr : next_word()) value = *word;
    }
    result_.request.flags.emplace(
        flag.letter != 0 ? std::string(1, flag.letter) : std::string(flag.name),
        value.value_or(""));
    return Done{};
  }

  // "diagnose -n -t PARTITION NODE" (guide G): moves an operand to the only flag with an optional
  // value that has none.
  void move_operand_to_flag() {
    auto& request = result_.request;
    if (spec_.max_operands != 0 || request.operands.size() != 1) return;
    std::string* open = nullptr;
    for (auto& [key, value] : request.flags) {
      const Flag* flag = find_flag(spec_, key);
      if (!flag->optional_argument || !value.empty()) continue;
      if (open != nullptr) return;
      open = &value;
    }
    if (open == nullptr) return;
    *open = request.operands.front();
    request.operands.clear();
  }

  const CommandSpec& spec_;
  std::span<const std::string> words_;
  std::size_t at_ = 0;
  Invocation result_;
};

}  // namespace

Result<Invocation> parse_arguments(const CommandSpec& spec, std::span<const std::string> words) {
  return Parser(spec, words).run();
}

}  // namespace maui
