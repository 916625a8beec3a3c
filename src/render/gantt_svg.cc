// showres --gantt --format=svg: the same chart as a picture for web pages.
#include <algorithm>

#include "base/markup.h"
#include "base/text.h"
#include "render/as_text.h"
#include "render/cells.h"
#include "render/reservation_chart.h"

namespace maui {
namespace {

constexpr std::int64_t kLabel = 190, kPlot = 1000, kLane = 14, kTop = 40, kGap = 2;

/// A bar of the chart; overlapping shares of a node have different lanes.
struct Bar {
  const ReservedShare* share;
  std::int64_t begin, end;
  std::size_t lane;
};

class Picture {
 public:
  explicit Picture(const ReservationChartReply& reply)
      : reply_(reply), rows_(chart_rows(reply)), order_(chart_order(rows_)) {}

  std::string draw() {
    std::int64_t y = kTop;
    for (const auto& row : rows_) y += draw_row(row, y);
    axis(y);
    Lines page;
    page.line(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" "
        "font-family=\"sans-serif\" "
        "font-size=\"11\">",
        kLabel + kPlot + 10, y + 10);
    page.line("<text x=\"4\" y=\"14\" font-size=\"13\">reservations from {} on</text>",
              date(reply_.now));
    return page.take() + ground_.take() + bars_.take() + "</svg>\n";
  }

 private:
  std::int64_t x_of(std::int64_t when) const {
    const auto bounded = std::clamp(when, reply_.now, reply_.until);
    return kLabel +
           (bounded - reply_.now) * kPlot / std::max<std::int64_t>(1, reply_.until - reply_.now);
  }

  std::vector<Bar> bars_of(const ChartedNode& node, std::size_t& lanes) const {
    std::vector<Bar> bars;
    for (const auto& share : node.shares)
      bars.push_back({&share, share.start, share.end == -1 ? reply_.until : share.end, 0});
    std::stable_sort(bars.begin(), bars.end(),
                     [](const Bar& a, const Bar& b) { return a.begin < b.begin; });
    std::vector<std::int64_t> free_from;
    for (auto& bar : bars) {
      const auto lane = std::find_if(free_from.begin(), free_from.end(),
                                     [&](std::int64_t from) { return from <= bar.begin; });
      bar.lane = static_cast<std::size_t>(lane - free_from.begin());
      if (lane == free_from.end()) free_from.push_back(0);
      free_from[bar.lane] = bar.end;
    }
    lanes = std::max<std::size_t>(1, free_from.size());
    return bars;
  }

  std::int64_t draw_row(const ChartRow& row, std::int64_t y) {
    std::size_t lanes = 1;
    const auto bars = bars_of(*row.node, lanes);
    const auto height = static_cast<std::int64_t>(lanes) * kLane;
    ground_.line("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>", kLabel, y,
                 kPlot, height, chart_closed(*row.node) ? "#bbb" : "#f2f2f2");
    ground_.line("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>", kLabel - 6, y + kLane - 3,
                 markup_escaped(row.label));
    for (const auto& bar : bars) draw_bar(bar, y + static_cast<std::int64_t>(bar.lane) * kLane);
    return height + kGap;
  }

  void draw_bar(const Bar& bar, std::int64_t y) {
    const auto left = x_of(bar.begin), width = std::max<std::int64_t>(1, x_of(bar.end) - left);
    // Hues differ by the golden angle, so that neighbours in the chart are distinct.
    const auto hue = order_.at(bar.share->reservation) * 137 % 360;
    bars_.line(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"hsl({},55%,{}%)\" "
        "stroke=\"{}\"><title>{}, {} to {}, {}</title></rect>",
        left, y, width, kLane - 1, hue, bar.share->type == "Job" ? 75 : 62,
        bar.share->type == "Job" ? "none" : "#333", markup_escaped(bar.share->reservation),
        date(bar.share->start), bar.share->end == -1 ? "an open end" : date(bar.share->end),
        counted(bar.share->tasks, "task"));
    constexpr std::int64_t kLetter = 7;
    if (width > kLetter * static_cast<std::int64_t>(bar.share->reservation.size()))
      bars_.line("<text x=\"{}\" y=\"{}\">{}</text>", left + 3, y + kLane - 4,
                 markup_escaped(bar.share->reservation));
  }

  void axis(std::int64_t bottom) {
    const auto span = reply_.until - reply_.now;
    const auto step = chart_step(span, 12);
    for (std::int64_t at = 0; at < span; at += step) {
      const auto x = x_of(reply_.now + at);
      ground_.line("<path d=\"M{} {}V{}\" stroke=\"#999\"/><text x=\"{}\" y=\"{}\">{}</text>", x,
                   kTop - 6, bottom, x + 2, kTop - 8, chart_offset(at));
    }
  }

  const ReservationChartReply& reply_;
  std::vector<ChartRow> rows_;
  std::map<std::string, std::size_t> order_;
  Lines ground_, bars_;  // bars cover the lines of time
};

}  // namespace

std::string as_svg(const ReservationChartReply& reply) { return Picture(reply).draw(); }

}  // namespace maui
