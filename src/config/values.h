// The values that are set: for each parameter and index, its canonical words.
//
// Whatever gets in has passed the parameter table.  Order is that of the table,
// then of the index (numbers by size), so that everything decided by it is the
// same whatever the order of the lines was.  The order of the lines only says
// in which order classes and standing reservations are listed.
#pragma once
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
  std::vector<Key> objects;  // CLASSCFG[long] and the like, in the order in which they were named
};

/// A name as it was written, taken apart: "RESERVATIONDEPTH[1]".
struct Name {
  std::string_view parameter, index;
  bool indexed = false;
};
Result<Name> parse_name(std::string_view text);

/// The parameter and index that `name` stands for; an error names what was wrong.
Result<Key> resolve(const Name& name, File file);

/// The canonical form of `words` as a value of `key`; an error says what was expected.  For an
/// object, the words are only those said now.
Result<Words> checked(const Key& key, const Words& words);

/// Refuses attributes that have no place in this file.
Status in_place(const Key& key, const Words& canonical, File file);

/// Adds one setting; pairs of an object are merged with those that it has.  Returns what was
/// replaced: "" for nothing, else the attribute or parameter whose older value is gone.
std::string add(Values& values, const Key& key, Words canonical);

/// Notes an object of which nothing is said, like `QOSCFG[med]` alone (appendix F: zero or more
/// pairs).  What was said of it before stands.
void mention(Values& values, const Key& key);

/// True if something is said of the parameter with that index: that attribute, if one is named.
bool says(const Values& values, std::string_view parameter, std::string_view index,
          std::string_view attribute = {});

bool is_default(const Key& key, const Words& value);

/// The parameter, or the attribute of an object, among `words` that counts only from the next start
/// on; empty if none does.
std::string waits_for_restart(const Key& key, const Words& words);

/// Parameters that take effect only at a restart get their values in `running` back.  Returns the
/// names of those whose values differed.
std::vector<std::string> keep_until_restart(Values& next, const Values& running);

/// The settings that the values make.
Settings settings_of(const Values& values);

}  // namespace maui::config
