#include "config/configuration.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.h"
#include "config/advice.h"
#include "config/attributes.h"
#include "config/contradictions.h"
#include "config/files.h"
#include "config/parser.h"
#include "config/rows.h"
#include "config/values.h"

namespace maui {

namespace {

std::string secret_of(const config::Values& secrets) {
  for (const auto& [key, value] : secrets)
    if (key.parameter->name == "SECRET" && !value.empty()) return value.front();
  return {};
}

/// Returns the help about "NAME" or, for an attribute, "OBJECT NAME", as part of a sentence.
std::string help_on(const std::string& name) {
  const auto blank = name.find(' ');
  const auto* parameter = config::find_parameter(std::string_view(name).substr(0, blank));
  if (parameter == nullptr) return {};
  std::string help;
  if (blank == name.npos) {
    help = parameter->help;
  } else if (parameter->attributes) {
    for (const auto& attribute : *parameter->attributes)
      if (attribute.name == name.substr(blank + 1)) help = attribute.help;
  }
  if (help.ends_with('.')) help.pop_back();
  if (help.size() > 1 && help[1] >= 'a' && help[1] <= 'z')
    help.replace(0, 1, lower(help.substr(0, 1)));
  return help;
}

/// Returns the sentence about "NAME" or, for an attribute, "OBJECT NAME".
std::string effectless(const std::string& name) {
  const auto* parameter = config::find_parameter(name);
  if (parameter != nullptr && !parameter->reason.empty())
    return fmt::format("{} has no effect: {}", name, parameter->reason);
  const auto help = help_on(name);
  return fmt::format("{} is set but has no effect in this release{}", name,
                     help.empty() ? "" : fmt::format(" ({})", help));
}

/// Returns the warnings about a line that sets this, by itself.
std::vector<std::string> warnings_of_line(std::string_view parameter,
                                          const std::vector<std::string>& values) {
  const auto name = config::parse_name(trimmed(parameter));
  if (!name) return {};
  const auto key = config::resolve(*name, config::File::open);
  const auto words = config::parse_value(values);
  if (!key || !words) return {};
  auto found = config::advice_on_line(*key, {0, std::string(trimmed(parameter)), *words, {}});
  auto canonical = config::checked(*key, *words);
  if (!canonical) return found;
  config::Values of_line;
  config::add(of_line, *key, *std::move(canonical));
  for (const auto& idle : config::without_effect(of_line)) found.push_back(effectless(idle));
  return found;
}

config::ClientWays ways_in(const config::Words& value) {
  config::ClientWays ways;
  for (const auto& word : value)
    for (const auto part : split(word, ',')) {
      ways.checksum |= part == "CHECKSUM";
      ways.munge |= part == "MUNGE";
      ways.secure_port |= part == "SECUREPORT";
    }
  return ways;
}

}  // namespace

struct Configuration::State {
  config::Values values;   // from maui.cfg and changeparam
  config::Values secrets;  // from maui-private.cfg
  Settings settings;
  std::string secret;
};

std::string Diagnostic::text() const {
  std::string where = file;
  if (line > 0) where += fmt::format(":{}", line);
  return fmt::format("{}{}{}{}", warning ? "WARNING: " : "", where, where.empty() ? "" : ": ",
                     message);
}

Configuration::Configuration() : state_(new State) {}
Configuration::~Configuration() { delete state_; }
Configuration::Configuration(const Configuration& other) : state_(new State(*other.state_)) {}
Configuration::Configuration(Configuration&& other) noexcept
    : state_(std::exchange(other.state_, nullptr)) {}

Configuration& Configuration::operator=(const Configuration& other) {
  if (this != &other) *this = Configuration(other);
  return *this;
}

Configuration& Configuration::operator=(Configuration&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

Result<Configuration> Configuration::parse(std::string_view text, const std::string& name,
                                           std::vector<Diagnostic>& diagnostics) {
  Configuration made;
  const auto errors = config::read_values(text, name, config::File::open, made.state_->values,
                                          diagnostics, nullptr);
  if (errors > 0) return config::refusal(name, errors);
  made.state_->settings = config::settings_of(made.state_->values);
  return made;
}

void Configuration::read_files_beside(const std::string& path,
                                      std::vector<Diagnostic>& diagnostics) {
  config::read_private(path, state_->secrets, diagnostics);
  state_->secret = secret_of(state_->secrets);
  const auto& file = config::settings_of(state_->values).fairshare.config_file;
  const bool of_its_own = file != FairshareSettings{}.config_file;
  config::read_fairshare(path, file, of_its_own, state_->values, diagnostics);
  config::read_machine(path, state_->values, diagnostics);
}

void Configuration::apply(const std::vector<Override>& overrides,
                          std::vector<Diagnostic>& diagnostics) {
  for (const auto& setting : overrides)
    if (const auto status = set(setting.parameter, {setting.value}, /*at_runtime=*/false); !status)
      diagnostics.push_back({setting.option, 0, status.error().what});
}

Reading Configuration::read(const std::string& path, const std::vector<Override>& overrides) {
  Reading reading;
  auto& diagnostics = reading.diagnostics;
  const auto text = config::read_file(path);
  if (!text) {
    reading.found = false;
    diagnostics.push_back({path, 0, text.error().what});
    return reading;
  }
  auto& made = reading.configuration;
  config::read_values(*text, path, config::File::open, made.state_->values, diagnostics,
                      &reading.doubtful);
  made.read_files_beside(path, diagnostics);
  made.state_->settings = config::settings_of(made.state_->values);
  made.apply(overrides, diagnostics);
  for (auto& problem : config::contradictions(made.settings(), reading.doubtful))
    diagnostics.push_back({path, 0, std::move(problem)});
  return reading;
}

bool Reading::usable() const {
  return std::all_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& diagnostic) { return diagnostic.warning; });
}

