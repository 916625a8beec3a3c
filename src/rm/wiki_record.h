// Records in WIKI: "<count>#<id>:<NAME>=<value>;<NAME>=<value>;#<id>:..."
//
// A backslash escapes '#', ';', ':' and itself.  A value may stand in quotes, and the last ';' may
// be missing.  Records keep values as they were received; the functions below convert them to text
// and lists.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "maui/result.h"

namespace maui {

/// The most attributes of a record: find() searches all of them, and a server may send anything.
inline constexpr std::size_t kMostAttributes = 250;

struct WikiRecord {
  std::string id;
  std::vector<std::pair<std::string, std::string>> attributes;  // in order
  bool cut = false;  // attributes beyond kMostAttributes were ignored

  const std::string* find(std::string_view name) const;
  /// Returns false if the record has reached the maximum number of attributes.
  bool set(std::string_view name, std::string_view value);
  /// Replaces attributes by those of a newer record; other attributes stay unchanged.
  bool merge(const WikiRecord& newer);
  /// Returns the number of bytes in names and values.
  std::size_t length() const;
  friend bool operator==(const WikiRecord&, const WikiRecord&) = default;
};

/// Shared by an answer and the stored state of its server, so that records are not copied.
using SharedWikiRecord = std::shared_ptr<const WikiRecord>;
SharedWikiRecord shared(WikiRecord record);

struct WikiRecords {
  std::vector<SharedWikiRecord> records;
  std::vector<std::string> problems;  // problems in what was skipped; a hundred at most

  /// Notes a record whose name is longer than kLongestValue instead: log lines quote names.
  void add(WikiRecord record);
  void note(std::string problem);
};

/// Returns the message that a record has more attributes than are kept.
std::string too_many_attributes(const WikiRecord& record);

/// Reads records a few at a time, so that the caller can do other work in between.
class WikiRecordReader {
 public:
  /// Fails if `data` does not begin with a count.  Requires that `data` outlives the reader.
  static Result<WikiRecordReader> of(std::string_view data);
  /// Reads up to `most` more records, or as many as begin within `bytes`; returns true when there
  /// are no more.  It then notes a problem if the announced count is wrong, and keeps the records
  /// that it found.
  bool read(std::size_t most, std::size_t bytes);
  /// Returns the records read so far.
  WikiRecords& found() { return found_; }

 private:
  std::string_view rest_;
  std::size_t announced_ = 0;
  WikiRecords found_;
};

/// Reads all records.
Result<WikiRecords> read_wiki_records(std::string_view data);

std::string write_wiki(const WikiRecord& record);
/// Returns "2#first#second" from records that are already written.
std::string write_wiki_records(std::span<const std::string> records);

/// Returns a value without its quotes and escapes.
std::string wiki_text(std::string_view value);
/// Returns the items between colons or commas, without escapes; empty items are omitted.
std::vector<std::string> wiki_list(std::string_view value);
/// Returns the text as a value in which every special character is escaped.
std::string wiki_escaped(std::string_view text);
/// Returns the items joined with colons.
std::string wiki_joined(std::span<const std::string> items);

}  // namespace maui
