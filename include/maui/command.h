// The vocabulary between client and server: which commands there are, what
// they take, who may use them.
//
// One row a command serves the client (usage, --help, parsing of argv), the
// daemon (authorisation, checking of the request) and the manual page.  The
// function that carries a command out is bound to its name in src/cmd.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "maui/result.h"

namespace maui {

/// The users who may give a command (guide appendix E, G).  Each level includes those named after
/// it in ADMIN1..3 with a lower number.  `owner` commands are open to all; the function itself lets
/// an ordinary user touch only what is his.
enum class Access : std::uint8_t { admin1, admin2, admin3, owner, anyone };

struct Flag {
  char letter;                     // as in -i
  std::string_view argument;       // what its value is called; empty: it takes none
  bool optional_argument = false;  // the value may be left out: -c [ID]
  bool repeatable = false;
  std::string_view help;
  std::string_view name = {};  // a long form, as in --gantt; letter 0: only the long form
  char same_as = 0;            // another way to write the flag of that letter
  bool looks = false;          // with it the command changes nothing
};

struct CommandSpec {
  std::string_view name;
  std::string_view operands = {};  // as usage shows them: "JOB...", "PARAMETER VALUE..."
  int min_operands = 0;
  int max_operands = 0;  // -1: any number
  Access access = Access::anyone;
  bool looks = false;     // it changes nothing
  std::string_view help;  // one sentence
  std::span<const Flag> flags = {};
  int jobs_from = -1;             // the operand from which on they are jobs that it acts on, one by
                                  // one; -1: none are
  std::string_view one_of = {};   // letters of flags; one at least must be given
  std::string_view same_as = {};  // another name of that command
};

/// Every command, in alphabetical order.
std::span<const CommandSpec> command_specs();
/// The row of a command, or nullptr.  Follows same_as.
const CommandSpec* find_command(std::string_view name);

/// The flag of a command by its letter or, where it has none, its long name; or nullptr.
const Flag* find_flag(const CommandSpec& spec, std::string_view key);

/// A command as asked for: flags given (with their value, empty if they take none) and operands.
struct CommandRequest {
  std::string command;
  std::string user;   // as authenticated; never taken from the request itself
  std::string group;  // the user's group on the client's side; a default for showbf, no credential
  std::string host;   // where the request came from; empty: this machine
  std::multimap<std::string, std::string, std::less<>> flags;  // by letter or long name
  std::vector<std::string> operands;

  bool has(std::string_view flag) const { return flags.find(flag) != flags.end(); }
  /// The value of a flag (the last one given), or `otherwise`.
  std::string value(std::string_view flag, std::string_view otherwise = {}) const;
};

/// True if the request changes nothing, whatever comes of it.
bool only_looks(const CommandRequest& request);

/// Checks a request against its row: known flags, arguments present, number of operands.
Status check_request(const CommandSpec& spec, const CommandRequest& request);

}  // namespace maui
