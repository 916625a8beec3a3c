// Attributes of reservations that a resource manager has itself.
#include "base/text.h"
#include "rm/wiki_table.h"

namespace maui {
namespace wiki {
namespace {

template <Time ReservationReport::*Member>
bool time(std::string_view value, ReservationReport& reservation) {
  return read_time(value, reservation.*Member);
}
template <Time ReservationReport::*Member>
std::string time_of(const ReservationReport& reservation) {
  return time_text(reservation.*Member);
}

bool nodes(std::string_view value, ReservationReport& reservation) {
  for (auto& name : wiki_list(value)) reservation.nodes.emplace_back(std::move(name), -1);
  return true;
}
std::string nodes_of(const ReservationReport& reservation) {
  std::vector<std::string> names;
  for (const auto& node : reservation.nodes) names.push_back(node.first);
  return wiki_joined(names);
}

// Reads a number for each node of NODELIST, which is read before.
bool procs(std::string_view value, ReservationReport& reservation) {
  const auto numbers = wiki_list(value);
  if (numbers.size() != reservation.nodes.size()) return false;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto number = parse_integer<int>(numbers[i]);
    if (!number) return false;
    reservation.nodes[i].second = *number;
  }
  return true;
}
std::string procs_of(const ReservationReport& reservation) {
  std::string text;
  bool whole = true;
  for (const auto& node : reservation.nodes) {
    text += fmt::format("{}{}", text.empty() ? "" : ":", node.second);
    whole = whole && node.second < 0;
  }
  return whole ? std::string() : text;
}

const Table<ReservationReport>& reservation_table() {
  using R = ReservationReport;
  static const Table<R> kTable({
      {"STARTTIME", "seconds since the epoch", time<&R::start>, time_of<&R::start>},
      {"ENDTIME", "seconds since the epoch", time<&R::end>, time_of<&R::end>},
      {"NODELIST", {}, nodes, nodes_of},
      {"PROCS", "one number for each node", procs, procs_of},
  });
  return kTable;
}

}  // namespace
}  // namespace wiki

ReservationReport read_wiki_reservation(const WikiRecord& record, WikiNotes& notes) {
  ReservationReport reservation;
  reservation.name = record.id;
  [[maybe_unused]] const auto status =
      wiki::reservation_table().read("reservation", record, reservation, notes);
  return reservation;
}

WikiRecord write_wiki_reservation(const ReservationReport& reservation) {
  WikiRecord record{reservation.name, {}};
  wiki::reservation_table().write(reservation, record);
  return record;
}

}  // namespace maui
