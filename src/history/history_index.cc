#include "history/history_index.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "history/schema.h"
#include "sim/workload_trace.h"

namespace maui::history {
namespace {

constexpr std::string_view kRecords = "stats.", kEvents = "history.";
constexpr std::size_t kChunk = 16384;          // bytes; some dozens of records
constexpr std::size_t kLongest = 1u << 20;     // of a line; longer ones are skipped
constexpr std::int64_t kCheckpoint = 1 << 20;  // bytes of text between two checkpoints
constexpr std::chrono::seconds kRetry{10};
constexpr std::chrono::minutes kForget{10};
constexpr std::chrono::seconds kLook{1};  // between checks that the file still exists
constexpr int kForgotten = 200;           // rows of a table at once

constexpr std::string_view kCompressed = ".gz";

/// Sites compress files that do not grow any more; their name stands for the same text.
std::string_view uncompressed(std::string_view name) {
  if (name.ends_with(kCompressed)) name.remove_suffix(kCompressed.size());
  return name;
}

/// True for stats.2026_11_01 and history.2026_11_01, compressed or not.
bool is_ours(std::string_view name) {
  name = uncompressed(name);
  for (const auto prefix : {kRecords, kEvents})
    if (name.starts_with(prefix))
      return name.size() == prefix.size() + 10 &&
             name.substr(prefix.size()).find_first_not_of("0123456789_") == name.npos;
  return false;
}

Error unreadable(const std::string& path) {
  return Error{fmt::format("'{}' cannot be read", path)};
}

/// Returns the bytes of a file from an offset on.
Result<std::string> bytes_of(const std::string& path, std::int64_t from, std::size_t most) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return unreadable(path);
  std::string text(most, '\0');
  const auto count = ::pread(file, text.data(), most, from);
  ::close(file);
  if (count < 0) return unreadable(path);
  text.resize(static_cast<std::size_t>(count));
  return text;
}

}  // namespace

/// A compressed file that is being read.  It stays open, since its text has to be decompressed from
/// the beginning to get to any place in it.
class HistoryIndex::Compressed {
 public:
  static Result<std::unique_ptr<Compressed>> open(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) return unreadable(path);
    const gzFile text = ::gzdopen(file, "rb");
    if (text != nullptr) return std::unique_ptr<Compressed>(new Compressed(path, text));
    ::close(file);
    return unreadable(path);
  }
  ~Compressed() { ::gzclose(file_); }
  Compressed(const Compressed&) = delete;
  Compressed& operator=(const Compressed&) = delete;

  /// True if the text of that file from `from` on can be read without starting anew.
  bool serves(const std::string& path, std::int64_t from) const {
    return path == path_ && from >= from_;
  }
  /// Returns the bytes from an offset of the text on, which must not be before the preceding one.
  Result<std::string> bytes(std::int64_t from, std::size_t most) {
    if (const auto read = from_ + static_cast<std::int64_t>(ahead_.size()); from < read) {
      ahead_.erase(0, static_cast<std::size_t>(from - from_));
    } else {
      ahead_.clear();
      if (from > read && ::gzseek(file_, from, SEEK_SET) != from) return unreadable(path_);
    }
    from_ = from;
    if (const auto there = ahead_.size(); there < most) {
      ahead_.resize(most);
      const int count = ::gzread(file_, ahead_.data() + there, static_cast<unsigned>(most - there));
      ahead_.resize(there + static_cast<std::size_t>(std::max(count, 0)));
      if (count < 0) return unreadable(path_);
    }
    return ahead_.substr(0, most);
  }

 private:
  Compressed(std::string path, gzFile file) : path_(std::move(path)), file_(file) {}

  std::string path_;
  gzFile file_;
  std::int64_t from_ = 0;  // the place of `ahead_` in the text
  std::string ahead_;      // read, but perhaps not wanted yet
};

