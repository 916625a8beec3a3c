// Questions to the history, answered a slice at a time: each step reads so many rows by an index
// that the scheduler can serve others in between.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "history/event_line.h"
#include "history/recorded_job.h"
#include "history/selection.h"
#include "history/sqlite.h"

namespace maui::history {

/// A job that the history knows.
struct KnownJob {
  RecordedJob job;
  std::int64_t exit_code = 0;
  std::vector<Wait> waits;
};

class JobQuery {
 public:
  using Take = std::function<void(KnownJob job)>;

  /// `endings`: exit codes and waits are wanted, too.
  static Result<JobQuery> open(const std::string& directory, JobSelection selection, bool endings);

  /// Hands over the next jobs that fit, in the order of their ends, or of one name after the other
  /// where jobs are asked for by name.  False: there are no more.
  Result<bool> step(const Take& take);

 private:
  JobQuery(sqlite::Database database, sqlite::Statement statement, JobSelection selection,
           std::vector<std::string> keys)
      : database_(std::move(database)),
        statement_(std::move(statement)),
        selection_(std::move(selection)),
        keys_(std::move(keys)) {}

  // The statement goes before what it belongs to.
  sqlite::Database database_;
  sqlite::Statement statement_;
  JobSelection selection_;
  std::vector<std::string> keys_;  // what the index is asked for, one after the other; "": all
  std::size_t key_ = 0;
  std::int64_t last_end_ = -1, last_id_ = INT64_MAX;  // of the row read last for that key
  bool endings_ = false;
};

/// The job of that name that ended last, of those of that user where one is given.
Result<std::optional<KnownJob>> find_job(const std::string& directory, const std::string& name,
                                         const std::string& user);

/// Reads reservations, or minutes of use, of a period, as above.
template <class Row>
class RowQuery {
 public:
  static Result<RowQuery> open(const std::string& directory, Time start, Time end);
  Result<bool> step(const std::function<void(Row row)>& take);

 private:
  RowQuery(sqlite::Database database, sqlite::Statement statement, Time start, Time end)
      : database_(std::move(database)),
        statement_(std::move(statement)),
        last_(start.raw() - 1),
        end_(end) {}
  sqlite::Database database_;
  sqlite::Statement statement_;
  std::int64_t last_, last_id_ = INT64_MAX;
  Time end_;
};
extern template class RowQuery<PastReservation>;
extern template class RowQuery<MinuteOfUse>;

}  // namespace maui::history
