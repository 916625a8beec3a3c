#include "migrate/migrate.h"

#include <algorithm>

#include "base/text.h"
#include "config/parameters.h"
#include "config/parser.h"
#include "config/release_3_3.h"
#include "migrate/writer.h"

namespace maui::migrate {
namespace {

/// True for a line NAME=VALUE that only slurm.conf can have.
bool is_slurms(std::string_view line) {
  const auto equals = line.find('=');
  if (equals == line.npos) return false;
  const auto name = lower(trimmed(line.substr(0, equals)));
  if (name.find_first_of(" \t[") != name.npos) return false;
  constexpr std::string_view kNames[] = {"clustername", "slurmctldhost", "controlmachine",
                                         "nodename",    "partitionname", "slurmuser"};
  constexpr std::string_view kBeginnings[] = {"slurm",  "priority", "scheduler",
                                              "select", "preempt",  "accountingstorage"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames) ||
         std::any_of(std::begin(kBeginnings), std::end(kBeginnings),
                     [&](std::string_view beginning) { return name.starts_with(beginning); });
}

/// True for a line that only moab.cfg can have: a name or a form of object of Moab's own.
bool is_moabs(const config::Line& line) {
  const auto name = upper(line.name.substr(0, line.name.find('[')));
  if (name == "SCHEDCFG")
    return std::any_of(line.words.begin(), line.words.end(), [](const std::string& word) {
      return upper(word).starts_with("SERVER=") || upper(word).starts_with("MODE=");
    });
  if (config::find_parameter(name) != nullptr) return false;
  const auto table = moab_translations();
  return std::any_of(table.begin(), table.end(),
                     [&](const Translation& row) { return row.name == name; });
}

}  // namespace

bool is_moabs_include(std::string_view line) {
  constexpr std::string_view kWord = "#INCLUDE";
  return upper(line.substr(0, kWord.size())) == kWord && line.size() > kWord.size() &&
         (line[kWord.size()] == ' ' || line[kWord.size()] == '\t');
}

std::string_view name_of(Source source) {
  switch (source) {
    case Source::maui:
      return "Maui";
    case Source::moab:
      return "Moab";
    case Source::slurm:
      return "Slurm";
  }
  return {};
}

std::optional<Source> detect(std::string_view text) {
  if (config::is_showconfig_of_3_3(text)) return Source::maui;
  int slurm = 0, known = 0;
  bool moab = false;
  for (const auto line : split(text, '\n')) {
    const auto bare = trimmed(line);
    if (is_moabs_include(bare))
      moab = true;
    else if (!bare.empty() && bare.front() != '#')
      slurm += is_slurms(bare);
  }
  for (const auto& line : config::parse_lines(text)) {
    const auto name = std::string_view(line.name).substr(0, line.name.find('['));
    known += config::find_parameter(name) != nullptr;
    moab = moab || is_moabs(line);
  }
  if (slurm > known) return Source::slurm;
  if (moab) return Source::moab;
  if (known > 0) return Source::maui;
  return std::nullopt;
}

Result<Migration> migrate(std::string_view text, std::string_view name,
                          std::span<const NamedText> sacctmgr) {
  const auto source = detect(text);
  if (!source)
    return Error{fmt::format(
        "'{}' is neither a maui.cfg nor a moab.cfg nor a slurm.conf: no line is a setting of these",
        name)};
  if (*source == Source::slurm) return from_slurm(text, name, sacctmgr);
  if (!sacctmgr.empty())
    return Error{fmt::format("'{}' is a file of {}: --sacctmgr requires a slurm.conf", name,
                             name_of(*source))};
  return from_maui(text, name, *source);
}

}  // namespace maui::migrate