/// The prepared statements that write.
struct HistoryIndex::Writer {
  static Result<Writer> prepare(sqlite::Database& database) {
    constexpr std::string_view kSql[] = {
        "INSERT INTO jobs (name, user, job_group, account, class, qos, partition, hosts, state, "
        "procs, wclimit, submitted, started, ended, suspended, proc_seconds, backfilled, bypass) "
        "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        "INSERT OR IGNORE INTO ends (name, submitted, exit_code, waits) VALUES (?,?,?,?)",
        "INSERT INTO reservations (name, type, start, end, nodes, procs) VALUES (?,?,?,?,?,?)",
        "INSERT INTO minutes (start, seconds, busy, up, active, waiting) VALUES (?,?,?,?,?,?) "
        "ON CONFLICT (start) DO UPDATE SET seconds = seconds + excluded.seconds, "
        "busy = busy + excluded.busy, up = up + excluded.up, active = active + excluded.active, "
        "waiting = waiting + excluded.waiting",
        "INSERT OR REPLACE INTO files (name, read_to) VALUES (?,?)",
    };
    std::vector<sqlite::Statement> made;
    for (const auto sql : kSql) {
      auto statement = database.prepare(sql);
      if (!statement) return statement.error();
      made.push_back(*std::move(statement));
    }
    return Writer{std::move(made[0]), std::move(made[1]), std::move(made[2]), std::move(made[3]),
                  std::move(made[4])};
  }

  Status write(const RecordedJob& record) {
    int at = 0;
    for (const auto& text :
         {std::string_view(record.name), std::string_view(record.who[CredentialKind::user]),
          std::string_view(record.who[CredentialKind::group]),
          std::string_view(record.who[CredentialKind::account]),
          std::string_view(record.who[CredentialKind::job_class]),
          std::string_view(record.who[CredentialKind::qos]), std::string_view(record.partition),
          std::string_view(record.hosts)})
      job.bind(++at, text);
    for (const std::int64_t number :
         {number_of_state(record.state), record.procs, record.limit.raw(), record.submitted.raw(),
          record.started.raw(), record.ended.raw(), record.suspended.raw()})
      job.bind(++at, number);
    job.bind(++at, record.proc_seconds);
    job.bind(++at, std::int64_t{record.backfilled ? 1 : 0});
    job.bind(++at, std::int64_t{record.bypass});
    return job.run();
  }
  Status write(const JobEnding& ended) {
    const auto waits = waits_text(ended.waits);
    ending.bind(1, std::string_view(ended.name)).bind(2, ended.submitted.raw());
    return ending.bind(3, ended.exit_code).bind(4, std::string_view(waits)).run();
  }
  Status write(const PastReservation& past) {
    reservation.bind(1, std::string_view(past.name)).bind(2, std::string_view(past.type));
    reservation.bind(3, past.start.raw()).bind(4, past.end.raw());
    return reservation.bind(5, past.nodes).bind(6, past.procs).run();
  }
  Status write(const MinuteOfUse& use) {
    minute.bind(1, use.start.raw()).bind(2, use.seconds).bind(3, use.busy);
    return minute.bind(4, use.up).bind(5, use.active).bind(6, use.waiting).run();
  }
  Status write_place(std::string_view name, std::int64_t read_to) {
    return place.bind(1, name).bind(2, read_to).run();
  }

  sqlite::Statement job, ending, reservation, minute, place;
};

HistoryIndex::HistoryIndex(std::string directory, Log log)
    : reader_(std::make_shared<HistoryReader>(std::move(directory))), log_(std::move(log)) {}

HistoryIndex::~HistoryIndex() = default;

void HistoryIndex::begin() {
  if (auto opened = open(); !opened) fail(opened.error().what);
}

Status HistoryIndex::open() {
  if (const auto why = why_unfit(reader_->directory()); !why.empty()) {
    if (auto aside = set_aside(reader_->directory()); !aside) return aside;
    log_(fmt::format("the history is unusable and is rebuilt from its text files: {}", why));
  }
  return open_anew();
}

Status HistoryIndex::open_anew() {
  auto database = open_for_writing(reader_->directory());
  if (!database) return database.error();
  database_ = *std::move(database);
  auto writer = Writer::prepare(*database_);
  if (!writer) return writer.error();
  writer_ = std::make_unique<Writer>(*std::move(writer));
  return list_files();
}

