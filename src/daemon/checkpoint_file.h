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
  Status write(std::string_view text) const;

  /// Whether the reader understood the text; if not, why.
  using Reader = std::function<Status(const std::string& text)>;
  /// Hands the text to `reader`, or that of the one before where this is damaged or not understood.
  /// One that cannot be used is set aside under another name, and `tell` says so.  False: there is
  /// none that can be used.
  bool read(const Reader& reader, const std::function<void(const std::string&)>& tell) const;

 private:
  std::string path_;
};

}  // namespace maui
