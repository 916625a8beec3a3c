// The attributes of a job in WIKI, one requirement at a time.
#pragma once
#include "rm/wiki_table.h"

namespace maui::wiki {

const Table<WikiJob>& job_table();

/// The requirement that attributes without a number behind their name are about.
inline Requirement& requirement_of(WikiJob& job) { return job.report.request.requirements.front(); }
inline const Requirement& requirement_of(const WikiJob& job) {
  return job.report.request.requirements.front();
}

}  // namespace maui::wiki
