#include "compare/report_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/date.h"
#include "base/duration.h"
#include "base/text.h"
#include "compare/changes.h"
#include "compare/charts.h"
#include "compare/pictures.h"
#include "compare/report_style.h"
#include "compare/shares.h"
#include "sched/query/reason_words.h"

namespace maui::compare {
namespace {

constexpr std::size_t kGroupRows = 25;   // rows in a table of credentials
constexpr std::size_t kListedJobs = 10;  // winners, losers, longest waits

std::string duration(double seconds) { return format_measure(seconds, Unit::seconds); }

/// Writes the page from top to bottom.
class Page {
 public:
  Page(const Comparison& comparison, const std::vector<Judgement>& judgements)
      : comparison_(comparison), judgements_(judgements) {
    for (const Run& run : comparison.runs) names_.push_back(run.outcome.variant);
  }

  std::string make() {
    begin();
    summary();
    resamples();
    expectations();
    pictures();
    groups();
    shares();
    changes();
    longest();
    jobs();
    left();
    return std::move(text_) + "</main></body></html>\n";
  }

 private:
  const Outcome& base() const { return comparison_.runs.front().outcome; }

  void begin() {
    const auto period = period_of(base());
    const auto title = html_text("Policies compared on " + comparison_.workload);
    text_ = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'\">\n<title>{0}</title><style>{1}{7}</style></head>\n<body><header><h1>{0}"
        "</h1>\n<p>{2} ran from {3} to {4} on {5} with {6}.</p>\n<nav>"
        "<a href=\"#summary\">Summary</a> <a href=\"#pictures\">Pictures</a> "
        "<a href=\"#groups\">Groups</a> "
        "<a href=\"#changes\">Winners and losers</a> <a href=\"#longest\">Longest waits</a></nav>"
        "</header>\n<main>\n",
        title, kChartStyle, counted(base().jobs.size(), "job"), format_date(period.begin, true),
        format_date(period.end, true), counted(base().nodes, "node"),
        counted(base().procs, "processor"), kPageStyle);
    for (const Run& run : comparison_.runs)
      if (run.outcome.unfinished)
        text_ += fmt::format(
            "<p class=\"unmet\">{} was interrupted: its numbers are of an "
            "unfinished run.</p>\n",
            html_text(run.outcome.variant));
  }

  void section(std::string_view id, std::string_view title, std::string_view note = {}) {
    text_ += fmt::format("<h2 id=\"{}\">{}</h2>\n", id, title);
    if (!note.empty()) text_ += fmt::format("<p class=\"note\">{}</p>\n", note);
  }
  void begin_table(std::string_view caption, const std::vector<std::string>& heads) {
    text_ += fmt::format("<div class=\"wide\"><table><caption>{}</caption><thead><tr>",
                         html_text(caption));
    for (const auto& head : heads)
      text_ += fmt::format("<th scope=\"col\">{}</th>", html_text(head));
    text_ += "</tr></thead><tbody>\n";
  }
  /// Adds a row; the first cell is its heading, and cells are markup.
  void row(std::string_view first, const std::vector<std::string>& cells,
           std::string_view id = {}) {
    text_ += id.empty() ? "<tr>" : fmt::format("<tr id=\"{}\">", id);
    text_ += fmt::format("<th scope=\"row\">{}</th>", first);
    for (const auto& cell : cells) text_ += fmt::format("<td>{}</td>", cell);
    text_ += "</tr>\n";
  }
  void end_table() { text_ += "</tbody></table></div>\n"; }
  std::vector<std::string> heads(std::string_view first) const {
    std::vector<std::string> all{std::string(first)};
    all.insert(all.end(), names_.begin(), names_.end());
    return all;
  }
  static std::string cell(double value, double before, Unit unit) {
    const auto change = format_change(value, before);
    return format_measure(value, unit) +
           (change.empty() ? "" : fmt::format(" <span class=\"change\">{}</span>", change));
  }

  void summary() {
    section("summary", "Summary",
            "Each number is followed by its change against the first configuration.");
    begin_table("Measures of whole runs", heads("measure"));
    for (const Measure& measure : measures()) {
      std::vector<std::string> cells;
      const double before = measure.of(comparison_.runs.front().measures);
      for (const Run& run : comparison_.runs)
        cells.push_back(cell(measure.of(run.measures), before, measure.unit));
      row(html_text(measure.title), cells);
    }
    end_table();
  }

