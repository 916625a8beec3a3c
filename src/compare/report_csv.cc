#include <fmt/compile.h>
#include <fmt/format.h>

#include <iterator>

#include "base/outside_text.h"
#include "compare/report_files.h"

namespace maui::compare {
namespace {

/// Quotes a field as in RFC 4180.  A name that a spreadsheet would evaluate gets an apostrophe;
/// control characters are shown as in all other output.
std::string field(std::string_view name) {
  const std::string text = printable(name);
  std::string out;
  if (!text.empty() && std::string_view("=+-@").find(text.front()) != text.npos && text != "-")
    out = "'";
  if (out.empty() && text.find_first_of(",\"") == text.npos) return text;
  out.insert(0, "\"");
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

void add_measures(std::string& text, const std::string& before, const RunMeasures& of, bool whole) {
  for (const Measure& measure : measures())
    if (whole || measure.of_jobs)
      fmt::format_to(std::back_inserter(text), "{},{},{}\n", before, measure.name, measure.of(of));
}

}  // namespace

std::string measures_csv(const Comparison& comparison) {
  std::string text = "variant,grouping,name,measure,value\n";
  for (const Run& run : comparison.runs) {
    const auto variant = field(run.outcome.variant);
    add_measures(text, variant + ",all,", run.measures, true);
    for (std::size_t i = 0; i < groupings().size(); ++i)
      for (const auto& group : run.groups[i]) {
        RunMeasures alone;
        alone.all = group.of;
        add_measures(text, fmt::format("{},{},{}", variant, groupings()[i].name, field(group.name)),
                     alone, false);
      }
  }
  return text;
}

std::string jobs_csv(const Comparison& comparison) {
  std::string text =
      "variant,job,user,group,account,qos,class,procs,limit,submitted,started,ended,run,wait,"
      "slowdown,xfactor,backfilled,bypass\n";
  auto out = std::back_inserter(text);
  for (const Run& run : comparison.runs) {
    const auto variant = field(run.outcome.variant);
    ByKind<std::vector<std::string>> names;
    for (const auto kind : kCredentialKinds)
      for (const auto& name : run.outcome.names[kind]) names[kind].push_back(field(name));
    for (const JobOutcome& job : run.outcome.jobs) {
      fmt::format_to(out, "{},{}", variant, field(job.name));
      for (const auto kind : kCredentialKinds)
        fmt::format_to(out, FMT_COMPILE(",{}"), names[kind][job.who[kind]]);
      fmt::format_to(out, FMT_COMPILE(",{},{},{},{},{},{},{},{:.3f},{:.3f},{},{}\n"), job.procs,
                     job.limit.raw(), job.submitted.raw(), job.started.raw(), job.ended.raw(),
                     job.run.raw(), job.wait().raw(), bounded_slowdown(job), xfactor(job),
                     job.backfilled ? 1 : 0, job.bypass);
    }
  }
  return text;
}

}  // namespace maui::compare
