// The history database as queries read it, and the damage that they find.
#pragma once
#include <memory>
#include <string>
#include <utility>

#include "history/sqlite.h"

namespace maui::history {

class HistoryReader {
 public:
  explicit HistoryReader(std::string directory) : directory_(std::move(directory)) {}
  HistoryReader(const HistoryReader&) = delete;
  HistoryReader& operator=(const HistoryReader&) = delete;

  const std::string& directory() const { return directory_; }
  /// Opens the database; queries in progress share one connection, since each connection needs its
  /// own descriptors and cache.
  Result<std::shared_ptr<sqlite::Database>> open();
  /// If a query failed because the database is damaged, records that, so that the scheduler
  /// rebuilds it.  Returns the failure.
  Error noted(const sqlite::Database& database, Error failure);
  /// Returns the damage found since the last call; empty if there is none.
  std::string take_damage() { return std::exchange(damage_, {}); }

 private:
  std::string directory_;
  std::weak_ptr<sqlite::Database> shared_;
  std::string damage_;
};

}  // namespace maui::history