Result<Configuration> Configuration::load(const std::string& path,
                                          std::vector<Diagnostic>& diagnostics,
                                          const std::vector<Override>& overrides) {
  auto reading = read(path, overrides);
  std::size_t errors = 0;
  for (const auto& diagnostic : reading.diagnostics) errors += diagnostic.warning ? 0 : 1;
  for (auto& diagnostic : reading.diagnostics) diagnostics.push_back(std::move(diagnostic));
  if (!reading.found) return Error{diagnostics.back().text()};
  if (errors > 0) return config::refusal(path, errors);
  return std::move(reading.configuration);
}

std::vector<std::string> Configuration::keep_until_restart(const Configuration& running) {
  auto kept = config::keep_until_restart(state_->values, running.state_->values);
  for (auto& name : config::keep_until_restart(state_->secrets, running.state_->secrets))
    kept.push_back(std::move(name));
  state_->settings = config::settings_of(state_->values);
  state_->secret = secret_of(state_->secrets);
  return kept;
}

Status Configuration::set(std::string_view parameter, const std::vector<std::string>& values,
                          bool at_runtime) {
  const auto name = config::parse_name(trimmed(parameter));
  if (!name) return name.error();
  const auto key = config::resolve(*name, config::File::open);
  if (!key) return key.error();
  const auto read = at_runtime ? config::parse_value(values) : Result<config::Words>(values);
  if (!read) return Error{fmt::format("{}: {}", parameter, read.error().what)};
  auto words = config::checked(*key, *read);
  if (!words) return words.error();
  if (auto status = config::in_place(*key, *words, config::File::open); !status) return status;
  if (at_runtime && key->parameter->change == config::Change::with_file)
    return Error{fmt::format("{} is read with maui.cfg: set it there, then run schedctl -R",
                             key->parameter->name)};
  if (at_runtime)
    if (const auto late = config::waits_for_restart(state_->values, *key, *words); !late.empty())
      return Error{
          fmt::format("{} takes effect only when the scheduler starts, since {}: set it in "
                      "maui.cfg and restart",
                      late, config::restart_reason(key->parameter->change))};
  auto next = state_->values;
  config::add(next, *key, std::move(words).value());
  next.lines.erase(*key);
  auto settings = config::settings_of(next);
  const auto wrong = config::contradictions(settings, {});
  if (!wrong.empty()) return Error{join(wrong, "; ")};
  state_->values = std::move(next);
  state_->settings = std::move(settings);
  return Done{};
}

