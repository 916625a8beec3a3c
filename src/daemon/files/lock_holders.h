// Which process is the scheduler of a home directory, found by its descriptors.
//
// Anybody who can open a directory for reading can lock it, so a lock alone says little.
// /proc/locks names the process that took a lock, but a lock belongs to whoever has the open file:
// a child process may keep it, and a set-user-id program that was started with it seems to be
// root's.  A lock is therefore a scheduler's only if a process whose real user is trusted has it
// open.  Where a stranger has the directory's lock, a scheduler is known by its mark instead: a
// file in memory, which it keeps open, with the identity of the home directory as its name. Another
// mark names its checkpoint, which may be outside the home directory.
#pragma once
#include <sys/stat.h>
#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace maui {

struct LockHolder {
  pid_t process = 0;
  uid_t user = 0;
  std::string command;
};

struct LockHolders {
  std::optional<LockHolder> scheduler;  // a process of root or of our own user
  std::optional<LockHolder> suspect;    // as above, but its descriptors cannot be read
  std::optional<LockHolder> stranger;   // a process of somebody else
  bool all_seen = false;                // no scheduler can be hidden
};

using SoughtMark = std::function<bool(std::string_view mark)>;

/// Looks for whoever has this file locked with flock(), or has one of the marks; `own_mark` is our
/// own.
LockHolders find_lock_holders(const struct stat& file, const std::vector<std::string>& marks,
                              int own_mark = -1);

/// Returns the process of root or of our own user that has one of the marks.
std::optional<LockHolder> find_marked(const std::vector<std::string>& marks, int own_mark);
/// The same for a mark of which `sought` is true.
std::optional<LockHolder> find_marked(const SoughtMark& sought, int own_mark = -1);

/// Returns the process that took the lock, or nothing if /proc/locks does not list it or it is
/// gone. Its user is the real one; no user is known if /proc hides the process (hidepid).
struct LockTaker {
  pid_t process = 0;
  std::optional<uid_t> user;
};
std::optional<LockTaker> find_lock_taker(const struct stat& file);

bool is_trusted(uid_t user);
LockHolder described(pid_t process, uid_t user);

/// Returns the name of the mark for a home directory.  Schedulers with a lease do not exclude each
/// other, and have a mark of their own.
std::string scheduler_mark(const struct stat& home, bool has_lease);
/// Returns the beginning of the name of the mark for a checkpoint, whose path is followed through
/// links; the identity of the scheduler's home directory comes after it.
std::string checkpoint_mark(const std::string& path);
/// True if the process has the mark of a scheduler of that home directory.
bool is_scheduler_of(pid_t process, const std::string& home);
/// True if the process has ended or is just ending: what it has open is closed in a moment.
bool is_ending(pid_t process);
/// True if the descriptor is a file in memory of that name.
bool is_mark(int descriptor, const std::string& mark);

}  // namespace maui
