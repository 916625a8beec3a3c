// The values that are set: the canonical words of each parameter and index.
//
// Every value here has passed the parameter table.  Values are in the order of the
// table, then of the index (numbers by size), so that every result based on them
// is independent of the order of the lines.  The order of the lines only determines
// the order in which classes and standing reservations are listed.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/parameters.h"

namespace maui::config {

struct Key {
  const Parameter* parameter = nullptr;
  std::string index;
  friend bool operator<(const Key& a, const Key& b);
};

struct Values : std::map<Key, Words> {
  std::vector<Key> objects;  // CLASSCFG[long] etc. in the order of first mention
  std::map<Key, int> lines;  // of maui.cfg: the last one that sets each value
  /// The last lines of maui.cfg that set the parameters of without_effect().
  std::map<std::string, int, std::less<>> idle_lines;
};

/// A parameter's name, split at its index: "RESERVATIONDEPTH[1]".
struct Name {
  std::string_view parameter, index;
  bool indexed = false;
};
Result<Name> parse_name(std::string_view text);

/// Each suggestion compares a name with all parameters: so many are made for a file.
inline constexpr int kMostSuggestions = 100;

/// Returns the parameter and index that `name` stands for, or an error that says what is wrong.
/// `suggests`: of an unknown name, it says which parameter may be meant.
Result<Key> resolve(const Name& name, File file, bool suggests = true);

/// Returns the canonical form of `words` as a value of `key`, or an error that says what was
/// expected.  For an object, the result has only the attributes in `words`.
Result<Words> checked(const Key& key, const Words& words);

/// Returns an error if an attribute may not be set in this file.
Status in_place(const Key& key, const Words& canonical, File file);

/// Adds one setting; an object's attributes are merged with those already set.  Returns the name of
/// the attribute or parameter whose older value was replaced, or "" if there is none.
std::string add(Values& values, const Key& key, Words canonical);

/// Adds an object without attributes, like `QOSCFG[med]` alone (appendix F: zero or more pairs).
/// Attributes that are already set remain.
void mention(Values& values, const Key& key);

/// True if the parameter is set with that index and, if `attribute` is given, sets it.
bool says(const Values& values, std::string_view parameter, std::string_view index,
          std::string_view attribute = {});

bool is_default(const Key& key, const Words& value);

/// Returns the parameter, or the object's attribute among `words` whose value differs from that in
/// `running`, that takes effect only at the next start; empty if there is none.
std::string waits_for_restart(const Values& running, const Key& key, const Words& words);

/// Gives parameters that take effect only at a restart their values in `running`.  Returns the
/// names of the parameters whose values differed.
std::vector<std::string> keep_until_restart(Values& next, const Values& running);

/// Returns an entry with what DEFAULT says of access and the like.  What the entry itself says
/// replaces it.  Limits, targets and priorities are looked up in both, since SYSCFG comes after
/// them.
CredentialSettings inherited(const CredentialSettings& common);

/// Makes the settings from the values.
Settings settings_of(const Values& values);

}  // namespace maui::config