const Settings& Configuration::settings() const { return state_->settings; }
const std::string& Configuration::secret() const { return state_->secret; }

std::string Configuration::key_of(std::string_view resource_manager) const {
  const auto own = fmt::format("RM:{}", resource_manager);
  std::string found;
  for (const auto& [key, words] : state_->secrets) {
    if (!same_word(key.index, own) && !same_word(key.index, resource_manager)) continue;
    if (key.parameter->name == "CLIENTKEY" && !words.empty()) found = words.front();
    if (key.parameter->name != "CLIENTCFG") continue;
    for (const auto& pair : words)
      if (const auto read = config::parse_pair(*key.parameter->attributes, pair);
          read && read->name == "KEY" && !read->value.empty())
        found = read->value.front();
  }
  return found;
}

config::ClientAuthentication Configuration::client_authentication() const {
  config::ClientAuthentication made;
  for (const auto& [key, words] : state_->values) {
    if (key.parameter->name != "CLIENTCFG") continue;
    for (const auto& word : words) {
      const auto pair = config::parse_pair(*key.parameter->attributes, word);
      if (!pair || pair->value.empty()) continue;
      if (pair->name == "AUTHTYPE") made.set_ways(key.index, ways_in(pair->value));
      if (pair->name == "MUNGESOCKET") made.set_munge_socket(key.index, pair->value.front());
    }
  }
  return made;
}

std::vector<config::Row> Configuration::rows() const {
  return config::rows_of(state_->values, true);
}

config::Listing Configuration::listing(bool all) const {
  return config::listing_of(state_->values, all);
}

std::vector<Configuration::Warning> Configuration::numbered_warnings() const {
  std::vector<Warning> found;
  const auto& lines = state_->values.idle_lines;
  for (const auto& name : without_effect()) {
    const auto at = lines.find(name);
    found.push_back({at == lines.end() ? 0 : at->second, effectless(name)});
  }
  for (auto& warning : config::advice(state_->values, state_->settings))
    found.push_back({0, std::move(warning)});
  return found;
}

std::vector<std::string> Configuration::warnings() const {
  std::vector<std::string> found;
  for (auto& warning : numbered_warnings()) found.push_back(std::move(warning.text));
  return found;
}

std::vector<std::string> Configuration::warnings_of_change(
    std::string_view parameter, const std::vector<std::string>& values,
    const std::vector<std::string>& known) const {
  auto found = warnings_of_line(parameter, values);
  const auto listed = [](const std::vector<std::string>& all, const std::string& warning) {
    return std::find(all.begin(), all.end(), warning) != all.end();
  };
  for (auto& warning : warnings())
    if (!listed(known, warning) && !listed(found, warning)) found.push_back(std::move(warning));
  return found;
}

bool Configuration::says(std::string_view parameter) const {
  return std::any_of(state_->values.begin(), state_->values.end(),
                     [&](const auto& row) { return row.first.parameter->name == parameter; });
}

bool Configuration::says(std::string_view parameter, std::string_view index,
                         std::string_view attribute) const {
  return config::says(state_->values, parameter, index, attribute);
}

int Configuration::line_of(std::string_view parameter) const {
  for (const auto& [key, line] : state_->values.lines)
    if (key.parameter->name == parameter) return line;
  return 0;
}

std::vector<std::string> Configuration::without_effect() const {
  auto found = config::without_effect(state_->values);
  for (auto& name : config::without_effect(state_->secrets)) found.push_back(std::move(name));
  return found;
}

}  // namespace maui
