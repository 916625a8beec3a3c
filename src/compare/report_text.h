// A comparison on a terminal: a row per measure, a column per run with the change from the first.
#pragma once
#include <string>
#include <vector>

#include "compare/comparison.h"

namespace maui::compare {

/// Aims at `width` columns (long names of runs exceed it); further runs go into further tables.
std::string comparison_text(const Comparison& comparison, std::size_t width);
/// Says what the resampled workloads show about each change, or why they show nothing; empty if no
/// workload was resampled.
std::string resamples_text(const Comparison& comparison);
std::string judgements_text(const std::vector<Judgement>& judgements);

}  // namespace maui::compare
