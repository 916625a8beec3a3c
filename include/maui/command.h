// The vocabulary between client and server: the commands, their arguments and
// the users who may give them.
//
// One row per command serves the client (usage, --help, parsing of argv), the
// daemon (authorisation, checking of the request) and the manual page.  src/cmd
// binds each command's name to the function that carries it out.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "maui/result.h"

namespace maui {

/// The users who may give a command (guide appendix E, G).  Level admin2 admits the users of
/// ADMIN1 and ADMIN2, and so on.  `owner` commands are open to all users, but their functions let
/// an ordinary user affect only his own objects.
enum class Access : std::uint8_t { admin1, admin2, admin3, owner, anyone };

struct Flag {
  char letter;                     // as in -i
  std::string_view argument;       // name of its value; empty: it takes none
  bool optional_argument = false;  // the value is optional: -c [ID]
  bool repeatable = false;
  std::string_view help;
  std::string_view name = {};   // long form, as in --gantt; if letter is 0, the only form
  bool looks = false;           // makes the command read-only
  std::string_view needs = {};  // the long flag without which it has no meaning
};

struct CommandSpec {
  std::string_view name;
  std::string_view operands = {};  // as shown in usage: "JOB...", "PARAMETER VALUE..."
  int min_operands = 0;
  int max_operands = 0;  // -1: any number
  Access access = Access::anyone;
  bool looks = false;     // the command is read-only
  std::string_view help;  // one sentence
  std::span<const Flag> flags = {};
  int jobs_from = -1;             // index of the first operand that is a job, if the command acts
                                  // on jobs one by one; -1: it does not
  std::string_view one_of = {};   // letters of flags, at least one of them required
  std::string_view same_as = {};  // the command that this is another name for
};

/// All commands in alphabetical order.
std::span<const CommandSpec> command_specs();
/// Returns the row of a command (for an alias, that of its same_as), or nullptr.
const CommandSpec* find_command(std::string_view name);

/// Returns the flag with this letter (or, if it has no letter, this long name), or nullptr.
const Flag* find_flag(const CommandSpec& spec, std::string_view key);

/// A command as a client sends it: flags with their values (empty if they take none), operands.
struct CommandRequest {
  std::string command;
  std::string user;   // as authenticated, never from the request itself
  std::string group;  // the user's group on the client host; showbf's default, not a credential
  std::string host;   // origin of the request; empty: this host
  std::multimap<std::string, std::string, std::less<>> flags;  // by letter or long name
  std::vector<std::string> operands;

  bool has(std::string_view flag) const { return flags.find(flag) != flags.end(); }
  /// Returns the value of the last such flag given, or `otherwise`.
  std::string value(std::string_view flag, std::string_view otherwise = {}) const;
};

/// True if the request is read-only, whatever its outcome.
bool only_looks(const CommandRequest& request);

/// Checks a request against its row: known flags, arguments present, number of operands.
Status check_request(const CommandSpec& spec, const CommandRequest& request);

}  // namespace maui
