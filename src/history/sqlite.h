// A small wrapper of SQLite: databases and statements are closed automatically, statements are
// prepared once, and every failure is a Result.
#pragma once
#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "maui/result.h"

namespace maui::sqlite {

/// A prepared statement, which can be run repeatedly.  As in SQLite, parameters count from 1 and
/// columns from 0.
class Statement {
 public:
  /// Takes over a prepared statement; see Database::prepare().
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}

  Statement& bind(int parameter, std::int64_t value);
  Statement& bind(int parameter, double value);
  /// Requires that the text stays valid until the statement is reset.
  Statement& bind(int parameter, std::string_view text);

  /// Returns true if there is a row; false if the statement is done and can be run again.
  Result<bool> step();
  /// Runs a statement that returns no rows.
  Status run();
  /// Discards the remaining rows.
  void reset() { sqlite3_reset(statement_.get()); }

  std::int64_t integer(int column) const;
  double number(int column) const;
  std::string text(int column) const;
  bool is_null(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database {
 public:
  enum class Mode : std::uint8_t { create, read };
  /// Opens a file; fails if the path is a link, whose target may be any file.
  static Result<Database> open(const std::string& path, Mode mode);

  Status run(const std::string& sql);
  Result<Statement> prepare(std::string_view sql);
  /// Returns the first column of the first row.
  Result<std::int64_t> ask(std::string_view sql);
  /// True if the last failure occurred because the file is damaged, or is not a database.
  bool damaged() const;
  /// Returns the full name of the file.
  std::string path() const;
  /// True if the file is no longer there under its name: removed, renamed, or replaced.
  bool moved() const;

 private:
  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
  };
  explicit Database(sqlite3* database) : database_(database) {}
  Error failure() const;
  std::unique_ptr<sqlite3, Close> database_;
};

/// A transaction, which is rolled back on destruction unless it was committed.
class Transaction {
 public:
  static Result<Transaction> begin(Database& database);
  Transaction(Transaction&& other) noexcept : database_(other.database_) {
    other.database_ = nullptr;
  }
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();
  Status commit();

 private:
  explicit Transaction(Database& database) : database_(&database) {}
  Database* database_;
};

}  // namespace maui::sqlite
