// The tables of the history: an index of the files of STATDIR, which can be made from them anew at
// any time (docs/decisions/history.md).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "history/sqlite.h"
#include "maui/job.h"

namespace maui::history {

/// Changes with every change of the tables or of what is written into them: a database of another
/// version is made anew.
inline constexpr std::int64_t kSchemaVersion = 2;

/// The mark by which a database of ours is known (PRAGMA application_id): "MAUI".
inline constexpr std::int64_t kApplication = 0x4d415549;

/// How a job ended, as the column `state` has it, and back.
constexpr std::int64_t number_of_state(JobState state) {
  return state == JobState::completed ? 0 : state == JobState::removed ? 1 : 2;
}
constexpr JobState state_of_number(std::int64_t number) {
  return number == 0 ? JobState::completed : number == 1 ? JobState::removed : JobState::not_queued;
}

std::string database_path(const std::string& directory);

/// Opens the history of a directory for writing; an empty one gets its tables.
Result<sqlite::Database> open_for_writing(const std::string& directory);
/// An error where there is none, or it is of another version; `damaged` says whether it is that.
Result<sqlite::Database> open_for_reading(const std::string& directory, bool* damaged = nullptr);
/// Why it can never be used as it is: it is damaged, somebody else's, or of another version. Empty:
/// it can, or nobody knows at present.
std::string why_unfit(const std::string& directory);
/// Renames it to history.db.unusable, so that nothing of somebody else's is lost.
Status set_aside(const std::string& directory);
/// Removes it, with the files that SQLite keeps beside it.
Status remove_database(const std::string& directory);

}  // namespace maui::history
