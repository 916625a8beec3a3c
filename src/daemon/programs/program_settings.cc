#include "daemon/programs/program_settings.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/text.h"

namespace maui {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> places_of(std::string_view name, const std::string& home) {
  if (name.starts_with('/')) return {std::string(name)};
  return {fmt::format("{}/tools/{}", home, name), fmt::format("{}/{}", home, name)};
}

}  // namespace

std::vector<ProgramSetting> program_settings(const Settings& settings, const std::string& home) {
  std::vector<ProgramSetting> found;
  const auto add = [&](std::string parameter, const std::string& name) {
    if (!name.empty()) found.push_back({std::move(parameter), places_of(name, home)});
  };
  add("FEEDBACKPROGRAM", settings.jobs.feedback_program);
  add("NOTIFICATIONPROGRAM", settings.jobs.notification_program);
  for (const auto& row : kLocalPrograms)
    add(std::string(row.parameter), settings.local.*row.member);
  for (const auto& [index, standing] : settings.standing_reservations)
    for (const auto& trigger : standing.triggers) {
      if (trigger.data.empty()) continue;  // the trigger cancels
      add(fmt::format("SRCFG[{}] TRIGGER", index), trigger.data);
      found.back().submitted = trigger.action == TriggerAction::submit;
    }
  for (const auto& [index, manager] : settings.resource_managers) {
    if (!manager.type.starts_with("NATIVE")) continue;
    for (const NativeRequest& request : kNativeRequests) {
      const auto text = manager.urls.find(request.request);
      const auto url = text == manager.urls.end() ? Result<ProgramUrl>(Error{})
                                                  : parse_program_url(text->second);
      if (!url) continue;
      add(fmt::format("RMCFG[{}] {}", index, request.attribute), url->path);
      found.back().read = url->is_file;
    }
  }
  if (auto chooser = node_program_path(settings, home); !chooser.empty())
    found.push_back({"NODEALLOCATIONPROGRAM", {std::move(chooser)}});
  return found;
}

Result<std::string> first_usable(const ProgramSetting& setting) {
  const bool reads = setting.submitted || setting.read;
  const int use = reads ? R_OK : X_OK;
  for (const auto& place : setting.places) {
    std::error_code unknown;
    if (fs::is_regular_file(place, unknown) && ::access(place.c_str(), use) == 0) return place;
  }
  return Error{fmt::format("'{}' is missing or not {}", setting.places.front(),
                           reads ? "readable" : "executable")};
}

Result<std::string> find_program(std::string_view name, const std::string& home) {
  return first_usable({{}, places_of(name, home)});
}

std::string place_of_url(const ProgramUrl& url, const std::string& home) {
  ProgramSetting wanted{{}, places_of(url.path, home)};
  wanted.read = url.is_file;
  const auto place = first_usable(wanted);
  return place ? *place : wanted.places.front();
}

Result<std::string> find_script(std::string_view name, const std::string& home) {
  return first_usable({{}, places_of(name, home), /*submitted=*/true});
}

std::string program_on_path(std::string_view name) {
  const char* const path = std::getenv("PATH");
  for (const auto folder : split(path == nullptr ? "" : path, ':')) {
    auto place = fmt::format("{}/{}", folder, name);
    if (!folder.empty() && ::access(place.c_str(), X_OK) == 0) return place;
  }
  return {};
}

std::string submit_program() {
  for (const char* name : {"qsub", "sbatch", "llsubmit"})
    if (auto place = program_on_path(name); !place.empty()) return place;
  return {};
}

std::string node_program_path(const Settings& settings, const std::string& home) {
  const auto& name = settings.node.allocation_program;
  return name.empty() ? std::string() : (fs::path(home) / name).string();
}

}  // namespace maui
