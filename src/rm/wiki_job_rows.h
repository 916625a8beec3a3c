// The rows of the table of job attributes, by what they describe, and what several of them use.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "rm/wiki_table.h"

namespace maui::wiki {

using JobRows = std::vector<Row<WikiJob>>;

/// Returns the attributes that say what the job asks of nodes.
JobRows request_rows();
/// Returns the attributes of its run: when and where it runs, what it uses and how it ended.
JobRows run_rows();

inline constexpr std::string_view kTime = "seconds since the epoch";

template <Time Job::*Member>
bool time(std::string_view value, WikiJob& job) {
  return read_time(value, job.report.job.*Member, Job().*Member);
}
template <Time Job::*Member>
std::string time_of(const WikiJob& job) {
  return time_text(job.report.job.*Member);
}

}  // namespace maui::wiki
