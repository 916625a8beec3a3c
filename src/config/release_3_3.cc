#include "config/release_3_3.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/text.h"
#include "config/parser.h"

namespace maui::config {
namespace {

constexpr std::array kDefaults = {
    OldDefault{"NODEACCESSPOLICY", "SHARED", "a node serves one job at a time", "", true},
    OldDefault{"JOBMAXOVERRUN", "00:10:00", "jobs end at their wallclock limit"},
    OldDefault{"SYSTEMDEFAULTJOBWALLTIME", "99:23:59:59",
               "a job without a wallclock limit ends after 10 days"},
    OldDefault{"XFMINWCLIMIT", "00:02:00", "the expansion factor of very short jobs grows faster"},
    OldDefault{"USESYSTEMQUEUETIME", "TRUE",
               "a job that is over a limit of active jobs gains priority by waiting"},
    OldDefault{"FSINTERVAL", "12:00:00", "a fairshare window is twice as long"},
    OldDefault{"FSDEPTH", "8", "fairshare counts 7 windows"},
    OldDefault{"NODEDOWNSTATEDELAYTIME", "1:00:00",
               "a node that is down is planned for only after DOWNNODEDELAYTIME, a day",
               "DOWNNODEDELAYTIME"},
    OldDefault{"NODEPURGETIME", "INFINITY",
               "a node that is no longer reported is forgotten at once", "PURGETIME"},
};

std::string_view parameter_in(const Line& line) {
  return std::string_view(line.name).substr(0, line.name.find('['));
}

/// Returns a comment without its signs; of another line, nothing.
std::string_view comment_in(std::string_view line) {
  const auto text = trimmed(line);
  const auto begin = text.find_first_not_of('#');
  return begin == 0 || begin == text.npos ? std::string_view() : trimmed(text.substr(begin));
}

}  // namespace

std::span<const OldDefault> defaults_of_3_3() { return kDefaults; }

std::vector<OldDefault> old_defaults_needed(const std::function<bool(std::string_view)>& says) {
  std::vector<OldDefault> needed;
  std::copy_if(kDefaults.begin(), kDefaults.end(), std::back_inserter(needed),
               [&](const OldDefault& row) {
                 return !says(row.parameter) && (row.unless.empty() || !says(row.unless));
               });
  return needed;
}

bool is_of_3_3(std::string_view text) {
  if (text.starts_with(kMigratedMark)) return false;
  for (const auto line : split(text, '\n'))
    if (lower(comment_in(line)).starts_with("maui.cfg 3.")) return true;
  const auto lines = parse_lines(text);
  return std::any_of(lines.begin(), lines.end(),
                     [](const Line& line) { return only_of_3_3(parameter_in(line)); });
}

bool is_showconfig_of_3_3(std::string_view text) {
  if (text.starts_with(kMigratedMark)) return false;
  const auto lines = split(text, '\n');
  return std::any_of(lines.begin(), lines.end(), [](std::string_view line) {
    return trimmed(line).starts_with("# Maui version 3.") && line.find("(PID: ") != line.npos;
  });
}

std::vector<WokenFlags> woken_flags(std::string_view text) {
  std::vector<WokenFlags> found;
  for (const auto& line : parse_lines(text)) {
    if (!same_word(parameter_in(line), "QOSCFG")) continue;
    for (const auto& word : line.words)
      if (upper(word).starts_with("FLAGS=") && !same_word(word, "FLAGS=") &&
          !same_word(word, "FLAGS=[NONE]"))
        found.push_back({line.number, line.name + " " + word});
  }
  return found;
}

std::vector<std::string> warnings_of_3_3(std::string_view text,
                                         const std::function<bool(std::string_view)>& says) {
  std::vector<std::string> found;
  if (!is_of_3_3(text)) return found;
  std::string list;
  for (const auto& row : old_defaults_needed(says))
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", row.parameter, row.value);
  if (!list.empty())
    found.push_back(
        fmt::format("this file is of release 3.3, whose defaults differ from those here: {}; set "
                    "them, as maui --migrate does, or set the values that you want instead",
                    list));
  std::string flags;
  for (const auto& woken : woken_flags(text))
    flags += fmt::format("{}{} (line {})", flags.empty() ? "" : ", ", woken.what, woken.line);
  if (!flags.empty()) found.push_back(fmt::format("{}: {}", flags, kWokenFlags));
  return found;
}

}  // namespace maui::config
