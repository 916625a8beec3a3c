// showhist: shows ended jobs, past reservations and the past load of the machine from the
// history.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>

#include "base/text.h"
#include "cmd/access.h"
#include "cmd/facts/history_facts.h"
#include "cmd/facts/history_walk.h"
#include "cmd/facts/node_facts.h"

namespace maui {
namespace {

constexpr std::size_t kMostJobs = 10'000;  // per answer: the latest jobs
constexpr std::int64_t kMostSteps = 750;

constexpr std::pair<const char*, CredentialKind> kCredentialFlags[] = {
    {"a", CredentialKind::account}, {"c", CredentialKind::job_class}, {"g", CredentialKind::group},
    {"q", CredentialKind::qos},     {"u", CredentialKind::user},
};

Result<Time> time_of(const Context& context, std::string_view flag, Time otherwise) {
  if (!context.has(flag)) return otherwise;
  const auto time = parse_past_time(context.value(flag), context.now(), server_zone());
  if (!time) return Error{fmt::format("showhist: -{}: {}", flag, time.error().what)};
  return *time;
}

/// Returns today, or the day of a given end; for named jobs, all time.
Result<Period> asked_period(const Context& context) {
  const auto end = time_of(context, "e", context.now());
  if (!end) return end.error();
  const TimeZone& zone = server_zone();
  const bool named = !context.request.operands.empty();
  const Time midnight = zone.first(zone.day_of(*end - Seconds(1)), Seconds(0));
  const auto start = time_of(context, "s", named ? Time(0) : midnight);
  if (!start) return start.error();
  if (*end < *start) return Error{"showhist: expected an end (-e) not before the start (-s)"};
  return Period{*start, *end};
}

Result<JobSelection> asked_jobs(const Context& context, const Period& period) {
  JobSelection selection;
  selection.ended_from = period.start;
  selection.ended_by = period.end;
  const auto add = [&](std::string_view flag, const Status& status) -> Status {
    return status ? status : Error{fmt::format("showhist: -{}: {}", flag, status.error().what)};
  };
  for (const auto& [flag, kind] : kCredentialFlags)
    if (context.has(flag))
      if (auto added = add(flag, add_names(context.value(flag), selection.who[kind])); !added)
        return added.error();
  if (context.has("n")) {
    const auto most = most_hosts(context.cluster());
    if (auto added = add("n", add_nodes(context.value("n"), selection.nodes, most)); !added)
      return added.error();
  }
  selection.names.insert(context.request.operands.begin(), context.request.operands.end());
  if (is_admin(context, 3)) return selection;
  auto& users = selection.who[CredentialKind::user];
  const std::string& user = context.request.user;
  if (!users.empty() && (users.size() > 1 || !users.contains(user)))
    return Error{fmt::format("user '{}' is not authorized to see the jobs of others", user)};
  users = {user};
  return selection;
}

Answer jobs(const Context& context, const history::Reader& reader, const Period& period) {
  auto selection = asked_jobs(context, period);
  if (!selection) return selection.error();
  auto query = history::JobQuery::open(reader, *std::move(selection), /*endings=*/true);
  if (!query) return unreadable(query.error());
  if (!context.request.operands.empty())
    if (const auto status = query->let_names_be_numbers(); !status)
      return unreadable(status.error());
  struct Found {
    std::deque<CompletedRow> rows;
    std::int64_t left_out = 0;
  };
  const auto found = std::make_shared<Found>();
  const auto take = [found](const history::KnownJob& known) {
    found->rows.push_back(completed_row(known));
    if (found->rows.size() <= kMostJobs) return;
    found->rows.pop_front();
    ++found->left_out;
  };
  const auto named = join(context.request.operands, ", ");
  const auto fill = [found, named, all = is_admin(context, 3)](Reply& reply) {
    if (!named.empty() && found->rows.empty()) {
      reply =
          Refusal{fmt::format("the history has no such job{}: {}", all ? "" : " of yours", named)};
      return;
    }
    auto& history_reply = std::get<HistoryReply>(reply);
    history_reply.jobs.assign(std::make_move_iterator(found->rows.begin()),
                              std::make_move_iterator(found->rows.end()));
    history_reply.left_out = found->left_out;
  };
  walk(context, *std::move(query), take, fill, [found] { return found->rows.size(); });
  return Reply(HistoryReply{context.now().raw(), period.start.raw(), period.end.raw(), {}});
}

Answer reservations(const Context& context, const history::Reader& reader, const Period& period) {
  using Row = history::PastReservation;
  auto query = history::RowQuery<Row>::open(reader, period.start, period.end);
  if (!query) return unreadable(query.error());
  const auto found = std::make_shared<std::vector<PastReservationRow>>();
  const auto take = [found](const Row& reservation) {
    found->push_back({reservation.name, reservation.type, reservation.start.raw(),
                      reservation.end.raw(), reservation.nodes, reservation.procs});
  };
  walk(
      context, *std::move(query), take,
      [found](Reply& reply) { std::get<ReservationHistoryReply>(reply).reservations = *found; },
      [found] { return found->size(); });
  return Reply(
      ReservationHistoryReply{context.now().raw(), period.start.raw(), period.end.raw(), {}});
}

/// Returns a step of a minute, an hour or a day, so that there are not too many steps.
std::int64_t step_for(const Period& period) {
  for (const std::int64_t step : {std::int64_t{60}, kHourSeconds})
    if ((period.end - period.start).raw() <= step * kMostSteps) return step;
  return kDaySeconds;
}

/// Adds a minute to the last step, or begins a new step.
void add(std::vector<history::MinuteOfUse>& steps, const history::MinuteOfUse& minute,
         std::int64_t step, Seconds ahead) {
  const std::int64_t local = minute.start.raw() + ahead.raw();
  const Time start(local / step * step - ahead.raw());
  if (steps.empty() || steps.back().start != start) {
    steps.push_back({});
    steps.back().start = start;
  }
  auto& sum = steps.back();
  sum.seconds += minute.seconds;
  sum.busy += minute.busy;
  sum.up += minute.up;
  sum.active += minute.active;
  sum.waiting += minute.waiting;
}

UtilisationRow average(const history::MinuteOfUse& sum) {
  const auto seconds = static_cast<double>(std::max<std::int64_t>(sum.seconds, 1));
  const auto of = [&](std::int64_t value) { return static_cast<double>(value) / seconds; };
  return {sum.start.raw(), sum.seconds, of(sum.busy), of(sum.up), of(sum.active), of(sum.waiting)};
}

Answer utilisation(const Context& context, const history::Reader& reader, const Period& period) {
  using Row = history::MinuteOfUse;
  auto query = history::RowQuery<Row>::open(reader, period.start, period.end);
  if (!query) return unreadable(query.error());
  const std::int64_t step = step_for(period);
  const auto steps = std::make_shared<std::vector<Row>>();
  const auto take = [steps, step](const Row& minute) {
    add(*steps, minute, step, server_zone().offset_at(minute.start));
  };
  const auto fill = [steps](Reply& reply) {
    auto& use_reply = std::get<UtilisationHistoryReply>(reply);
    for (const Row& sum : *steps) use_reply.steps.push_back(average(sum));
  };
  walk(context, *std::move(query), take, fill, [steps] { return steps->size(); });
  return Reply(
      UtilisationHistoryReply{context.now().raw(), period.start.raw(), period.end.raw(), step, {}});
}

}  // namespace

Answer showhist(const Context& context) {
  const bool of_machine = context.has("m"), of_reservations = context.has("r");
  const auto times = context.request.flags.count("s") + context.request.flags.count("e");
  if (of_machine || of_reservations) {
    if (context.request.flags.size() > times + 1 || !context.request.operands.empty())
      return Error{"showhist: -m and -r can be combined only with -s and -e"};
    if (!is_admin(context, 3))
      return Error{fmt::format("user '{}' is not authorized to see more than his own jobs",
                               context.request.user)};
  }
  const auto reader = history_of(context);
  if (!reader) return reader.error();
  const auto period = asked_period(context);
  if (!period) return period.error();
  if (of_machine) return utilisation(context, *reader, *period);
  if (of_reservations) return reservations(context, *reader, *period);
  return jobs(context, *reader, *period);
}

}  // namespace maui
