// Files that are replaced as a whole: readers find either all of the old text or all of the new.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "maui/result.h"

namespace maui {

/// The mode of files that contain users and their rights.
inline constexpr int kOwnerOnly = 0600;

enum class Durability {
  crash,       // the text survives a crash of this process
  power_loss,  // and of the machine: fsync of the file and its directory
};

/// Succeeds if `bytes` can replace the file: space is allocated on the disk, and the next
/// replace_file() uses it.
Status make_room_for(const std::string& path, std::size_t bytes, int mode = 0644);

/// Returns the text of a file that the scheduler wrote.  Refuses links and special files: reading a
/// pipe could block, and reading a device might never end.  Refuses files of more than `most`
/// bytes.
Result<std::string> read_plain_file(const std::string& path,
                                    std::int64_t most = std::numeric_limits<std::int64_t>::max());

/// Flushes the directory of the file to the disk.
bool sync_directory(const std::string& path);

/// Replaces the file by `text`.  `keep_old`: keeps the previous text as PATH.old.  After an error,
/// the old text is still in place.
Status replace_file(const std::string& path, std::string_view text, Durability durability,
                    int mode = 0644, bool keep_old = false);

/// Replaces the file, if it exists, by a copy: processes that have it open then write to a file
/// that no longer has a name.
Status replace_by_copy(const std::string& path);

}  // namespace maui
