// The checkpoint on disk (appendix F: CHECKPOINTFILE): replaced as a whole, safe from a loss of
// power, with a checksum that reveals damage.  NAME.old beside it is the previous checkpoint.
//
// Each generation of a lease writes its own file, NAME.gN: so a scheduler that has lost its lease
// and does not know yet never replaces what a newer scheduler has written.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "maui/result.h"

namespace maui {

/// The ends of the names of the files beside the checkpoint: the previous checkpoint, and the
/// requests since the last one (request_journal.h).
inline constexpr std::string_view kOld = ".old", kStarts = ".starts";
/// The ends of the names of all files of a generation.
inline constexpr std::string_view kCheckpointEnds[] = {"", kOld, kStarts};

/// Returns a sentence about the checkpoint with the default name in the home directory if
/// CHECKPOINTFILE names another path, at which there is none: the parameter was changed, and the
/// file was not moved.
std::optional<std::string> checkpoint_left_behind(const std::string& path, const std::string& home);

/// True if the file is a checkpoint of release 3.3, which has nothing of this scheduler's and
/// cannot be read.  A damaged checkpoint of this scheduler is none.
bool is_checkpoint_of_3_3(const std::string& path);
/// Renames such a file to PATH.3.3, PATH.3.3.1 and so on, and returns a sentence about that;
/// returns nothing if there is none.
std::optional<std::string> set_aside_checkpoint_of_3_3(const std::string& path);

class CheckpointFile {
 public:
  /// `generation`: of the lease; 0 without a lease.
  explicit CheckpointFile(std::string path, std::int64_t generation = 0);

  /// Returns the newest generation that has a file; 0: none.
  static std::int64_t newest_generation(const std::string& path);

  /// Returns the size of what was written or read last.
  std::size_t last_size() const { return last_size_; }
  /// Returns the path of the file that write() replaces.
  const std::string& path() const { return path_; }
  /// The checksums of two checkpoints; empty: unknown.
  struct Identity {
    std::string last;    // of the one that was written or read last
    std::string before;  // of the one that it replaced
    friend bool operator==(const Identity&, const Identity&) = default;
  };
  const Identity& identity() const { return identity_; }
  /// Returns the paths of all generations, newest first, each followed by `end`.
  std::vector<std::string> all_paths(std::string_view end) const;
  /// Creates the directory if it is missing.
  Status write(std::string text);
  /// Succeeds if the next text can be written, provided that it is at most `more` bytes longer than
  /// the last text.
  Status make_room(std::size_t more) const;

  /// Returns an error if the text cannot be understood.
  using Reader = std::function<Status(const std::string& text)>;
  using Log = std::function<void(const std::string&)>;
  enum class Found {
    none,
    used,
    previous,  // used, but a newer one is missing or cannot be used
    unusable,  // there are files, but none can be used
  };
  /// Passes the newest generation's text to `reader`, or the previous text if the newest is damaged
  /// or not understood.
  /// `log` receives each file that cannot be used.  Such files are renamed if another file can be
  /// used; otherwise they stay in place.
  Found read(const Reader& reader, const Log& log);
  /// Like read(), but renames no files.
  Found look(const Reader& reader, const Log& log) const;
  /// Returns the path of a file that is not there before the first checkpoint, if there is any: of
  /// requests since one, or a checkpoint that was set aside.
  std::optional<std::string> remains() const;
  /// Renames the files that cannot be used.
  void set_aside(const Log& log) const;

 private:
  std::vector<std::string> candidates() const;
  Found look(const Reader& reader, const Log& log, std::vector<std::string>& unusable) const;
  void remove_older() const;
  void make_directory() const;

  std::string name_;  // without a generation
  std::int64_t generation_;
  std::string path_;
  std::size_t last_size_ = 0;
  Identity identity_;
  bool older_removed_ = false;
};

}  // namespace maui