  void resamples() {
    if (comparison_.runs.size() < 2) return;
    const auto note = resample_note(comparison_);
    if (comparison_.resamples.empty()) {
      if (!note.empty()) section("resamples", "Changes that may be chance", note);
      return;
    }
    section("resamples", "Changes that may be chance",
            fmt::format(
                "In nine of ten of {} workloads, resampled from this one by user and week, the "
                "changes lie between these bounds. If they include 0, the change may be chance. {}",
                comparison_.resamples.size(), note));
    auto columns = heads("change of");
    columns.erase(columns.begin() + 1);
    begin_table("Changes against " + names_.front(), columns);
    for (const Measure& measure : measures()) {
      std::vector<std::string> cells;
      for (std::size_t run = 1; run < comparison_.runs.size(); ++run) {
        const auto interval = change_interval(comparison_, run, measure);
        cells.push_back(fmt::format("{} to {}{}", format_signed(interval.low, measure.unit),
                                    format_signed(interval.high, measure.unit),
                                    interval.clear() ? "" : " <em>may be chance</em>"));
      }
      row(html_text(measure.title), cells);
    }
    end_table();
  }

  void expectations() {
    if (judgements_.empty()) return;
    section("expectations", "Expectations");
    begin_table("Expectations and results",
                {"expectation", "configuration", "found", "against", ""});
    for (const Judgement& judgement : judgements_)
      row(html_text(judgement.expectation),
          {html_text(judgement.variant), format_measure(judgement.verdict.left, judgement.unit),
           format_measure(judgement.verdict.right, judgement.unit),
           judgement.verdict.met ? "<span class=\"met\">met</span>"
                                 : "<span class=\"unmet\">not met</span>"});
    end_table();
  }

  void pictures() {
    section("pictures", "Charts");
    for (const Picture& picture : pictures_of(comparison_))
      text_ += fmt::format("<figure><figcaption>{}</figcaption>{}</figure>\n",
                           html_text(picture.title), picture.drawing);
  }

  /// Adds a table per grouping: the groups of the base, with the results of their jobs in each run.
  void groups() {
    section("groups", "By size, limit and credential",
            "Mean wait, followed by the mean bounded slowdown. Sizes and limits are classes: at "
            "most the given value, and more than the previous class.");
    for (std::size_t i = 0; i < groupings().size(); ++i) {
      const auto& of_base = comparison_.runs.front().groups[i];
      if (of_base.size() <= 1 && (of_base.empty() || of_base.front().name == "-")) continue;
      text_ += fmt::format("<details{}><summary>By {}</summary>\n", i < 2 ? " open" : "",
                           groupings()[i].title);
      auto columns = heads(groupings()[i].title);
      columns.insert(columns.begin() + 1, "jobs");
      const auto caption =
          of_base.size() > kGroupRows
              ? fmt::format("The first {} of {}; measures.csv has all", kGroupRows, of_base.size())
              : counted(of_base.size(), "group");
      begin_table(caption, columns);
      for (std::size_t g = 0; g < std::min(kGroupRows, of_base.size()); ++g)
        group_row(i, of_base[g]);
      end_table();
      text_ += "</details>\n";
    }
  }
  void group_row(std::size_t grouping, const GroupMeasures& of_base) {
    std::vector<std::string> cells{fmt::format("{}", of_base.of.jobs)};
    for (const Run& run : comparison_.runs) {
      const auto& all = run.groups[grouping];
      const auto at = std::find_if(all.begin(), all.end(), [&](const GroupMeasures& group) {
        return group.name == of_base.name;
      });
      cells.push_back(at == all.end()
                          ? "-"
                          : fmt::format("{} <span class=\"change\">{:.1f}</span>",
                                        cell(at->of.wait.mean, of_base.of.wait.mean, Unit::seconds),
                                        at->of.slowdown.mean));
    }
    row(html_text(of_base.name), cells);
  }

  void shares() {
    const bool any = std::any_of(comparison_.runs.begin(), comparison_.runs.end(),
                                 [](const Run& run) { return !run.outcome.targets.empty(); });
    if (!any) return;
    section("shares", "Shares against fairshare targets",
            "Per cent of all processor seconds that jobs used.");
    begin_table("Delivered shares", {"credential", "configuration", "target", "delivered"});
    for (const Run& run : comparison_.runs)
      for (const Share& share : shares_of(run.outcome)) {
        std::string_view kind;
        for (const Grouping& grouping : groupings())
          if (grouping.kind == share.kind) kind = grouping.title;
        row(fmt::format("{} {}", kind, html_text(share.name)),
            {html_text(run.outcome.variant), format_measure(share.target, Unit::percent),
             format_measure(share.delivered, Unit::percent)});
      }
    end_table();
  }

