#include "compare/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/markup.h"
#include "base/outside_text.h"
#include "compare/report_style.h"

namespace maui::compare {
namespace {

constexpr double kWidth = 720, kPlotHeight = 208, kLeft = 64, kRight = 24, kBottom = 32;
constexpr double kPlotWidth = kWidth - kLeft - kRight;
constexpr double kLegendRow = 20, kLegendLine = 26, kLegendGap = 6;
constexpr double kLetter = 8.2;  // width of a letter in a legend, mostly capitals
constexpr std::size_t kMostColumns = 3;
constexpr std::size_t kColours = 8, kMostLabels = 12;

/// Returns the number of letters per name in a legend with `columns` columns.
std::size_t letters_in(std::size_t columns) {
  const double room = kPlotWidth / static_cast<double>(columns) - kLegendLine - 2 * kLegendGap;
  return static_cast<std::size_t>(room / kLetter);
}

/// Returns the number of columns of a legend with room for the longest name.
std::size_t legend_columns(const Chart& chart) {
  std::size_t longest = 0;
  for (const Series& series : chart.series) longest = std::max(longest, series.name.size());
  std::size_t columns = kMostColumns;
  while (columns > 1 && letters_in(columns) < longest) --columns;
  return columns;
}

double greatest(const Chart& chart) {
  double most = 0;
  for (const Series& series : chart.series)
    for (const double value : series.values) most = std::max(most, value);
  return most;
}

/// A frame with scale and legend, and the drawing in it.
class Plot {
 public:
  explicit Plot(const Chart& chart)
      : chart_(chart), scale_(scale_for(greatest(chart))), columns_(legend_columns(chart)) {
    const auto rows = (chart.series.size() + columns_ - 1) / columns_;
    top_ = 26 + kLegendRow * static_cast<double>(rows);
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" "
        "aria-label=\"{}\"><title>{}</title>\n",
        kWidth, bottom() + kBottom, html_text(describe()), html_text(chart.title));
    draw_legend();
    draw_scale();
  }
  double bottom() const { return top_ + kPlotHeight; }
  double y(double value) const {
    return top_ + kPlotHeight * (1 - std::clamp(value / scale_.back(), 0.0, 1.0));
  }
  void add(std::string_view markup) { text_ += markup; }
  /// Adds the labels; `place` returns their positions from 0 to 1.
  template <class Place>
  void label(Place place) {
    std::size_t named = 0;
    for (const auto& text : chart_.labels) named += text.empty() ? 0 : 1;
    const std::size_t every = std::max<std::size_t>(1, (named + kMostLabels - 1) / kMostLabels);
    std::size_t seen = 0;
    for (std::size_t i = 0; i < chart_.labels.size(); ++i)
      if (!chart_.labels[i].empty() && seen++ % every == 0)
        text_ += fmt::format(
            "<text class=\"x\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
            kLeft + kPlotWidth * place(i), bottom() + 18, html_text(chart_.labels[i]));
  }
  std::string take() { return std::move(text_) + "</svg>\n"; }

 private:
  std::string describe() const {
    auto text = chart_.title;
    for (const Series& series : chart_.series) {
      const auto most =
          series.values.empty() ? 0 : *std::max_element(series.values.begin(), series.values.end());
      text += fmt::format("; {}: at most {:.4g} {}", series.name, most, chart_.unit);
    }
    return text;
  }
  void draw_legend() {
    const double room = kPlotWidth / static_cast<double>(columns_);
    for (std::size_t i = 0; i < chart_.series.size(); ++i) {
      const std::size_t row = i / columns_, column = i % columns_;
      const double x = kLeft + room * static_cast<double>(column);
      const double middle = 10 + kLegendRow * static_cast<double>(row);
      text_ += fmt::format(
          "<line class=\"line key s{0}\" x1=\"{1:.1f}\" x2=\"{2:.1f}\" y1=\"{3}\" y2=\"{3}\"/>"
          "<text x=\"{4:.1f}\" y=\"{5}\">{6}</text>\n",
          i % kColours, x, x + kLegendLine, middle, x + kLegendLine + kLegendGap, middle + 4,
          html_text(shortened(chart_.series[i].name, letters_in(columns_))));
    }
  }
  void draw_scale() {
    for (const double value : scale_)
      text_ += fmt::format(
          "<line class=\"grid\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/><text "
          "class=\"y\" x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:g}</text>\n",
          kLeft, kWidth - kRight, y(value), kLeft - 6, y(value) + 4, value);
    text_ += fmt::format("<text class=\"unit\" x=\"{}\" y=\"{}\">{}</text>\n", kLeft - 40, top_ - 8,
                         html_text(chart_.unit));
  }

