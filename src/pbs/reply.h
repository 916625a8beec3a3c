// Replies of a PBS server, read from bytes as they come.
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

/// The form of what a reply holds beside its code.
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
  int code = 0;       // 0: done; else an error, whose numbers differ between the families
  int auxiliary = 0;  // code
  ReplyChoice choice = ReplyChoice::nothing;
  std::string text;                                   // or the name of a job
  std::vector<std::string> names;                     // of jobs that were selected
  std::vector<Object> objects;                        // of which the state was asked
  std::vector<std::pair<std::string, int>> not_done;  // of several: who, and the error
  friend bool operator==(const Reply&, const Reply&) = default;
};

/// Takes replies out of a stream.  A reply that comes in parts is one; each byte is read once.
class ReplyReader {
 public:
  explicit ReplyReader(Dialect dialect) : dialect_(dialect) {}

  void feed(std::string_view bytes) { bytes_.append(bytes); }
  /// The next reply; nothing: it is not there yet as a whole.  Fails on what is none, after which
  /// the stream is of no use.
  Result<std::optional<Reply>> next();
  /// Takes what has come behind the last reply.
  std::string take_rest() { return std::exchange(bytes_, {}); }

 private:
  Result<std::optional<Reply>> next_bare();
  Result<std::optional<Reply>> next_framed();
  bool read_head(DisReader& from);
  bool read_items(DisReader& from);
  Reply take();

  Dialect dialect_;
  std::string bytes_;
  Reply reply_;         // as far as it has come
  bool begun_ = false;  // its head has
  std::size_t items_left_ = 0;
  bool more_parts_ = false;
};

/// Returns the dialect of a server that speaks in packets, by its first reply.
Result<Dialect> dialect_of(std::string_view payload);

}  // namespace maui::pbs
