#include "profiler/command.h"

#include <fmt/format.h>

#include "base/outside_text.h"
#include "base/text.h"
#include "config/configuration.h"
#include "history/recorded_jobs_file.h"
#include "profiler/options.h"
#include "profiler/profile.h"
#include "proto/output.h"
#include "render/render.h"

namespace maui::profiler {
namespace {

constexpr int kFailed = 1, kWrongUsage = 2;

Result<Configuration> configuration_of(const Options& options) {
  if (options.config_file.empty()) return Configuration();
  auto reading = Configuration::read(options.config_file);
  for (const auto& diagnostic : reading.diagnostics)
    warn_user("{}{}\n", diagnostic.warning ? "" : "ERROR:    ", diagnostic.text());
  if (!reading.usable()) return Error{fmt::format("'{}' cannot be used", options.config_file)};
  return std::move(reading.configuration);
}

/// Warns about lines that could not be used and jobs that were skipped.
void warn_of_unused(const TraceSummary& summary) {
  for (const auto& problem : summary.problems) warn_user("WARNING:  {}\n", problem);
  if (summary.bad_lines > 0)
    warn_user("WARNING:  {} could not be used\n", counted(summary.bad_lines, "line"));
  for (const auto& [reason, skipped] : summary.skipped_because)
    warn_user("WARNING:  {} that {} {} left out: {}\n", counted(skipped.jobs, "job"), reason,
              by_number(skipped.jobs, "was", "were"), printable(skipped.names()));
}

int profile(const Options& options) {
  const auto configuration = configuration_of(options);
  if (!configuration) return complain(configuration.error().what);
  Profile found(options, configuration->settings());
  TraceSummary summary;
  const auto procs = read_recorded_jobs(
      options.files, [&](const RecordedJob& job) { found.add(job); }, summary);
  warn_of_unused(summary);
  if (!procs) return complain(procs.error().what);
  if (found.empty()) return complain("no job in the files meets the constraints");
  auto reply = found.reply(options.procs > 0 ? options.procs : *procs);
  if (!reply) return complain(reply.error().what, kWrongUsage);
  const bool said = write_out(stdout, render(Reply(*std::move(reply)), options.format));
  return said && !summary.damaged ? 0 : kFailed;
}

}  // namespace

int run_profiler(std::span<const std::string> words, std::string_view version) {
  const auto options = parse_command_line(words);
  if (!options) {
    complain(options.error().what);
    warn_user("Try 'profiler --help'.\n");
    return kWrongUsage;
  }
  if (options->help) return say("{}", usage()) ? 0 : kFailed;
  if (options->manual) return say("{}", manual_page(version)) ? 0 : kFailed;
  if (options->version) return say("profiler version {}\n", version) ? 0 : kFailed;
  return profile(*options);
}

}  // namespace maui::profiler
