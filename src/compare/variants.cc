#include "compare/variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "base/text.h"

namespace maui::compare {
namespace {

/// Parameters of live sites that have no meaning in a replay.
constexpr std::string_view kIgnored[] = {
    "RMCFG",
    "RMTYPE",
    "RMSERVER",
    "BANKTYPE",
    "BANKSERVER",
    "JOBATTRIBUTEPROGRAM",
    "PRIORITYPROGRAM",
    "FAIRNESSPROGRAM",
    "BACKFILLPROGRAM",
    "NODEALLOCATIONPROGRAM",
    "FEEDBACKPROGRAM",
    "NOTIFICATIONPROGRAM",
    "MAUIHOMEDIR",
    "SIMRESOURCETRACEFILE",
    "SIMWORKLOADTRACEFILE",
    "SIMJOBSSUBMISSIONPOLICY",
    "SIMSTEPPOLICY",
    "SIMSTOPITERATION",
    "SIMEXITITERATION",
    "SIMTIMERATIO",
    "SIMSTARTTIME",
};

std::string ignored_by(const Configuration& configuration) {
  std::vector<std::string> names;
  for (const auto name : kIgnored)
    if (configuration.says(name)) names.emplace_back(name);
  return join(names, ", ");
}

/// Names files by their last component, or by the whole path if components are equal.
std::vector<std::string> short_names(const std::vector<std::string>& files) {
  std::map<std::string, int> count;
  const auto last = [](const std::string& file) {
    return std::filesystem::path(file).filename().string();
  };
  for (const auto& file : files) ++count[last(file)];
  std::vector<std::string> names;
  for (const auto& file : files) names.push_back(count[last(file)] > 1 ? file : last(file));
  return names;
}

Result<Configuration> read(const std::string& file, std::vector<std::string>& notes) {
  auto reading = Configuration::read(file);
  std::string problems;
  for (const auto& diagnostic : reading.diagnostics) {
    if (diagnostic.warning)
      notes.push_back(diagnostic.text());
    else
      problems += (problems.empty() ? "" : "\n") + diagnostic.text();
  }
  if (!reading.found || !reading.usable())
    return Error{problems.empty() ? fmt::format("{}: cannot be read", file) : problems};
  if (const auto ignored = ignored_by(reading.configuration); !ignored.empty())
    notes.push_back(fmt::format("{}: no meaning in a comparison, ignored: {}", file, ignored));
  return std::move(reading.configuration);
}

bool same_rows(const Configuration& a, const Configuration& b) {
  const auto rows_a = a.rows(), rows_b = b.rows();
  return std::equal(
      rows_a.begin(), rows_a.end(), rows_b.begin(), rows_b.end(),
      [](const auto& x, const auto& y) { return x.name == y.name && x.value == y.value; });
}

void add(Variants& variants, Variant variant) {
  const auto equal = std::find_if(
      variants.all.begin(), variants.all.end(),
      [&](const Variant& known) { return same_rows(known.configuration, variant.configuration); });
  if (equal == variants.all.end())
    variants.all.push_back(std::move(variant));
  else
    variants.notes.push_back(
        fmt::format("{} is the same as {}: it is not run again", variant.name, equal->name));
}

/// Adds each combination of the choices; the last choice varies fastest.
Status add_choices(Variants& variants, const Variant& from, const std::vector<Choice>& choices,
                   bool name_file) {
  std::vector<std::size_t> at(choices.size(), 0);
  for (;;) {
    Variant variant{name_file ? from.name : std::string(), from.configuration};
    for (std::size_t i = 0; i < choices.size(); ++i) {
      const auto& [parameter, values] = choices[i];
      const auto given = words(values[at[i]]);
      if (const auto set = variant.configuration.set(
              parameter, std::vector<std::string>(given.begin(), given.end()),
              /*at_runtime=*/false);
          !set)
        return Error{fmt::format("--set {}={}: {}", parameter, values[at[i]], set.error().what)};
      variant.name +=
          fmt::format("{}{}={}", variant.name.empty() ? "" : " ", parameter, values[at[i]]);
    }
    add(variants, std::move(variant));
    auto i = choices.size();
    while (i > 0 && ++at[i - 1] == choices[i - 1].values.size()) at[--i] = 0;
    if (i == 0) return Done{};
  }
}

}  // namespace

Result<Choice> parse_choice(std::string_view text) {
  // NAME may have an index in brackets, and a value may contain "=": USERCFG[amy]=PRIORITY=5.
  const auto equals = text.find('=');
  if (equals == 0 || equals == text.npos || equals + 1 == text.size())
    return Error{fmt::format("invalid value '{}': expected NAME=VALUE or NAME=VALUE,VALUE", text)};
  Choice choice{std::string(trimmed(text.substr(0, equals))), {""}};
  for (std::size_t i = equals + 1; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ',')
      choice.values.back() += text[++i];
    else if (text[i] == ',')
      choice.values.emplace_back();
    else
      choice.values.back() += text[i];
  }
  for (const auto& value : choice.values)
    if (trimmed(value).empty())
      return Error{fmt::format("expected a value between the commas of '{}'", text)};
  return choice;
}

Result<Variants> read_bases(const std::vector<std::string>& files) {
  Variants bases;
  if (files.empty()) bases.all.push_back({"defaults", Configuration()});
  const auto names = short_names(files);
  for (std::size_t i = 0; i < files.size(); ++i) {
    auto configuration = read(files[i], bases.notes);
    if (!configuration) return configuration.error();
    bases.all.push_back({names[i], *std::move(configuration)});
  }
  return bases;
}

Result<Variants> make_variants(Variants bases, const std::vector<Choice>& choices) {
  for (const auto& choice : choices)
    if (const auto* const at =
            std::find(std::begin(kIgnored), std::end(kIgnored), upper(choice.parameter));
        at != std::end(kIgnored))
      return Error{fmt::format("--set {}: it has no meaning in a comparison", choice.parameter)};
  Variants variants{{}, std::move(bases.notes)};
  for (const auto& base : bases.all) add(variants, base);
  if (choices.empty()) return variants;
  for (const auto& base : bases.all)
    if (auto status = add_choices(variants, base, choices, bases.all.size() > 1); !status)
      return status.error();
  return variants;
}

}  // namespace maui::compare
