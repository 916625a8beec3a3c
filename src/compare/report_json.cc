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
  for (const Grouping& one : groupings())
    if (one.kind == kind) return one.name;
  return {};
}

/// Of groups only what can be said of any set of jobs.
void write_measures(JsonWriter& json, const RunMeasures& of, bool whole_run) {
  json.begin_object();
  for (const Measure& measure : measures()) {
    if (!whole_run && !measure.of_jobs) continue;
    json.key(measure.name);
    json.number(measure.of(of));
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
      json.key("name");
      json.string(group.name);
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
  json.key("begin");
  json.integer(line.begin.raw());
  json.key("step");
  json.integer(line.step.raw());
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
    json.key("jobs");
    json.integer(step.jobs);
    json.end_object();
  }
  json.end_array();
}

void write_shares(JsonWriter& json, const Outcome& outcome) {
  json.begin_array();
  for (const Share& share : shares_of(outcome)) {
    json.begin_object();
    json.key("kind");
    json.string(grouping_name(share.kind));
    json.key("name");
    json.string(share.name);
    json.key("target");
    json.number(share.target);
    json.key("delivered");
    json.number(share.delivered);
    json.end_object();
  }
  json.end_array();
}

void write_job_changes(JsonWriter& json, const std::vector<JobChange>& jobs) {
  json.begin_array();
  for (const JobChange& job : jobs) {
    json.begin_object();
    json.key("job");
    json.string(job.after->name);
    json.key("before");
    json.integer(job.before->wait().raw());
    json.key("after");
    json.integer(job.after->wait().raw());
    json.end_object();
  }
  json.end_array();
}

void write_user_changes(JsonWriter& json, const std::vector<UserChange>& users) {
  json.begin_array();
  for (const UserChange& one : users) {
    json.begin_object();
    json.key("user");
    json.string(one.user);
    json.key("jobs");
    json.integer(one.jobs);
    json.key("before");
    json.number(one.before);
    json.key("after");
    json.number(one.after);
    json.end_object();
  }
  json.end_array();
}

void write_changes(JsonWriter& json, const Outcome& base, const Outcome& outcome) {
  const auto changes = changes_between(base, outcome, kNamedJobs);
  json.begin_object();
  json.key("sooner");
  json.integer(changes.sooner);
  json.key("later");
  json.integer(changes.later);
  json.key("same");
  json.integer(changes.same);
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
    json.key("job");
    json.string(job->name);
    json.key("user");
    json.string(outcome.name_of(*job, CredentialKind::user));
    json.key("wait");
    json.integer(job->wait().raw());
    json.key("reasons");
    json.begin_array();
    for (const auto& [reason, how_long] : job->reasons) {
      json.begin_object();
      json.key("reason");
      json.string(reason_words(reason));
      json.key("seconds");
      json.integer(how_long.raw());
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

void write_input(JsonWriter& json, const Outcome& outcome) {
  json.key("nodes");
  json.integer(outcome.nodes);
  json.key("procs");
  json.integer(outcome.procs);
  json.key("unfinished");
  json.boolean(outcome.unfinished);
  json.key("skippedjobs");
  json.integer(outcome.skipped);
  json.key("unusablelines");
  json.integer(outcome.bad_lines);
  json.key("left");
  json.begin_array();
  for (const LeftJob& job : outcome.left) {
    json.begin_object();
    json.key("job");
    json.string(job.name);
    json.key("reason");
    json.string(job.reason);
    json.end_object();
  }
  json.end_array();
}

/// Of the changes against the base, over the resampled workloads.
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
  json.key("variant");
  json.string(outcome.variant);
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
  json.key("workload");
  json.string(comparison.workload);
  json.key("runs");
  json.begin_array();
  for (const Run& run : comparison.runs) write_run(json, comparison, run);
  json.end_array();
  json.key("expectations");
  json.begin_array();
  for (const Judgement& one : judgements) {
    json.begin_object();
    json.key("expectation");
    json.string(one.expectation);
    json.key("variant");
    json.string(one.variant);
    json.key("met");
    json.boolean(one.verdict.met);
    json.key("left");
    json.number(one.verdict.left);
    json.key("right");
    json.number(one.verdict.right);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take() + "\n";
}

}  // namespace maui::compare
