// The tables of the history: an index of the files in STATDIR, which can be rebuilt from them at
// any time (docs/decisions/history.md).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "history/sqlite.h"
#include "maui/job.h"

namespace maui::history {

/// Must be incremented when the tables or their contents change; a database of another version is
/// rebuilt.
inline constexpr std::int64_t kSchemaVersion = 4;

/// The mark of the scheduler's own databases (PRAGMA application_id): "MAUI".
inline constexpr std::int64_t kApplication = 0x4d415549;

/// The number of a job's final state in the column `state`, and the reverse.
constexpr std::int64_t number_of_state(JobState state) {
  return state == JobState::completed ? 0 : state == JobState::removed ? 1 : 2;
}
constexpr JobState state_of_number(std::int64_t number) {
  return number == 0 ? JobState::completed : number == 1 ? JobState::removed : JobState::not_queued;
}

std::string database_path(const std::string& directory);

/// Opens the history of a directory for writing; creates the tables in an empty database.
Result<sqlite::Database> open_for_writing(const std::string& directory);
/// Fails if it does not exist or has another version; sets `damaged` if it is damaged.
Result<sqlite::Database> open_for_reading(const std::string& directory, bool* damaged = nullptr);
/// Returns why the database is unusable: damaged, of another program, or of another version.  Empty
/// if it is usable, or if that is unknown at present.
std::string why_unfit(const std::string& directory);
/// Renames it to history.db.unusable, so that no data of another program is lost.
Status set_aside(const std::string& directory);
/// Removes the database with the files that SQLite keeps beside it.
Status remove_database(const std::string& directory);

}  // namespace maui::history
