#include "history/schema.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

namespace maui::history {
namespace {

constexpr const char* kTables = R"sql(
-- How far each text file has been read.
CREATE TABLE files (
  name    TEXT PRIMARY KEY,
  read_to INTEGER NOT NULL    -- bytes; always the end of a line
) WITHOUT ROWID;

CREATE TABLE jobs (
  id           INTEGER PRIMARY KEY,
  name         TEXT NOT NULL,
  user         TEXT NOT NULL,
  job_group    TEXT NOT NULL,
  account      TEXT NOT NULL,
  class        TEXT NOT NULL,
  qos          TEXT NOT NULL,
  partition    TEXT NOT NULL,
  hosts        TEXT NOT NULL,
  state        INTEGER NOT NULL,  -- 0 completed, 1 removed, 2 never ran
  procs        INTEGER NOT NULL,
  wclimit      INTEGER NOT NULL,
  submitted    INTEGER NOT NULL,
  started      INTEGER NOT NULL,
  ended        INTEGER NOT NULL,
  suspended    INTEGER NOT NULL,  -- seconds between start and end
  proc_seconds REAL NOT NULL,
  backfilled   INTEGER NOT NULL,
  bypass       INTEGER NOT NULL
);
CREATE INDEX jobs_by_end ON jobs (ended);
CREATE INDEX jobs_by_name ON jobs (name);
CREATE INDEX jobs_by_user ON jobs (user, ended);
CREATE INDEX jobs_by_account ON jobs (account, ended);
CREATE INDEX jobs_by_group ON jobs (job_group, ended);
CREATE INDEX jobs_by_class ON jobs (class, ended);
CREATE INDEX jobs_by_qos ON jobs (qos, ended);

-- What no record tells of a job.
CREATE TABLE ends (
  name      TEXT NOT NULL,
  submitted INTEGER NOT NULL,
  exit_code INTEGER NOT NULL,
  waits     TEXT NOT NULL,      -- as the text file has them
  PRIMARY KEY (name, submitted)
) WITHOUT ROWID;
CREATE INDEX ends_by_submission ON ends (submitted);

CREATE TABLE reservations (
  id    INTEGER PRIMARY KEY,
  name  TEXT NOT NULL,
  type  TEXT NOT NULL,
  start INTEGER NOT NULL,
  end   INTEGER NOT NULL,
  nodes INTEGER NOT NULL,
  procs INTEGER NOT NULL
);
CREATE INDEX reservations_by_end ON reservations (end);

-- Sums over the seconds of a minute in which the scheduler ran.
CREATE TABLE minutes (
  start   INTEGER PRIMARY KEY,
  seconds INTEGER NOT NULL,
  busy    INTEGER NOT NULL,
  up      INTEGER NOT NULL,
  active  INTEGER NOT NULL,
  waiting INTEGER NOT NULL
);
)sql";

constexpr int kPatience = 20;  // milliseconds to wait for another process; SQLite's unit

enum class Content : std::uint8_t { empty, ours, unfit };
struct Judged {
  Content content = Content::ours;
  std::string why;  // why it is unfit
};

/// Returns an error if this cannot be determined now.
Result<Judged> judge(sqlite::Database& database) {
  const auto unknown = [&](const Error& why) -> Result<Judged> {
    if (database.damaged()) return Judged{Content::unfit, why.what};
    return why;
  };
  const auto application = database.ask("PRAGMA application_id");
  if (!application) return unknown(application.error());
  const auto version = database.ask("PRAGMA user_version");
  if (!version) return unknown(version.error());
  const auto tables = database.ask("SELECT count(*) FROM sqlite_master");
  if (!tables) return unknown(tables.error());
  if (*application == 0 && *tables == 0) return Judged{Content::empty, {}};
  if (*application != kApplication)
    return Judged{Content::unfit, "not a history of this scheduler"};
  if (*version != kSchemaVersion)
    return Judged{Content::unfit,
                  fmt::format("unsupported version {}: expected {}", *version, kSchemaVersion)};
  return Judged{Content::ours, {}};
}

Error about(const std::string& path, const std::string& why) {
  return Error{fmt::format("'{}': {}", path, why)};
}

}  // namespace

std::string database_path(const std::string& directory) { return directory + "/history.db"; }

Result<sqlite::Database> open_for_writing(const std::string& directory) {
  const auto path = database_path(directory);
  auto database = sqlite::Database::open(path, sqlite::Database::Mode::create);
  if (!database) return database.error();
  const auto judged = judge(*database);
  if (!judged) return about(path, judged.error().what);
  if (judged->content == Content::unfit) return about(path, judged->why);
  // Entries in the write-ahead log survive the end of this process at once, and a power failure
  // from the next checkpoint on, which runs when there is nothing else to do.
  auto set = database->run(fmt::format(
      "PRAGMA busy_timeout = {}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; "
      "PRAGMA wal_autocheckpoint = 0;",
      kPatience));
  if (set && judged->content == Content::empty)
    set = database->run(
        fmt::format("BEGIN; {} PRAGMA application_id = {}; PRAGMA user_version = {}; COMMIT;",
                    kTables, kApplication, kSchemaVersion));
  if (!set) return about(path, set.error().what);
  return database;
}

Result<sqlite::Database> open_for_reading(const std::string& directory, bool* damaged) {
  const auto path = database_path(directory);
  auto database = sqlite::Database::open(path, sqlite::Database::Mode::read);
  if (!database) return database.error();
  const auto judged = judge(*database);
  if (!judged) return about(path, judged.error().what);
  if (judged->content == Content::unfit) {
    if (damaged != nullptr) *damaged = database->damaged();
    return about(path, judged->why);
  }
  if (judged->content == Content::empty) return about(path, "it is empty");
  return database;
}

std::string why_unfit(const std::string& directory) {
  auto database = sqlite::Database::open(database_path(directory), sqlite::Database::Mode::read);
  if (!database) return {};
  const auto judged = judge(*database);
  return judged && judged->content == Content::unfit ? judged->why : std::string();
}

Status set_aside(const std::string& directory) {
  const auto path = database_path(directory);
  std::error_code error;
  std::filesystem::rename(path, path + ".unusable", error);
  if (error) return Error{fmt::format("'{}' cannot be renamed: {}", path, error.message())};
  return remove_database(directory);
}

Status remove_database(const std::string& directory) {
  for (const auto* suffix : {"", "-wal", "-shm", "-journal"}) {
    const auto path = database_path(directory) + suffix;
    std::error_code error;
    std::filesystem::remove(path, error);
    if (error) return Error{fmt::format("'{}' cannot be removed: {}", path, error.message())};
  }
  return Done{};
}

}  // namespace maui::history
