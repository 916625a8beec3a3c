// Writes the files of a report: a page for people, and data for programs.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "compare/comparison.h"
#include "maui/result.h"

namespace maui::compare {

Status write_file(const std::filesystem::path& path, std::string_view text);

/// Returns the whole comparison, but not the individual jobs.
std::string comparison_json(const Comparison& comparison, const std::vector<Judgement>& judgements);
/// Returns a line per variant, group and measure.
std::string measures_csv(const Comparison& comparison);
/// Returns a line per variant and job.
std::string jobs_csv(const Comparison& comparison);

/// Creates the directory if needed; an error if it cannot be written to.
Status make_report_directory(const std::string& directory);
/// Writes index.html, its pictures as .svg, report.json, measures.csv and jobs.csv into the
/// directory.
Status write_report(const std::string& directory, const Comparison& comparison,
                    const std::vector<Judgement>& judgements);

}  // namespace maui::compare
