// showres --gantt in a terminal: one mark per reservation, one column per stretch of time.
#include <algorithm>

#include "render/as_text.h"
#include "render/cells.h"
#include "render/reservation_chart.h"

namespace maui {
namespace {

constexpr std::string_view kMarks =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
constexpr char kFurther = '*', kSeveral = '+', kFree = '.', kClosed = '#';
constexpr std::int64_t kLeastColumns = 24;

class Gantt {
 public:
  Gantt(const ReservationChartReply& reply, int width)
      : reply_(reply), rows_(chart_rows(reply)), order_(chart_order(rows_)) {
    for (const auto& row : rows_) label_ = std::max(label_, row.label.size());
    columns_ = std::max<std::int64_t>(kLeastColumns, width - static_cast<std::int64_t>(label_) - 2);
  }

  std::string draw() {
    out_.line("reservations from {} on, for {}", date(reply_.now),
              length(reply_.until - reply_.now));
    out_.blank();
    axis();
    for (const auto& row : rows_) out_.line("{:>{}}  {}", row.label, label_, cells(*row.node));
    out_.blank();
    legend();
    return out_.take();
  }

 private:
  std::int64_t begin_of(std::int64_t column) const {
    return reply_.now + (reply_.until - reply_.now) * column / columns_;
  }
  char mark_of(const std::string& reservation) const {
    const auto index = order_.at(reservation);
    return index < kMarks.size() ? kMarks[index] : kFurther;
  }

  void axis() {
    const auto span = reply_.until - reply_.now;
    const auto step = chart_step(span, columns_ / 8);
    std::string line(static_cast<std::size_t>(columns_), ' ');
    for (std::int64_t at = 0; at < span; at += step) {
      const auto text = "|" + chart_offset(at);
      const auto column = static_cast<std::size_t>(at * columns_ / span);
      if (column + text.size() <= line.size()) line.replace(column, text.size(), text);
    }
    out_.line("{:>{}}  {}", "", label_, line);
  }

  // Returns the mark of the share in the middle of the stretch, or else of any share within it.
  char cell(const ChartedNode& node, std::int64_t begin, std::int64_t end) const {
    const auto middle = begin + (end - begin) / 2;
    const ReservedShare *there = nullptr, *within = nullptr;
    for (const auto& share : node.shares) {
      const auto share_end = share.end == -1 ? reply_.until : share.end;
      if (share.start < end && begin < share_end) within = &share;
      if (share.start > middle || middle >= share_end) continue;
      if (there) return kSeveral;
      there = &share;
    }
    if (!there) there = within;
    if (there) return mark_of(there->reservation);
    return chart_closed(node) ? kClosed : kFree;
  }

  std::string cells(const ChartedNode& node) const {
    std::string line;
    for (std::int64_t c = 0; c < columns_; ++c) line += cell(node, begin_of(c), begin_of(c + 1));
    return line;
  }

  void legend() {
    auto rows = reply_.reservations;
    std::erase_if(rows, [&](const ReservationRow& r) { return !order_.contains(r.name); });
    std::stable_sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) {
      return order_.at(a.name) < order_.at(b.name);
    });
    for (const auto& r : rows)
      out_.line("{} {:<19} {:>4} {} {:>11} to {:>11} {:>4}/{:<4}", mark_of(r.name), r.name, r.type,
                letter(r.job_state), ahead(r.start, reply_.now), ahead(r.end, reply_.now), r.nodes,
                r.procs);
    out_.line("{} free  {} several reservations  {} down or drained{}", kFree, kSeveral, kClosed,
              order_.size() > kMarks.size() ? "  * another reservation" : "");
  }

  const ReservationChartReply& reply_;
  std::vector<ChartRow> rows_;
  std::map<std::string, std::size_t> order_;
  std::size_t label_ = 8;
  std::int64_t columns_ = kLeastColumns;
  Lines out_;
};

}  // namespace

std::string as_text(const ReservationChartReply& reply, int width) {
  return Gantt(reply, width).draw();
}

}  // namespace maui