Status HistoryIndex::list_files() {
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(reader_->directory(), error)) {
    auto name = entry.path().filename().string();
    if (!is_ours(name) || !entry.is_regular_file(error)) continue;
    const auto known = read_to(name);
    if (!known) return known.error();
    if (name.ends_with(kCompressed)) {  // its beginning may have been read before
      const bool plain =
          std::filesystem::exists(entry.path().parent_path() / uncompressed(name), error);
      const auto whole = place_of(name);
      if (!whole) return whole.error();
      if (*whole == 0 && !plain) found.push_back(std::move(name));
      continue;
    }
    const auto size = static_cast<std::int64_t>(entry.file_size(error));
    if (size < *known) {
      log_(fmt::format("'{}/{}' is shorter than the part already read: the history is rebuilt",
                       reader_->directory(), name));
      writer_.reset();
      database_.reset();
      if (auto removed = remove_database(reader_->directory()); !removed) return removed;
      return open_anew();
    }
    if (size > *known) found.push_back(std::move(name));
  }
  if (error) return Error{fmt::format("'{}': {}", reader_->directory(), error.message())};
  // By day, so that rows are in order of ends.
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    const auto day = [](std::string_view name) {
      return uncompressed(name).substr(name.find('.') + 1);
    };
    return day(a) != day(b) ? day(a) < day(b) : a < b;
  });
  unread_.assign(found.begin(), found.end());
  return Done{};
}

void HistoryIndex::note(const std::string& path) {
  auto name = std::filesystem::path(path).filename().string();
  if (!is_ours(name) || std::find(unread_.begin(), unread_.end(), name) != unread_.end()) return;
  if (name.starts_with(kEvents))
    unread_.push_front(std::move(name));
  else
    unread_.push_back(std::move(name));
}

Result<std::int64_t> HistoryIndex::read_to(const std::string& name) {
  return place_of(std::string(uncompressed(name)));
}

/// A compressed file has a place of its own once all of it has been read.
Result<std::int64_t> HistoryIndex::place_of(const std::string& name) {
  auto statement = database_->prepare("SELECT read_to FROM files WHERE name = ?");
  if (!statement) return statement.error();
  const auto row = statement->bind(1, std::string_view(name)).step();
  if (!row) return row.error();
  return *row ? statement->integer(0) : 0;
}

/// Closes the database if its file was removed, since nobody reads what is written into that.
void HistoryIndex::let_go_if_moved(Clock::time_point now) {
  if (!database_ || (unread_.empty() && now < look_due_)) return;
  look_due_ = now + kLook;
  if (!database_->moved()) return;
  log_(fmt::format("'{}' was removed or replaced: the history is opened again",
                   database_path(reader_->directory())));
  writer_.reset();
  database_.reset();
}

bool HistoryIndex::make_anew(const std::string& why) {
  writer_.reset();
  database_.reset();
  log_(fmt::format("the history is damaged and is rebuilt from its text files: {}", why));
  auto status = set_aside(reader_->directory());
  if (status) status = open();
  if (!status) fail(status.error().what);
  return static_cast<bool>(status);
}

bool HistoryIndex::go_on(Clock::duration enough, Time oldest) {
  const auto now = Clock::now();
  oldest_ = oldest;
  let_go_if_moved(now);
  if (database_)
    if (const auto why = reader_->take_damage(); !why.empty() && !make_anew(why)) return false;
  if (!database_) {
    if (now < retry_) return false;
    if (auto opened = open(); !opened) {
      fail(opened.error().what);
      return false;
    }
    if (!trouble_.empty()) log_("the history is written again");
    trouble_.clear();
  }
  Status status = Done{};
  if (!unread_.empty())
    status = read_some(now + enough);
  else if (now >= forget_due_)
    status = forget(oldest);
  if (status) return !unread_.empty();
  if (database_->damaged()) return make_anew(status.error().what);
  fail(status.error().what);
  return false;
}

Status HistoryIndex::read_some(Clock::time_point end) {
  auto transaction = sqlite::Transaction::begin(*database_);
  if (!transaction) return transaction.error();
  const auto untouched = unread_;
  do {
    const auto all = read_file(unread_.front(), end);
    if (!all) {
      unread_ = untouched;
      return all.error();
    }
    if (*all) unread_.pop_front();
  } while (!unread_.empty() && Clock::now() < end);
  if (auto committed = transaction->commit(); !committed) {
    unread_ = untouched;
    return committed;
  }
  return written_ > kCheckpoint ? write_back() : Done{};
}

/// Copies the write-ahead log of the database into its file.
Status HistoryIndex::write_back() {
  written_ = 0;
  return database_->run("PRAGMA wal_checkpoint(PASSIVE)");
}

Result<std::string> HistoryIndex::bytes_of_compressed(const std::string& path, std::int64_t from,
                                                      std::size_t most) {
  if (!compressed_ || !compressed_->serves(path, from)) {
    auto opened = Compressed::open(path);
    if (!opened) return opened.error();
    compressed_ = *std::move(opened);
  }
  return compressed_->bytes(from, most);
}

