// Records in WIKI: "<count>#<id>:<NAME>=<value>;<NAME>=<value>;#<id>:..."
//
// A backslash takes '#', ';' and ':' (and itself) their meaning.  A value may stand in quotes, and
// the ';' behind the last may be missing.  Values are kept as they came; the functions below make
// text and lists of them.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "maui/result.h"

namespace maui {

struct WikiRecord {
  std::string id;
  std::vector<std::pair<std::string, std::string>> attributes;  // in order

  const std::string* find(std::string_view name) const;
  /// False: it has so many that no more are kept.
  bool set(std::string_view name, std::string_view value);
  /// Puts what a newer record says in place of what this one does; the rest stays.
  bool merge(const WikiRecord& newer);
  friend bool operator==(const WikiRecord&, const WikiRecord&) = default;
};

/// Shared by an answer and by what is known of its server: nothing is copied from one to the other.
using SharedWikiRecord = std::shared_ptr<const WikiRecord>;
SharedWikiRecord shared(WikiRecord record);

struct WikiRecords {
  std::vector<SharedWikiRecord> records;
  std::vector<std::string> problems;  // what had to be passed over; a hundred of these

  void add(WikiRecord record);
  void note(std::string problem);
};

/// Says that a record has more attributes than are kept.
std::string too_many_attributes(const WikiRecord& record);

/// Reads records a few at a time, so that others can do something meanwhile.
class WikiRecordReader {
 public:
  /// Fails if `data`, which outlives this, does not begin with a count.
  static Result<WikiRecordReader> of(std::string_view data);
  /// Reads so many more; true: there are no others.  A count that is not that of the records is a
  /// problem then; the records count.
  bool read(std::size_t most);
  /// Those that have been read.
  WikiRecords& found() { return found_; }

 private:
  std::string_view rest_;
  std::size_t announced_ = 0;
  WikiRecords found_;
};

/// All of them.
Result<WikiRecords> read_wiki_records(std::string_view data);

std::string write_wiki(const WikiRecord& record);
/// "2#first#second" of records that are written already.
std::string write_wiki_records(std::span<const std::string> records);

/// A value without its quotes and escapes.
std::string wiki_text(std::string_view value);
/// The items between colons, or commas, and without escapes; empty ones are left out.
std::vector<std::string> wiki_list(std::string_view value);
/// As a value in which nothing has a meaning.
std::string wiki_escaped(std::string_view text);
/// Items with colons between them.
std::string wiki_joined(std::span<const std::string> items);

}  // namespace maui
