// The checkpoint on disk (appendix F: CHECKPOINTFILE): written as a whole and safe from a loss of
// power, with a checksum that shows damage, and the one before it beside it as NAME.old.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "maui/result.h"

namespace maui {

class CheckpointFile {
 public:
  explicit CheckpointFile(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  Status write(std::string_view text);
  /// Whether the next text can be written, if it is longer than the last by `more` bytes at most.
  Status make_room(std::size_t more) const;

  /// Whether the reader understood the text; if not, why.
  using Reader = std::function<Status(const std::string& text)>;
  using Tell = std::function<void(const std::string&)>;
  enum class Found {
    none,
    used,
    unusable,  // there is one, but none that can be used
  };
  /// Hands the text to `reader`, or that of the one before where this is damaged or not understood;
  /// `tell` hears of each that cannot be used.  Where another is used, it is set aside under
  /// another name; else it stays where it is.
  Found read(const Reader& reader, const Tell& tell) const;
  /// Moves files that cannot be used out of the way.
  void set_aside(const Tell& tell) const;

 private:
  std::string old_path() const { return path_ + ".old"; }

  std::string path_;
  std::size_t last_size_ = 0;
};

}  // namespace maui