  const Chart& chart_;
  std::vector<double> scale_;
  std::size_t columns_;
  double top_ = 0;
  std::string text_;
};

}  // namespace

std::string html_text(std::string_view text) { return markup_escaped(printable(text)); }

std::vector<double> scale_for(double most) {
  if (!(most > 0) || !std::isfinite(most)) return {0, 1};
  const double rough = most / 5;
  const double ten = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * ten;
  for (const double factor : {5.0, 2.0, 1.0})
    if (factor * ten >= rough * (1 - 1e-9)) step = factor * ten;
  std::vector<double> scale;
  for (int i = 0; scale.empty() || scale.back() < most * (1 - 1e-9); ++i) scale.push_back(i * step);
  return scale;
}

std::string line_chart(const Chart& chart, bool steps) {
  Plot plot(chart);
  const auto count = static_cast<double>(std::max<std::size_t>(1, chart.labels.size()));
  const double gaps = steps ? count : std::max(1.0, count - 1);
  const auto place = [gaps](std::size_t i) { return static_cast<double>(i) / gaps; };
  for (std::size_t which = 0; which < chart.series.size(); ++which) {
    std::string points;
    const auto& values = chart.series[which].values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto at = plot.y(values[i]);
      points += fmt::format("{:.1f},{:.1f} ", kLeft + kPlotWidth * place(i), at);
      if (steps) points += fmt::format("{:.1f},{:.1f} ", kLeft + kPlotWidth * place(i + 1), at);
    }
    plot.add(
        fmt::format("<polyline class=\"line s{}\" points=\"{}\"><title>{}</title></polyline>\n",
                    which % kColours, points, html_text(chart.series[which].name)));
  }
  plot.label(place);
  return plot.take();
}

std::string bar_chart(const Chart& chart) {
  Plot plot(chart);
  const auto places = static_cast<double>(std::max<std::size_t>(1, chart.labels.size()));
  const auto count = static_cast<double>(std::max<std::size_t>(1, chart.series.size()));
  const double room = kPlotWidth / places, bar = room * 0.8 / count;
  for (std::size_t which = 0; which < chart.series.size(); ++which) {
    const auto& [name, values] = chart.series[which];
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double x =
          kLeft + room * (static_cast<double>(i) + 0.1) + bar * static_cast<double>(which);
      plot.add(
          fmt::format("<rect class=\"bar s{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
                      "height=\"{:.1f}\"><title>{}, {}: {:.4g} {}</title></rect>\n",
                      which % kColours, x, plot.y(values[i]), std::max(0.5, bar - 1),
                      plot.bottom() - plot.y(values[i]), html_text(chart.labels[i]),
                      html_text(name), values[i], html_text(chart.unit)));
    }
  }
  plot.label([places](std::size_t i) { return (static_cast<double>(i) + 0.5) / places; });
  return plot.take();
}

std::string stand_alone(std::string drawing) {
  const auto begin = drawing.find('>');
  if (begin == drawing.npos) return drawing;
  return drawing.insert(begin + 1, fmt::format("<style>{}</style>", kChartStyle));
}

}  // namespace maui::compare
