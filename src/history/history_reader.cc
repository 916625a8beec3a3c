#include "history/history_reader.h"

#include "history/schema.h"

namespace maui::history {

Result<std::shared_ptr<sqlite::Database>> HistoryReader::open() {
  if (auto open = shared_.lock(); open && !open->moved()) return open;
  bool damaged = false;
  auto database = open_for_reading(directory_, &damaged);
  if (damaged) damage_ = database.error().what;
  if (!database) return database.error();
  const auto open = std::make_shared<sqlite::Database>(*std::move(database));
  shared_ = open;
  return open;
}

Error HistoryReader::noted(const sqlite::Database& database, Error failure) {
  if (database.damaged()) damage_ = failure.what;
  return failure;
}

}  // namespace maui::history
