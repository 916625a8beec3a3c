// The checkpoint on disk (appendix F: CHECKPOINTFILE): written as a whole and safe from a loss of
// power, with a checksum that shows damage, and the one before it beside it as NAME.old.
//
// Each generation of a lease writes a file of its own, NAME.gN: so what a scheduler writes that has
// lost its lease and does not know it yet never replaces what a newer one has written.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "maui/result.h"

namespace maui {

class CheckpointFile {
 public:
  /// `generation`: of the lease; 0: there is none.
  explicit CheckpointFile(std::string path, std::int64_t generation = 0);

  /// The newest generation of which there is a file; 0: none.
  static std::int64_t newest_generation(const std::string& path);

  /// Returns the path at which it is written.
  const std::string& path() const { return path_; }
  Status write(std::string_view text);
  /// Succeeds if the next text can be written, if it is longer than the last by `more` bytes at
  /// most.
  Status make_room(std::size_t more) const;

  /// Succeeds if the reader understood the text; if not, why.
  using Reader = std::function<Status(const std::string& text)>;
  using Log = std::function<void(const std::string&)>;
  enum class Found {
    none,
    used,
    unusable,  // there is one, but none that can be used
  };
  /// Hands the text of the newest generation to `reader`, or that of the one before where this is
  /// damaged or not understood;
  /// `log` hears of each that cannot be used.  Where another is used, it is set aside under
  /// another name; else it stays where it is.
  Found read(const Reader& reader, const Log& log) const;
  /// The same, but all files stay where they are.
  Found look(const Reader& reader, const Log& log) const;
  /// Moves files that cannot be used out of the way.
  void set_aside(const Log& log) const;

 private:
  std::vector<std::string> candidates() const;
  Found look(const Reader& reader, const Log& log, std::vector<std::string>& unusable) const;
  void remove_older() const;

  std::string name_;  // without a generation
  std::int64_t generation_;
  std::string path_;
  std::size_t last_size_ = 0;
  bool older_removed_ = false;
};

}  // namespace maui
