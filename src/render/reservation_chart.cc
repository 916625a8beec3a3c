#include "render/reservation_chart.h"

#include <fmt/format.h>

#include <array>

#include "base/host_range.h"

namespace maui {
namespace {

constexpr std::size_t kLongestLabel = 24;

std::string label_of(const std::vector<std::string>& names) {
  const auto items = compress_hosts(names);
  std::string label;
  for (const auto& item : items) label += (label.empty() ? "" : ",") + item;
  if (label.size() <= kLongestLabel) return label;
  return fmt::format("{} and {} more", items.front(), names.size() - 1);
}

}  // namespace

std::vector<ChartRow> chart_rows(const ReservationChartReply& reply) {
  std::vector<ChartRow> rows;
  std::vector<std::string> names;
  for (const auto& node : reply.nodes) {
    const bool alike = !rows.empty() && rows.back().node->shares == node.shares &&
                       chart_closed(*rows.back().node) == chart_closed(node);
    if (!alike) {
      names.clear();
      rows.push_back({{}, &node});
    }
    names.push_back(node.node);
    rows.back().label = label_of(names);
  }
  return rows;
}

std::map<std::string, std::size_t> chart_order(const std::vector<ChartRow>& rows) {
  std::map<std::string, std::size_t> order;
  for (const auto& row : rows)
    for (const auto& share : row.node->shares) order.try_emplace(share.reservation, order.size());
  return order;
}

std::int64_t chart_step(std::int64_t span, std::int64_t marks) {
  constexpr std::array<std::int64_t, 15> kSteps{60,    300,    600,    900,     1800,
                                                3600,  7200,   10800,  21600,   43200,
                                                86400, 172800, 604800, 2592000, 31536000};
  for (const auto step : kSteps)
    if (span <= step * std::max<std::int64_t>(marks, 1)) return step;
  return kSteps.back() * (1 + span / kSteps.back() / std::max<std::int64_t>(marks, 1));
}

std::string chart_offset(std::int64_t seconds) {
  if (seconds == 0) return "now";
  if (seconds % 86400 == 0) return fmt::format("+{}d", seconds / 86400);
  if (seconds % 3600 == 0) return fmt::format("+{}h", seconds / 3600);
  return fmt::format("+{}m", seconds / 60);
}

bool chart_closed(const ChartedNode& node) {
  return node.state == "Down" || node.state == "Drained" || node.state == "Draining" ||
         node.state == "Unknown";
}

}  // namespace maui
