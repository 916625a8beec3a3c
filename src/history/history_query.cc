#include "history/history_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "history/schema.h"

namespace maui::history {
namespace {

constexpr std::int64_t kRows = 400;       // per step
constexpr std::int64_t kFewestRows = 16;  // read at once per key if there are many
constexpr std::size_t kMostStreams = 64;  // keys; with more, all jobs are searched
constexpr std::size_t kNumbers = 100;     // looked up per step
constexpr std::int64_t kHosts = 20000;    // per step, if nodes are selected: those of its rows

/// Columns 0 and 1 are ended and id; the columns of `ends` come last.
constexpr std::string_view kColumns =
    "j.ended, j.id, j.name, j.user, j.job_group, j.account, j.class, j.qos, j.partition, j.hosts, "
    "j.state, j.procs, j.wclimit, j.submitted, j.started, j.proc_seconds, j.backfilled, j.bypass, "
    "j.suspended";
constexpr int kEndings = 19;

RecordedJob job_of(const sqlite::Statement& row) {
  RecordedJob job;
  job.ended = Time(row.integer(0));
  job.name = row.text(2);
  job.who[CredentialKind::user] = row.text(3);
  job.who[CredentialKind::group] = row.text(4);
  job.who[CredentialKind::account] = row.text(5);
  job.who[CredentialKind::job_class] = row.text(6);
  job.who[CredentialKind::qos] = row.text(7);
  job.partition = row.text(8);
  job.hosts = row.text(9);
  job.state = state_of_number(row.integer(10));
  job.procs = row.integer(11);
  job.limit = Seconds(row.integer(12));
  job.submitted = Time(row.integer(13));
  job.started = Time(row.integer(14));
  job.proc_seconds = row.number(15);
  job.backfilled = row.integer(16) != 0;
  job.bypass = static_cast<std::int32_t>(row.integer(17));
  job.suspended = Seconds(row.integer(18));
  return job;
}

KnownJob known_job(const sqlite::Statement& row, bool endings) {
  KnownJob known{job_of(row), 0, {}};
  if (!endings || row.is_null(kEndings)) return known;
  known.exit_code = row.integer(kEndings);
  if (auto waits = parse_waits(row.text(kEndings + 1))) known.waits = *std::move(waits);
  return known;
}

/// An index of jobs: sorted by its column, then by their ends.
struct Index {
  std::string_view name, column;
};

struct ChosenIndex {
  Index index;
  std::vector<std::string> keys{std::string()};  // values to look up
};

/// Returns the index that probably leaves fewest rows to read; the one by ends if no other does.
ChosenIndex index_for(const JobSelection& selection) {
  constexpr std::pair<CredentialKind, Index> kByCredential[] = {
      {CredentialKind::user, {"jobs_by_user", "user"}},
      {CredentialKind::account, {"jobs_by_account", "account"}},
      {CredentialKind::group, {"jobs_by_group", "job_group"}},
      {CredentialKind::job_class, {"jobs_by_class", "class"}},
      {CredentialKind::qos, {"jobs_by_qos", "qos"}},
  };
  const auto all = [](const auto& names) {
    return std::vector<std::string>(names.begin(), names.end());
  };
  if (!selection.names.empty()) return {{"jobs_by_name", "name"}, all(selection.names)};
  for (const auto& [kind, index] : kByCredential)
    if (const auto& names = selection.who[kind]; !names.empty() && names.size() <= kMostStreams)
      return {index, all(names)};
  return {{"jobs_by_end", ""}};
}

std::string sql_for(const Index& index, bool endings) {
  return fmt::format(
      "SELECT {}{} FROM jobs j INDEXED BY {}{} WHERE {}j.ended <= ?2 AND (j.ended, j.id) > (?3, "
      "?4) "
      "ORDER BY j.ended, j.id LIMIT ?5",
      kColumns, endings ? ", e.exit_code, e.waits" : "", index.name,
      endings ? " LEFT JOIN ends e ON e.name = j.name AND e.submitted = j.submitted" : "",
      index.column.empty() ? std::string("?1 = '' AND ")
                           : fmt::format("j.{} = ?1 AND ", index.column));
}

}  // namespace

JobQuery::JobQuery(Reader reader, std::shared_ptr<sqlite::Database> database,
                   sqlite::Statement statement, JobSelection selection,
                   const std::vector<std::string>& keys)
    : reader_(std::move(reader)),
      database_(std::move(database)),
      statement_(std::move(statement)),
      selection_(std::move(selection)) {
  for (const auto& key : keys) add_stream(key);
}

void JobQuery::add_stream(const std::string& key) {
  to_read_.push_back(streams_.size());
  streams_.push_back({key, selection_.ended_from.raw() - 1});
}

Result<JobQuery> JobQuery::open(const Reader& reader, JobSelection selection, bool endings) {
  auto database = reader->open();
  if (!database) return database.error();
  const auto chosen = index_for(selection);
  auto statement = (*database)->prepare(sql_for(chosen.index, endings));
  if (!statement) return reader->noted(**database, statement.error());
  JobQuery query(reader, *std::move(database), *std::move(statement), std::move(selection),
                 chosen.keys);
  query.endings_ = endings;
  return query;
}

Status JobQuery::let_names_be_numbers() {
  auto names = NumberedNames::open(reader_);
  if (!names) return names.error();
  names_of_numbers_ = *std::move(names);
  numbers_.assign(selection_.names.begin(), selection_.names.end());
  return Done{};
}

Status JobQuery::look_up_numbers() {
  for (std::size_t done = 0; done < kNumbers && !numbers_.empty(); ++done) {
    const auto names = names_of_numbers_->of(numbers_.back());
    if (!names) return names.error();
    numbers_.pop_back();
    for (const auto& name : *names)
      if (selection_.names.insert(name).second) add_stream(name);
  }
  return Done{};
}

Status JobQuery::read_on(Stream& stream) {
  const auto at_once = std::max(kRows / static_cast<std::int64_t>(streams_.size()), kFewestRows);
  statement_.bind(1, std::string_view(stream.key)).bind(2, selection_.ended_by.raw());
  statement_.bind(3, stream.last_end).bind(4, stream.last_id).bind(5, at_once);
  std::int64_t hosts = 0;
  for (std::int64_t rows = 0;; ++rows) {
    if (hosts >= kHosts) {
      statement_.reset();
      return Done{};
    }
    const auto row = statement_.step();
    if (!row) return reader_->noted(*database_, row.error());
    if (!*row) {
      stream.read_up = rows < at_once;
      return Done{};
    }
    stream.last_end = statement_.integer(0);
    stream.last_id = statement_.integer(1);
    auto known = known_job(statement_, endings_);
    if (!selection_.nodes.empty()) hosts += node_count(known.job);
    if (selection_.admits(known.job)) stream.rows.push_back({stream.last_id, std::move(known)});
  }
}

bool JobQuery::is_later(std::size_t a, std::size_t b) const {
  const auto& row = streams_[a].rows.front();
  const auto& other = streams_[b].rows.front();
  return std::pair(row.job.job.ended, row.id) > std::pair(other.job.job.ended, other.id);
}

/// Passes jobs on until a stream needs to be read first.
void JobQuery::hand_over(const Take& take) {
  const auto later = [this](std::size_t a, std::size_t b) { return is_later(a, b); };
  for (std::int64_t rows = 0; rows < kRows && to_read_.empty() && !ready_.empty(); ++rows) {
    std::pop_heap(ready_.begin(), ready_.end(), later);
    const std::size_t place = ready_.back();
    Stream& stream = streams_[place];
    take(std::move(stream.rows.front().job));
    stream.rows.pop_front();
    if (!stream.rows.empty()) {
      std::push_heap(ready_.begin(), ready_.end(), later);
      continue;
    }
    ready_.pop_back();
    if (!stream.read_up) to_read_.push_back(place);
  }
}

Result<bool> JobQuery::step(const Take& take) {
  if (!numbers_.empty()) {
    const auto found = look_up_numbers();
    return found ? Result<bool>(true) : found.error();
  }
  if (!to_read_.empty()) {
    const std::size_t place = to_read_.back();
    Stream& stream = streams_[place];
    if (auto read = read_on(stream); !read) return read.error();
    if (stream.rows.empty() && !stream.read_up) return true;
    to_read_.pop_back();
    if (!stream.rows.empty()) {
      ready_.push_back(place);
      std::push_heap(ready_.begin(), ready_.end(),
                     [this](std::size_t a, std::size_t b) { return is_later(a, b); });
    }
  }
  hand_over(take);
  return !to_read_.empty() || !ready_.empty();
}

Result<std::optional<KnownJob>> find_job(const Reader& reader, const std::string& name,
                                         const std::string& user) {
  auto database = reader->open();
  if (!database) return database.error();
  auto statement = (*database)->prepare(
      fmt::format("SELECT {}, e.exit_code, e.waits FROM jobs j INDEXED BY jobs_by_name LEFT JOIN "
                  "ends e ON e.name = j.name AND e.submitted = j.submitted WHERE j.name = ?1 AND "
                  "(?2 = '' OR j.user = ?2) ORDER BY j.ended DESC, j.id DESC LIMIT 1",
                  kColumns));
  if (!statement) return reader->noted(**database, statement.error());
  const auto row =
      statement->bind(1, std::string_view(name)).bind(2, std::string_view(user)).step();
  if (!row) return reader->noted(**database, row.error());
  if (!*row) return std::optional<KnownJob>();
  return std::optional(known_job(*statement, true));
}

NumberedNames::NumberedNames(Reader reader, std::shared_ptr<sqlite::Database> database,
                             sqlite::Statement statement)
    : reader_(std::move(reader)),
      database_(std::move(database)),
      statement_(std::move(statement)) {}

Result<NumberedNames> NumberedNames::open(const Reader& reader) {
  auto database = reader->open();
  if (!database) return database.error();
  auto statement = (*database)->prepare(
      "SELECT DISTINCT name FROM jobs INDEXED BY jobs_by_name WHERE name > ?1 AND name < ?2 "
      "LIMIT 100");
  if (!statement) return reader->noted(**database, statement.error());
  return NumberedNames(reader, *std::move(database), *std::move(statement));
}

Result<std::vector<std::string>> NumberedNames::of(const std::string& number) {
  std::vector<std::string> names;
  if (number.empty() || number.find('.') != std::string::npos) return names;
  const std::string first = number + ".", after = number + "/";  // the character after '.'
  statement_.bind(1, std::string_view(first)).bind(2, std::string_view(after));
  for (;;) {
    const auto row = statement_.step();
    if (!row) return reader_->noted(*database_, row.error());
    if (!*row) return names;
    names.push_back(statement_.text(0));
  }
}

namespace {

template <class Row>
constexpr std::string_view kRowSql = {};
template <>
constexpr std::string_view kRowSql<PastReservation> =
    "SELECT end, id, name, type, start, nodes, procs FROM reservations "
    "WHERE end <= ?1 AND (end, id) > (?2, ?3) ORDER BY end, id LIMIT ?4";
template <>
constexpr std::string_view kRowSql<MinuteOfUse> =
    "SELECT start, start, seconds, busy, up, active, waiting FROM minutes "
    "WHERE start <= ?1 AND start > ?2 AND ?3 >= 0 ORDER BY start LIMIT ?4";

void read(const sqlite::Statement& row, PastReservation& reservation) {
  reservation.end = Time(row.integer(0));
  reservation.name = row.text(2);
  reservation.type = row.text(3);
  reservation.start = Time(row.integer(4));
  reservation.nodes = row.integer(5);
  reservation.procs = row.integer(6);
}

void read(const sqlite::Statement& row, MinuteOfUse& minute) {
  minute.start = Time(row.integer(0));
  minute.seconds = row.integer(2);
  minute.busy = row.integer(3);
  minute.up = row.integer(4);
  minute.active = row.integer(5);
  minute.waiting = row.integer(6);
}

}  // namespace

template <class Row>
Result<RowQuery<Row>> RowQuery<Row>::open(const Reader& reader, Time start, Time end) {
  auto database = reader->open();
  if (!database) return database.error();
  auto statement = (*database)->prepare(kRowSql<Row>);
  if (!statement) return reader->noted(**database, statement.error());
  return RowQuery(reader, *std::move(database), *std::move(statement), start, end);
}

template <class Row>
Result<bool> RowQuery<Row>::step(const std::function<void(Row row)>& take) {
  statement_.bind(1, end_.raw()).bind(2, last_).bind(3, last_id_).bind(4, kRows);
  for (std::int64_t rows = 0;; ++rows) {
    const auto more = statement_.step();
    if (!more) return reader_->noted(*database_, more.error());
    if (!*more) return rows == kRows;
    last_ = statement_.integer(0);
    last_id_ = statement_.integer(1);
    Row row;
    read(statement_, row);
    take(std::move(row));
  }
}

template class RowQuery<PastReservation>;
template class RowQuery<MinuteOfUse>;

}  // namespace maui::history
