// A file that is replaced as a whole: whoever reads it finds all of the old text or all of the new.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "maui/result.h"

namespace maui {

/// The mode of files that name users and what they may do.
inline constexpr int kOwnerOnly = 0600;

enum class Durability {
  crash,       // it survives the end of this process
  power_loss,  // and that of the machine: fsync of the file and its directory
};

/// Succeeds if so many bytes can take the place of the file: room for them is taken on the disk,
/// which the next replace_file() uses.
Status make_room_for(const std::string& path, std::size_t bytes, int mode = 0644);

/// All of a file that the scheduler wrote.  What is a link, or no file of bytes, is not read: a
/// pipe would keep it waiting, a device would never end.
Result<std::string> read_plain_file(const std::string& path);

/// Brings the names in the directory of the file to the disk.
bool sync_directory(const std::string& path);

/// `keep_old`: the text that was there until now is kept beside it as PATH.old.  An error leaves
/// the old text in place.
Status replace_file(const std::string& path, std::string_view text, Durability durability,
                    int mode = 0644, bool keep_old = false);

/// Puts a copy in the place of the file, if there is one: whoever has it open writes into one that
/// nobody sees any more.
Status replace_by_copy(const std::string& path);

}  // namespace maui
