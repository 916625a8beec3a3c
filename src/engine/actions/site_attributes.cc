#include "engine/actions/site_attributes.h"

#include <fmt/format.h>

#include <utility>

#include "engine/knowledge.h"
#include "engine/tools.h"
#include "maui/resource_manager.h"
#include "model/job_extensions.h"

namespace maui {
namespace {

bool add(const EngineTools& tools, const std::string& words, JobReport& report) {
  JobReport described = report;
  if (const auto wrong = apply_extensions("x=" + words, described)) {
    tools.journal.log_of(LineCause::job, report.user, 0, "fSCHED", [&] {
      return fmt::format("WARNING: JOBATTRIBUTEPROGRAM returned '{}' for job '{}': {}; ignored",
                         words, report.name, wrong->what);
    });
    return false;
  }
  report = std::move(described);
  return true;
}

}  // namespace

void give_site_words(const EngineTools& tools, const std::string& words, JobReport& report,
                     SiteWords::ByJob& of_jobs) {
  if (!words.empty() && add(tools, words, report))
    of_jobs[report.name] = words;
  else if (!of_jobs.empty())
    of_jobs.erase(report.name);
}

}  // namespace maui
