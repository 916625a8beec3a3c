// The files of a report: a page for people, and what programs read of a comparison.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "compare/comparison.h"
#include "maui/result.h"

namespace maui::compare {

Status write_file(const std::filesystem::path& path, std::string_view text);

/// Everything but the single jobs.
std::string comparison_json(const Comparison& comparison, const std::vector<Judgement>& judgements);
/// A line for each variant, group and measure.
std::string measures_csv(const Comparison& comparison);
/// A line for each job of each variant.
std::string jobs_csv(const Comparison& comparison);

/// Makes the directory if it is not there; an error if nothing can be written into it.
Status make_report_directory(const std::string& directory);
/// Writes index.html, its pictures as .svg, report.json, measures.csv and jobs.csv into the
/// directory.
Status write_report(const std::string& directory, const Comparison& comparison,
                    const std::vector<Judgement>& judgements);

}  // namespace maui::compare
