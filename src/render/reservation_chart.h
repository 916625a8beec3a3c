// The content of the chart of showres --gantt, before it is drawn as text or SVG.
//
// Nodes that follow each other and are held alike share a row, so that a
// machine of thousands of nodes fits on a page.
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

/// Reservations in the order in which the rows show them first: their index chooses mark or colour.
std::map<std::string, std::size_t> chart_order(const std::vector<ChartRow>& rows);

/// Seconds between two marks of an axis that has room for `marks` of them: a round number.
std::int64_t chart_step(std::int64_t span, std::int64_t marks);

/// How a mark of the axis reads: "now", "+30m", "+6h", "+2d".
std::string chart_offset(std::int64_t seconds);

/// No job may start on a node in this state.
bool chart_closed(const ChartedNode& node);

}  // namespace maui
