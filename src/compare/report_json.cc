#include "compare/changes.h"
#include "compare/report_files.h"
#include "compare/shares.h"
#include "compare/timeline.h"
#include "proto/json_writer.h"
#include "sched/query/reason_words.h"

namespace maui::compare {
namespace {

constexpr std::size_t kPlaces = 400, kNamedJobs = 20;

std::string_view grouping_name(CredentialKind kind) {
  for (const Grouping& grouping : groupings())
    if (grouping.kind == kind) return grouping.name;
  return {};
}

/// Writes all measures, or for groups only the measures that apply to any set of jobs.
void write_measures(JsonWriter& json, const RunMeasures& of, bool whole_run) {
  json.begin_object();
  for (const Measure& measure : measures()) {
    if (!whole_run && !measure.of_jobs) continue;
    json.member(measure.name, measure.of(of));
  }
  json.end_object();
}

void write_groups(JsonWriter& json, const Run& run) {
  json.begin_object();
  for (std::size_t i = 0; i < groupings().size(); ++i) {
    json.key(groupings()[i].name);
    json.begin_array();
    for (const auto& group : run.groups[i]) {
      RunMeasures alone;
      alone.all = group.of;
      json.begin_object();
      json.member("name", group.name);
      json.key("measures");
      write_measures(json, alone, false);
      json.end_object();
    }
    json.end_array();
  }
  json.end_object();
}

void write_numbers(JsonWriter& json, std::string_view key, const std::vector<double>& values) {
  json.key(key);
  json.begin_array();
  for (const double value : values) json.number(value);
  json.end_array();
}

void write_timeline(JsonWriter& json, const Outcome& outcome) {
  const auto period = period_of(outcome);
  const auto line = timeline_of(outcome, period.begin, period.end, kPlaces);
  json.begin_object();
  json.member("begin", line.begin.raw());
  json.member("step", line.step.raw());
  write_numbers(json, "busyprocs", line.busy);
  write_numbers(json, "waitingjobs", line.waiting);
  json.end_object();
}

void write_waits(JsonWriter& json, const Outcome& outcome) {
  json.begin_array();
  for (const WaitStep& step : wait_steps(outcome)) {
    json.begin_object();
    json.key("atmost");
    if (step.most == kUnlimited)
      json.null();
    else
      json.integer(step.most.raw());
    json.member("jobs", step.jobs);
    json.end_object();
  }
  json.end_array();
}

void write_shares(JsonWriter& json, const Outcome& outcome) {
  json.begin_array();
  for (const Share& share : shares_of(outcome)) {
    json.begin_object();
    json.member("kind", grouping_name(share.kind));
    json.member("name", share.name);
    json.member("target", share.target);
    json.member("delivered", share.delivered);
    json.end_object();
  }
  json.end_array();
}

void write_reasons(JsonWriter& json, const JobOutcome& job) {
  json.begin_array();
  for (const auto& [reason, how_long] : job.reasons) {
    json.begin_object();
    json.member("reason", reason_words(reason));
    json.member("seconds", how_long.raw());
    json.end_object();
  }
  json.end_array();
}

void write_job_changes(JsonWriter& json, const std::vector<JobChange>& jobs) {
  json.begin_array();
  for (const JobChange& job : jobs) {
    json.begin_object();
    json.member("job", job.after->name);
    json.member("before", job.before->wait().raw());
    json.member("after", job.after->wait().raw());
    json.key("reasonsbefore");
    write_reasons(json, *job.before);
    json.key("reasonsafter");
    write_reasons(json, *job.after);
    json.end_object();
  }
  json.end_array();
}

void write_user_changes(JsonWriter& json, const std::vector<UserChange>& users) {
  json.begin_array();
  for (const UserChange& change : users) {
    json.begin_object();
    json.member("user", change.user);
    json.member("jobs", change.jobs);
    json.member("before", change.before);
    json.member("after", change.after);
    json.end_object();
  }
  json.end_array();
}

void write_changes(JsonWriter& json, const Outcome& base, const Outcome& outcome) {
  const auto changes = changes_between(base, outcome, kNamedJobs);
  json.begin_object();
  json.member("sooner", changes.sooner);
  json.member("later", changes.later);
  json.member("same", changes.same);
  json.key("winners");
  write_job_changes(json, changes.winners);
  json.key("losers");
  write_job_changes(json, changes.losers);
  json.key("userwinners");
  write_user_changes(json, changes.user_winners);
  json.key("userlosers");
  write_user_changes(json, changes.user_losers);
  json.end_object();
}

void write_longest(JsonWriter& json, const Outcome& outcome) {
  json.begin_array();
  for (const JobOutcome* job : longest_waits(outcome, kNamedJobs)) {
    json.begin_object();
    json.member("job", job->name);
    json.member("user", outcome.name_of(*job, CredentialKind::user));
    json.member("wait", job->wait().raw());
    json.key("reasons");
    write_reasons(json, *job);
    json.end_object();
  }
  json.end_array();
}

void write_input(JsonWriter& json, const Outcome& outcome) {
  json.member("nodes", outcome.nodes);
  json.member("procs", outcome.procs);
  json.member("unfinished", outcome.unfinished);
  json.member("skippedjobs", outcome.skipped);
  json.member("unusablelines", outcome.bad_lines);
  json.key("left");
  json.begin_array();
  for (const LeftJob& job : outcome.left) {
    json.begin_object();
    json.member("job", job.name);
    json.member("reason", job.reason);
    json.end_object();
  }
  json.end_array();
}

/// Writes the interval of each measure's change against the base, over the resampled workloads.
void write_intervals(JsonWriter& json, const Comparison& comparison, std::size_t run) {
  json.begin_object();
  for (const Measure& measure : measures()) {
    const auto interval = change_interval(comparison, run, measure);
    json.key(measure.name);
    json.begin_array();
    json.number(interval.low);
    json.number(interval.high);
    json.end_array();
  }
  json.end_object();
}

void write_run(JsonWriter& json, const Comparison& comparison, const Run& run) {
  const Outcome& outcome = run.outcome;
  json.begin_object();
  json.member("variant", outcome.variant);
  write_input(json, outcome);
  json.key("measures");
  write_measures(json, run.measures, true);
  json.key("groups");
  write_groups(json, run);
  json.key("timeline");
  write_timeline(json, outcome);
  json.key("waits");
  write_waits(json, outcome);
  json.key("shares");
  write_shares(json, outcome);
  json.key("longest");
  write_longest(json, outcome);
  if (&run != &comparison.runs.front()) {
    json.key("changes");
    write_changes(json, comparison.runs.front().outcome, outcome);
    if (!comparison.resamples.empty()) {
      json.key("intervals");
      write_intervals(json, comparison, static_cast<std::size_t>(&run - comparison.runs.data()));
    }
  }
  json.end_object();
}

}  // namespace

std::string comparison_json(const Comparison& comparison,
                            const std::vector<Judgement>& judgements) {
  JsonWriter json(JsonLayout::lines);
  json.begin_object();
  json.member("workload", comparison.workload);
  json.key("runs");
  json.begin_array();
  for (const Run& run : comparison.runs) write_run(json, comparison, run);
  json.end_array();
  json.key("expectations");
  json.begin_array();
  for (const Judgement& judgement : judgements) {
    json.begin_object();
    json.member("expectation", judgement.expectation);
    json.member("variant", judgement.variant);
    json.member("met", judgement.verdict.met);
    json.member("left", judgement.verdict.left);
    json.member("right", judgement.verdict.right);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take() + "\n";
}

}  // namespace maui::compare
