#include "config/configuration.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "base/text.h"
#include "config/attributes.h"
#include "config/files.h"
#include "config/values.h"

namespace maui {

namespace {

// What no line says wrong, and all together do.
std::string contradiction(const Settings& settings) {
  const auto& bank = settings.allocations;
  const bool server =
      bank.type != AllocationManagerType::none && bank.type != AllocationManagerType::file;
  if (server && bank.host.empty())
    return "BANKTYPE names an allocation manager: expected its host, too (BANKSERVER)";
  return {};
}

std::string secret_of(const config::Values& secrets) {
  for (const auto& [key, value] : secrets)
    if (key.parameter->name == "SECRET" && !value.empty()) return value.front();
  return {};
}

}  // namespace

struct Configuration::State {
  config::Values values;   // of maui.cfg and changeparam
  config::Values secrets;  // of maui-private.cfg
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
  const auto errors =
      config::read_values(text, name, config::File::open, made.state_->values, diagnostics);
  if (errors > 0) return config::refusal(name, errors);
  made.state_->settings = config::settings_of(made.state_->values);
  return made;
}

Result<Configuration> Configuration::load(const std::string& path,
                                          std::vector<Diagnostic>& diagnostics) {
  const auto text = config::read_file(path);
  if (!text) {
    diagnostics.push_back({path, 0, text.error().what});
    return Error{fmt::format("{}: {}", path, text.error().what)};
  }
  const auto before = diagnostics.size();
  auto made = parse(*text, path, diagnostics);
  config::Values secrets;
  auto errors = config::read_private(path, secrets, diagnostics);
  if (made) {
    auto& state = *made->state_;
    const auto& file = state.settings.fairshare.config_file;
    const bool of_its_own = file != FairshareSettings{}.config_file;
    errors += config::read_fairshare(path, file, of_its_own, state.values, diagnostics);
    state.settings = config::settings_of(state.values);
    if (auto problem = contradiction(state.settings); !problem.empty()) {
      diagnostics.push_back({path, 0, std::move(problem)});
      ++errors;
    }
  }
  if (!made || errors > 0) {
    std::size_t all = 0;
    for (std::size_t i = before; i < diagnostics.size(); ++i) all += diagnostics[i].warning ? 0 : 1;
    return config::refusal(path, all);
  }
  made->state_->secret = secret_of(secrets);
  made->state_->secrets = std::move(secrets);
  return made;
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
  if (at_runtime && key->parameter->change == config::Change::at_restart)
    return Error{
        fmt::format("{} takes effect only when the scheduler starts: set it in maui.cfg "
                    "and restart",
                    key->parameter->name)};
  auto words = config::checked(*key, values);
  if (!words) return words.error();
  config::add(state_->values, *key, std::move(words).value());
  state_->settings = config::settings_of(state_->values);
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

std::vector<Configuration::Row> Configuration::rows(bool all) const {
  return config::rows_of(state_->values, all);
}

std::vector<std::string> Configuration::without_effect() const {
  auto found = config::without_effect(state_->values);
  for (auto& name : config::without_effect(state_->secrets)) found.push_back(std::move(name));
  return found;
}

}  // namespace maui
