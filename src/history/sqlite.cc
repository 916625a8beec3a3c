#include "history/sqlite.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

namespace maui::sqlite {

Statement& Statement::bind(int parameter, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), parameter, value);
  return *this;
}

Statement& Statement::bind(int parameter, double value) {
  sqlite3_bind_double(statement_.get(), parameter, value);
  return *this;
}

Statement& Statement::bind(int parameter, std::string_view text) {
  const char* data = text.empty() ? "" : text.data();  // a null pointer would bind NULL
  sqlite3_bind_text64(statement_.get(), parameter, data, text.size(), SQLITE_STATIC, SQLITE_UTF8);
  return *this;
}

Result<bool> Statement::step() {
  const int status = sqlite3_step(statement_.get());
  if (status == SQLITE_ROW) return true;
  sqlite3_reset(statement_.get());
  if (status == SQLITE_DONE) return false;
  return Error{sqlite3_errmsg(sqlite3_db_handle(statement_.get()))};
}

Status Statement::run() {
  const auto more = step();
  if (!more) return more.error();
  reset();
  return Done{};
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

double Statement::number(int column) const {
  return sqlite3_column_double(statement_.get(), column);
}

std::string Statement::text(int column) const {
  const auto* data = sqlite3_column_text(statement_.get(), column);
  const auto size = sqlite3_column_bytes(statement_.get(), column);
  if (data == nullptr) return {};
  return {reinterpret_cast<const char*>(data), static_cast<std::size_t>(size)};
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

// SQLite would follow links anywhere in a path, or nowhere: links to the directory are followed
// here.
Result<Database> Database::open(const std::string& path, Mode mode) {
  const int how = mode == Mode::create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                                       : SQLITE_OPEN_READWRITE;  // readers write to the -shm file
  const std::filesystem::path given = path;
  std::error_code error;
  const auto directory = std::filesystem::weakly_canonical(given.parent_path(), error);
  if (error) return Error{fmt::format("{}: {}", path, error.message())};
  sqlite3* handle = nullptr;
  const int status = sqlite3_open_v2((directory / given.filename()).c_str(), &handle,
                                     how | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW, nullptr);
  Database database(handle);  // must be closed even if opening failed
  if (status != SQLITE_OK) {
    if (handle == nullptr) return Error{fmt::format("{}: out of memory", path)};
    const bool link = sqlite3_extended_errcode(handle) == SQLITE_CANTOPEN_SYMLINK;
    return Error{
        fmt::format("{}: {}", path, link ? "it is a link, not a file" : sqlite3_errmsg(handle))};
  }
  sqlite3_extended_result_codes(handle, 1);
  if (mode == Mode::read)
    if (auto looks = database.run("PRAGMA query_only = 1"); !looks) return looks.error();
  return database;
}

Error Database::failure() const { return Error{sqlite3_errmsg(database_.get())}; }

Status Database::run(const std::string& sql) {
  if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    return failure();
  return Done{};
}

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int status = sqlite3_prepare_v3(database_.get(), sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (status != SQLITE_OK) return failure();
  return Statement(statement);
}

Result<std::int64_t> Database::ask(std::string_view sql) {
  auto statement = prepare(sql);
  if (!statement) return statement.error();
  const auto row = statement->step();
  if (!row) return row.error();
  return *row ? statement->integer(0) : 0;
}

bool Database::damaged() const {
  const int status = sqlite3_errcode(database_.get()) & 0xff;
  return status == SQLITE_CORRUPT || status == SQLITE_NOTADB;
}

std::string Database::path() const {
  const char* name = sqlite3_db_filename(database_.get(), "main");
  return name == nullptr ? "" : name;
}

bool Database::moved() const {
  int moved = 0;
  return sqlite3_file_control(database_.get(), "main", SQLITE_FCNTL_HAS_MOVED, &moved) ==
             SQLITE_OK &&
         moved != 0;
}

Result<Transaction> Transaction::begin(Database& database) {
  if (auto begun = database.run("BEGIN IMMEDIATE"); !begun) return begun.error();
  return Transaction(database);
}

// Some failures have rolled back already; then this does nothing.
Transaction::~Transaction() {
  if (database_ != nullptr) [[maybe_unused]]
    const Status undone = database_->run("ROLLBACK");
}

Status Transaction::commit() {
  if (auto done = database_->run("COMMIT"); !done) return done;
  database_ = nullptr;
  return Done{};
}

}  // namespace maui::sqlite
