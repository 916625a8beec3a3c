// Pictures as SVG, in the colours that the page's style gives to `.s0` to `.s7`: lines over time,
// or over steps, and bars by group.  Each says in words what it shows, for those who do not see it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace maui::compare {

/// Text as it stands in HTML and SVG: markup of others is shown, not followed.
std::string html_text(std::string_view text);

struct Series {
  std::string name;
  std::vector<double> values;
};

struct Chart {
  std::string title;                // what it shows, in a few words
  std::string unit;                 // behind the numbers of the scale
  std::vector<std::string> labels;  // of the places across; some may be empty
  std::vector<Series> series;       // as many values as there are labels
};

/// A line for each series; `steps`: values hold from one place to the next.
std::string line_chart(const Chart& chart, bool steps);
/// A bar for each series at each label.
std::string bar_chart(const Chart& chart);
/// A drawing as a file of its own: with its style in it.
std::string stand_alone(std::string drawing);

/// Round numbers from 0 to `most` or a little more; 2 at least, 7 at most.
std::vector<double> scale_for(double most);

}  // namespace maui::compare
