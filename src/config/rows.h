// Turns values into rows of a listing.
#pragma once
#include <string>
#include <vector>

#include "config/row.h"
#include "config/values.h"

namespace maui::config {

/// Returns every parameter if `all`, else those that differ from their defaults.
std::vector<Row> rows_of(const Values& values, bool all);
/// See Configuration::listing().
Listing listing_of(const Values& values, bool all);
/// See Configuration::without_effect().
std::vector<std::string> without_effect(const Values& values);

}  // namespace maui::config
