#include "daemon/options.h"

#include <fmt/format.h>

#include "base/text.h"

namespace maui {
namespace {

struct Option {
  std::string_view name;      // after --
  char letter;                // after -, or 0
  std::string_view argument;  // empty: none; in brackets: may be left out
  std::string_view help;
  Status (*apply)(ProgramOptions& options, std::string_view value);
};

template <auto Member>
Status switch_on(ProgramOptions& options, std::string_view) {
  options.*Member = true;
  return Done{};
}

Status set_level(ProgramOptions& options, std::string_view value) {
  options.log_level = parse_integer<int>(value);
  if (!options.log_level || *options.log_level < 0 || *options.log_level > 9)
    return Error{fmt::format("expected a number from 0 to 9, not '{}'", value)};
  return Done{};
}

Status set_file(ProgramOptions& options, std::string_view value) {
  if (value.empty()) return Error{"expected a file"};
  options.config_file = value;
  return Done{};
}

Status check_file(ProgramOptions& options, std::string_view value) {
  options.check_config = true;
  if (!value.empty()) options.config_file = value;
  return Done{};
}

constexpr Option kOptions[] = {
    {"check-config", 0, "[FILE]", "say what is wrong with maui.cfg, or FILE, and end", check_file},
    {"configfile", 'C', "FILE", "read this file instead of maui.cfg", set_file},
    {"foreground",
     0,
     {},
     "do not go to the background; a simulation never does",
     switch_on<&ProgramOptions::foreground>},
    {"generate-key",
     0,
     {},
     "put a new secret into maui-private.cfg, and end",
     switch_on<&ProgramOptions::generate_key>},
    {"help", 'h', {}, "show this text", switch_on<&ProgramOptions::help>},
    {"loglevel", 'L', "LEVEL", "log so much from the start, whatever LOGLEVEL says, 0 to 9",
     set_level},
    {"version", 0, {}, "show the release", switch_on<&ProgramOptions::version>},
};

const Option* find_option(std::string_view word, std::string_view& value, bool& attached) {
  attached = false;
  for (const Option& option : kOptions) {
    if (word.starts_with("--")) {
      const auto name =
          word.substr(2, word.find('=') == word.npos ? word.npos : word.find('=') - 2);
      if (name != option.name) continue;
      attached = word.find('=') != word.npos;
      if (attached) value = word.substr(word.find('=') + 1);
      return &option;
    }
    if (option.letter == 0 || !word.starts_with('-') || word.size() < 2 || word[1] != option.letter)
      continue;
    attached = word.size() > 2;
    if (attached) value = word.substr(2);
    return &option;
  }
  return nullptr;
}

}  // namespace

Result<ProgramOptions> parse_program_options(std::span<const std::string> words) {
  ProgramOptions options;
  for (std::size_t at = 0; at < words.size(); ++at) {
    std::string_view value;
    bool attached = false;
    const Option* option = find_option(words[at], value, attached);
    if (option == nullptr) return Error{fmt::format("unknown option '{}'", words[at])};
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
  return options;
}

std::string program_usage() {
  std::string text =
      "Usage: maui [OPTIONS]\nThe scheduler.  SERVERMODE in maui.cfg says how it runs.\n\n";
  for (const Option& option : kOptions) {
    std::string left = "  ";
    if (option.letter != 0) left += fmt::format("-{}, ", option.letter);
    left += fmt::format("--{}", option.name);
    if (!option.argument.empty()) left += fmt::format(" {}", option.argument);
    text += fmt::format("{:<28}{}\n", left, option.help);
  }
  return text;
}

}  // namespace maui
