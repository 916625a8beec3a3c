// The content of the chart of showres --gantt, before it is drawn as text or SVG.
//
// Consecutive nodes with the same reservations share a row, so that thousands of
// nodes fit on a page.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "maui/replies/reservation.h"

namespace maui {

struct ChartRow {
  std::string label;  // "n[001-064]"
  const ChartedNode* node = nullptr;
};
std::vector<ChartRow> chart_rows(const ReservationChartReply& reply);

/// Returns reservations by first appearance in the rows; the index selects a mark or colour.
std::map<std::string, std::size_t> chart_order(const std::vector<ChartRow>& rows);

/// Returns the seconds between marks of an axis with room for `marks`: a round number.
std::int64_t chart_step(std::int64_t span, std::int64_t marks);

/// Returns the label of a mark on the axis: "now", "+30m", "+6h", "+2d".
std::string chart_offset(std::int64_t seconds);

/// True if no job may start on a node in this state.
bool chart_closed(const ChartedNode& node);

}  // namespace maui
