// Parses replies of a PBS server from a byte stream.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "maui/result.h"
#include "pbs/attribute.h"
#include "pbs/dialect.h"

namespace maui::pbs {

/// The form of the data in a reply.
enum class ReplyChoice : int {
  nothing = 1,
  queued = 2,
  ready_to_commit = 3,
  committed = 4,
  selected = 5,
  status = 6,
  text = 7,
  located = 8,
  preempted = 10,
  deleted = 11,
};

struct Reply {
  int code = 0;       // 0: success; error codes differ between server families
  int auxiliary = 0;  // auxiliary code
  ReplyChoice choice = ReplyChoice::nothing;
  std::string text;                                   // a text, or a job name
  std::vector<std::string> names;                     // of selected jobs
  std::vector<Object> objects;                        // with their requested state
  std::vector<std::pair<std::string, int>> not_done;  // of several jobs: name and error
  friend bool operator==(const Reply&, const Reply&) = default;
};

/// Extracts replies from a stream.  A reply in several parts counts as one; each byte is read once.
class ReplyReader {
 public:
  explicit ReplyReader(Dialect dialect) : dialect_(dialect) {}

  void feed(std::string_view bytes) { bytes_.append(bytes); }
  /// Returns the next reply; nullopt if it is incomplete.  Fails if the bytes are not a reply; the
  /// stream is useless after that.
  Result<std::optional<Reply>> next();
  /// Removes and returns the bytes after the last reply.
  std::string take_rest() { return std::exchange(bytes_, {}); }

 private:
  Result<std::optional<Reply>> next_bare();
  Result<std::optional<Reply>> next_framed();
  bool read_head(DisReader& from);
  bool read_items(DisReader& from);
  Reply take();

  Dialect dialect_;
  std::string bytes_;
  Reply reply_;         // the part received so far
  bool begun_ = false;  // its head is complete
  std::size_t items_left_ = 0;
  bool more_parts_ = false;
};

/// Returns the dialect of a server that uses packets, from its first reply.
Result<Dialect> dialect_of(std::string_view payload);

}  // namespace maui::pbs
