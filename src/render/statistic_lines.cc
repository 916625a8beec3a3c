#include "render/statistic_lines.h"

namespace maui {
namespace {

constexpr std::string_view kNothing = "<N/A>";

void share_line(Lines& out, std::string_view label, const std::string& left,
                const std::string& right, double share) {
  out.line("{:<30}{:>10}/{:<10}({:.3f}%)", label, left, right, share);
}

}  // namespace

void period_line(Lines& out, std::int64_t since, std::int64_t until) {
  out.line("jobs from {} to {}", date(since, true), date(until, true));
}

void statistics_line(Lines& out, std::string_view began, std::int64_t since, std::int64_t until) {
  if (until >= 0)
    period_line(out, since, until);
  else
    out.line("statistics {} {}", began, date(since));
}

std::string two_digits(double value) { return fmt::format("{:.2f}", value); }

void pair_line(Lines& out, std::string_view label, std::string_view left, std::string_view right) {
  out.line("{:<30}{:>10}/{}", label, left, right);
}

void count_share(Lines& out, std::string_view label, std::int64_t part, std::int64_t whole) {
  share_line(out, label, fmt::to_string(part), fmt::to_string(whole),
             percent(static_cast<double>(part), static_cast<double>(whole)));
}

void hour_share(Lines& out, std::string_view label, double part, double whole) {
  share_line(out, label, two_digits(part), two_digits(whole), percent(part, whole));
}

void percent_line(Lines& out, std::string_view label, double value, std::string_view more) {
  if (value < 0)
    out.line("{:<30}{:>10}", label, kNothing);
  else
    out.line("{:<30}{:>9.3f}%{}", label, value, more);
}

}  // namespace maui
