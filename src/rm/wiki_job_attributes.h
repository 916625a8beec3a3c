// The table of job attributes in WIKI, for one requirement at a time.
#pragma once
#include "rm/wiki_table.h"

namespace maui::wiki {

const Table<WikiJob>& job_table();

/// Returns the requirement that attributes without a number suffix describe.
inline Requirement& requirement_of(WikiJob& job) { return job.report.request.requirements.front(); }
inline const Requirement& requirement_of(const WikiJob& job) {
  return job.report.request.requirements.front();
}

}  // namespace maui::wiki
