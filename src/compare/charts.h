// Draws SVG charts in the colours that the page's style gives to `.s0` to `.s7`: lines over time or
// over steps, and bars by group.  Each chart has a text for readers who cannot see it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace maui::compare {

/// Escapes text for HTML and SVG, so that markup in it is shown rather than interpreted.
std::string html_text(std::string_view text);

struct Series {
  std::string name;
  std::vector<double> values;
};

struct Chart {
  std::string title;                // a short description of the chart
  std::string unit;                 // appended to the numbers of the scale
  std::vector<std::string> labels;  // of the horizontal axis; some may be empty
  std::vector<Series> series;       // each has as many values as there are labels
};

/// Draws a line for each series; if `steps`, a value holds until the next place.
std::string line_chart(const Chart& chart, bool steps);
/// Draws a bar for each series at each label.
std::string bar_chart(const Chart& chart);
/// Returns the drawing as a complete file, with its style included.
std::string stand_alone(std::string drawing);

/// Returns between 2 and 7 round numbers from 0 to `most` or a little more.
std::vector<double> scale_for(double most);

}  // namespace maui::compare
