// The database of the history as questions read it, and the damage that they find.
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
  /// The database that other questions under way read, too, if there are any: each of its own would
  /// have descriptors and a cache of its own.
  Result<std::shared_ptr<sqlite::Database>> open();
  /// Takes down that a question has found the database damaged, if that is why it failed: the
  /// scheduler makes it anew then.  Returns the failure.
  Error noted(const sqlite::Database& database, Error failure);
  /// Why questions have found it damaged since this was asked last; empty: none has.
  std::string take_damage() { return std::exchange(damage_, {}); }

 private:
  std::string directory_;
  std::weak_ptr<sqlite::Database> shared_;
  std::string damage_;
};

}  // namespace maui::history
