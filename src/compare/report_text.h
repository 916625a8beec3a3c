// A comparison on a terminal: measures down, runs across, each with its change against the first.
#pragma once
#include <string>
#include <vector>

#include "compare/comparison.h"

namespace maui::compare {

/// At most `width` columns wide where runs have short names: further runs stand in further tables.
std::string comparison_text(const Comparison& comparison, std::size_t width);
/// Tells what the resampled workloads say of each change, or why they say nothing; empty where none
/// were asked for.
std::string resamples_text(const Comparison& comparison);
std::string judgements_text(const std::vector<Judgement>& judgements);

}  // namespace maui::compare