Result<bool> HistoryIndex::read_file(const std::string& name, Clock::time_point end) {
  const auto from = read_to(name);
  if (!from) return from.error();
  std::int64_t at = *from;
  const auto path = reader_->directory() + "/" + name;
  bool all = false, readable = true;
  const bool compressed = name.ends_with(kCompressed);
  std::size_t chunk = kChunk;
  do {
    const auto bytes =
        compressed ? bytes_of_compressed(path, at, chunk) : bytes_of(path, at, chunk);
    if (!bytes) {  // gone or unreadable: rows read earlier stay
      all = true;
      readable = false;
      break;
    }
    const auto last = bytes->rfind('\n');
    if (last == std::string::npos) {
      all = bytes->size() < chunk || chunk >= kLongest;
      chunk = kLongest;
      continue;
    }
    if (auto taken = take_lines(name, std::string_view(*bytes).substr(0, last)); !taken)
      return taken.error();
    at += static_cast<std::int64_t>(last) + 1;
    all = bytes->size() < chunk;
    chunk = kChunk;
  } while (!all && Clock::now() < end);
  if (all && compressed) compressed_.reset();
  if (all && readable && compressed)
    if (auto placed = writer_->write_place(name, std::max<std::int64_t>(at, 1)); !placed)
      return placed.error();
  if (at == *from) return all;
  written_ += at - *from;
  if (auto placed = writer_->write_place(uncompressed(name), at); !placed) return placed.error();
  return all;
}

Status HistoryIndex::take_lines(const std::string& name, std::string_view lines) {
  for (std::size_t begin = 0; begin <= lines.size();) {
    const auto stop = std::min(lines.find('\n', begin), lines.size());
    if (auto taken = take_line(name, lines.substr(begin, stop - begin)); !taken) return taken;
    begin = stop + 1;
  }
  return Done{};
}

/// Skips a line that is not a valid record; other readers of the files report it.
Status HistoryIndex::take_line(const std::string& name, std::string_view line) {
  if (name.starts_with(kEvents)) {
    const auto event = parse_event_line(line);
    if (!event) return Done{};
    return std::visit([this](const auto& content) { return writer_->write(content); }, *event);
  }
  if (line.empty() || line.front() == '#' || line.starts_with("VERSION ")) return Done{};
  const auto record = parse_workload_record(line, NodeAccess::shared, Extensions::ignore);
  if (!record || record->ended < oldest_) return Done{};
  return writer_->write(recorded_job(*record));
}

/// Deletes some rows of each table; is due again soon if there were that many.
Status HistoryIndex::forget(Time oldest) {
  forget_due_ = Clock::now() + kForget;
  if (oldest <= Time(0)) return Done{};
  struct Old {
    std::string_view table, key, age;
  };
  constexpr Old kOld[] = {
      {"jobs", "id", "ended"}, {"reservations", "id", "end"}, {"minutes", "start", "start"}};
  bool more = false;
  const auto remove = [&](const std::string& sql) -> Status {
    auto statement = database_->prepare(sql);
    if (!statement) return statement.error();
    if (auto done = statement->bind(1, oldest.raw()).run(); !done) return done;
    const auto count = database_->ask("SELECT changes()");
    if (!count) return count.error();
    more = more || *count >= kForgotten;
    return Done{};
  };
  auto transaction = sqlite::Transaction::begin(*database_);
  if (!transaction) return transaction.error();
  for (const auto& [table, key, age] : kOld)
    if (auto done = remove(fmt::format(
            "DELETE FROM {0} WHERE {1} IN (SELECT {1} FROM {0} WHERE {2} < ? LIMIT {3})", table,
            key, age, kForgotten));
        !done)
      return done;
  // A job that still waits has no row in either table yet.
  if (auto done = remove(fmt::format(
          "DELETE FROM ends WHERE (name, submitted) IN (SELECT e.name, e.submitted FROM ends e "
          "WHERE e.submitted < ? AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.name = e.name AND "
          "j.submitted = e.submitted) LIMIT {})",
          kForgotten));
      !done)
    return done;
  if (auto done = transaction->commit(); !done) return done;
  if (more) forget_due_ = Clock::now();
  return Done{};
}

void HistoryIndex::fail(const std::string& why) {
  writer_.reset();
  database_.reset();
  retry_ = Clock::now() + kRetry;
  if (trouble_.empty())
    log_(fmt::format("the history cannot be written now; its text files still are: {}", why));
  trouble_ = why;
}

}  // namespace maui::history
