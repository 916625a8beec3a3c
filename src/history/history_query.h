// Queries of the history, answered a slice at a time: each step reads, by an index, only as many
// rows as leave the scheduler free to serve other clients in between.
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "history/event_line.h"
#include "history/history_reader.h"
#include "history/recorded_job.h"
#include "history/selection.h"
#include "history/sqlite.h"

namespace maui::history {

using Reader = std::shared_ptr<HistoryReader>;

/// A job in the history.
struct KnownJob {
  RecordedJob job;
  std::int64_t exit_code = 0;
  std::vector<Wait> waits;
};

/// Finds the names of the jobs with a number: 1234.host of 1234.
class NumberedNames {
 public:
  static Result<NumberedNames> open(const Reader& reader);
  Result<std::vector<std::string>> of(const std::string& number);

 private:
  NumberedNames(Reader reader, std::shared_ptr<sqlite::Database> database,
                sqlite::Statement statement);

  Reader reader_;
  // Declared in this order so that the statement is destroyed before its database.
  std::shared_ptr<sqlite::Database> database_;
  sqlite::Statement statement_;
};

class JobQuery {
 public:
  using Take = std::function<void(KnownJob job)>;

  /// `endings`: include exit codes and waits.
  static Result<JobQuery> open(const Reader& reader, JobSelection selection, bool endings);
  /// The names of the selection, which must have some, may also be numbers of jobs (NumberedNames).
  /// Called before the first step.
  Status let_names_be_numbers();

  /// Passes the next matching jobs to `take`, in order of their ends.  False: there are no more.
  Result<bool> step(const Take& take);

 private:
  /// The jobs with one key of the index: those that were read and not yet passed on.
  struct Stream {
    std::string key;                                  // empty: all jobs
    std::int64_t last_end = -1, last_id = INT64_MAX;  // of the last row read
    bool read_up = false;
    struct Row {
      std::int64_t id = 0;
      KnownJob job;
    };
    std::deque<Row> rows{};
  };

  JobQuery(Reader reader, std::shared_ptr<sqlite::Database> database, sqlite::Statement statement,
           JobSelection selection, const std::vector<std::string>& keys);
  void add_stream(const std::string& key);
  Status look_up_numbers();
  Status read_on(Stream& stream);
  /// True if the next job of `a` comes after that of `b`.
  bool is_later(std::size_t a, std::size_t b) const;
  void hand_over(const Take& take);

  Reader reader_;
  // Declared in this order so that the statement is destroyed before its database.
  std::shared_ptr<sqlite::Database> database_;
  sqlite::Statement statement_;
  JobSelection selection_;
  std::vector<Stream> streams_;
  std::vector<std::size_t> to_read_;  // streams without rows that may have more
  std::vector<std::size_t> ready_;    // streams with rows; a heap with the earliest in front
  std::optional<NumberedNames> names_of_numbers_;
  std::vector<std::string> numbers_;  // to look up
  bool endings_ = false;
};

/// Returns the job of that name that ended last; with a `user`, only jobs of that user count.
Result<std::optional<KnownJob>> find_job(const Reader& reader, const std::string& name,
                                         const std::string& user);

/// Queries the reservations, or the minutes of use, of a period; used like JobQuery.
template <class Row>
class RowQuery {
 public:
  static Result<RowQuery> open(const Reader& reader, Time start, Time end);
  Result<bool> step(const std::function<void(Row row)>& take);

 private:
  RowQuery(Reader reader, std::shared_ptr<sqlite::Database> database, sqlite::Statement statement,
           Time start, Time end)
      : reader_(std::move(reader)),
        database_(std::move(database)),
        statement_(std::move(statement)),
        last_(start.raw() - 1),
        end_(end) {}
  Reader reader_;
  std::shared_ptr<sqlite::Database> database_;
  sqlite::Statement statement_;
  std::int64_t last_, last_id_ = INT64_MAX;
  Time end_;
};
extern template class RowQuery<PastReservation>;
extern template class RowQuery<MinuteOfUse>;

}  // namespace maui::history