  void changes() {
    section("changes", "Winners and losers");
    if (comparison_.runs.size() == 1)
      text_ += "<p class=\"note\">There is only one configuration.</p>\n";
    for (std::size_t i = 1; i < comparison_.runs.size(); ++i) {
      const auto& outcome = comparison_.runs[i].outcome;
      const auto changes = changes_between(base(), outcome, kListedJobs);
      text_ += fmt::format(
          "<h3>{} against {}</h3>\n<p>{} {} less, {} longer, {} equally long.</p>\n",
          html_text(outcome.variant), html_text(base().variant), counted(changes.sooner, "job"),
          by_number(changes.sooner, "waits", "wait"), changes.later, changes.same);
      user_changes("Users whose jobs wait less on average", changes.user_winners);
      user_changes("Users whose jobs wait longer on average", changes.user_losers);
      job_changes("Jobs that wait less", changes.winners);
      job_changes("Jobs that wait longer", changes.losers);
    }
  }
  void user_changes(std::string_view caption, const std::vector<UserChange>& users) {
    if (users.empty()) return;
    begin_table(caption, {"user", "jobs", "before", "after"});
    for (const UserChange& change : users)
      row(html_text(change.user), {fmt::format("{}", change.jobs), duration(change.before),
                                   cell(change.after, change.before, Unit::seconds)});
    end_table();
  }
  void job_changes(std::string_view caption, const std::vector<JobChange>& jobs) {
    if (jobs.empty()) return;
    begin_table(caption, {"job", "before", "why", "after", "why"});
    for (const JobChange& job : jobs)
      row(link(job.after->name), {format_duration(job.before->wait()), why(*job.before),
                                  format_duration(job.after->wait()), why(*job.after)});
    end_table();
  }
  /// Returns a link to the job's row in the table below.
  std::string link(const std::string& job) {
    const auto [at, is_new] = linked_.try_emplace(job, linked_.size() + 1);
    return fmt::format("<a href=\"#job{}\">{}</a>", at->second, html_text(job));
  }

  void longest() {
    section("longest", "Longest waits");
    for (const Run& run : comparison_.runs) {
      begin_table(run.outcome.variant, {"job", "user", "processors", "limit", "wait", "why"});
      for (const JobOutcome* job : longest_waits(run.outcome, kListedJobs))
        row(link(job->name), {html_text(run.outcome.name_of(*job, CredentialKind::user)),
                              fmt::format("{}", job->procs), format_duration(job->limit),
                              format_duration(job->wait()), why(*job)});
      end_table();
    }
  }

  /// Returns the reasons of a wait and how long each of them applied.
  static std::string why(const JobOutcome& job) {
    std::string text;
    for (const auto& [reason, how_long] : job.reasons)
      text += fmt::format("{}{} <span class=\"change\">{}</span>", text.empty() ? "" : "; ",
                          html_text(reason_words(reason)), format_duration(how_long));
    return text;
  }

  /// Lists the linked jobs with their results in each run.
  void jobs() {
    section("jobs", "The jobs named above", "Wait, and when each started.");
    std::vector<std::map<std::string_view, const JobOutcome*>> found(comparison_.runs.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      for (const JobOutcome& job : comparison_.runs[i].outcome.jobs)
        if (linked_.contains(job.name)) found[i].emplace(job.name, &job);
    auto columns = heads("job");
    columns.insert(columns.begin() + 1, {"user", "processors", "limit", "run", "submitted"});
    begin_table("The same jobs under each configuration", columns);
    for (const auto& [name, number] : linked_) {
      std::vector<std::string> cells;
      for (std::size_t i = 0; i < found.size(); ++i) {
        const auto at = found[i].find(name);
        if (at == found[i].end()) continue;
        if (cells.empty()) cells = traits(comparison_.runs[i].outcome, *at->second);
      }
      for (const auto& run : found) {
        const auto at = run.find(name);
        cells.push_back(at == run.end() ? "did not run"
                                        : fmt::format("{} <span class=\"change\">{}{}</span>",
                                                      format_duration(at->second->wait()),
                                                      format_date(at->second->started),
                                                      at->second->backfilled ? " backfilled" : ""));
      }
      row(html_text(name), cells, fmt::format("job{}", number));
    }
    end_table();
  }
  static std::vector<std::string> traits(const Outcome& outcome, const JobOutcome& job) {
    return {html_text(outcome.name_of(job, CredentialKind::user)), fmt::format("{}", job.procs),
            format_duration(job.limit), format_duration(job.run), format_date(job.submitted, true)};
  }

  void left() {
    section("left", "Input and jobs that did not run",
            fmt::format("{} of the workload did not take part; {} could not be used.",
                        counted(base().skipped, "job"), counted(base().bad_lines, "line")));
    for (const auto& problem : base().problems)
      text_ += fmt::format("<p class=\"note\">{}</p>\n", html_text(problem));
    for (const Run& run : comparison_.runs) {
      const auto& left = run.outcome.left;
      if (left.empty()) continue;
      begin_table(
          fmt::format("{}: {} never started", run.outcome.variant, counted(left.size(), "job")),
          {"job", "why"});
      for (std::size_t i = 0; i < std::min(kGroupRows, left.size()); ++i)
        row(html_text(left[i].name), {html_text(left[i].reason)});
      end_table();
    }
  }

  const Comparison& comparison_;
  const std::vector<Judgement>& judgements_;
  std::vector<std::string> names_;
  std::map<std::string, std::size_t> linked_;  // job and row number
  std::string text_;
};

}  // namespace

std::string comparison_html(const Comparison& comparison,
                            const std::vector<Judgement>& judgements) {
  return Page(comparison, judgements).make();
}

}  // namespace maui::compare
