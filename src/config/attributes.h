// The ATTR=VALUE pairs of the *CFG objects (guide 6.2, 7.1.5, 7.3, 12.2).
//
// The tables have one row per attribute and kind of object; USERCFG, GROUPCFG and
// other credentials share rows, each of which names its objects.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "config/value_type.h"
#include "maui/settings.h"

namespace maui::config {

/// The file in which a parameter may be set: maui.cfg (open), maui-private.cfg (secret), or both;
/// in that case, each attribute has a file of its own (Attribute::file).
enum class File : std::uint8_t { open, secret, both };

struct Attribute {
  std::string name;
  std::string aliases;  // separated by blanks
  ValueType type;       // type of the text after '='; no text means no value
  bool landed = true;   // false: accepted for old files but without effect; the help says why
  std::string help;
  std::function<void(Settings&, const std::string& index, const Words& value)> apply = {};
  /// True if it may name a second credential: MAXJOB[USER] or MAXJOB[USER:amy] (guide 6.2.1.2).
  bool takes_credential = false;
  /// Applies a value that names a second credential: `credential` is "USER" or "USER:amy".
  std::function<void(Settings&, const std::string& index, const std::string& credential,
                     const Words& value)>
      apply_within = {};
  bool at_runtime = false;  // takes effect at once even if its object does so at a restart
  File file = File::open;   // where it may be set, if both files may set its object
};

const std::vector<Attribute>& user_attributes();
const std::vector<Attribute>& group_attributes();
const std::vector<Attribute>& account_attributes();
const std::vector<Attribute>& class_attributes();
const std::vector<Attribute>& qos_attributes();
const std::vector<Attribute>& system_attributes();
const std::vector<Attribute>& partition_attributes();
const std::vector<Attribute>& node_attributes();
const std::vector<Attribute>& standing_reservation_attributes();
const std::vector<Attribute>& resource_manager_attributes();
const std::vector<Attribute>& allocation_manager_attributes();
const std::vector<Attribute>& client_attributes();

/// Types of values that are set both by attributes and by separate parameters.
ValueType qos_flags();
ValueType weekdays();
ValueType reservation_flags();
ValueType task_resources();
ValueType resource_manager_type();

/// An attribute such as "MAXJOB[USER:amy]=4", parsed, checked and in canonical form.
struct Pair {
  const Attribute* attribute = nullptr;
  std::string name;        // canonical, including the second credential if any
  std::string credential;  // "USER" or "USER:amy"; empty: none
  Words value;
  std::string text() const;  // "NAME=VALUE", not quoted
};
Result<Pair> parse_pair(const std::vector<Attribute>& attributes, std::string_view word);

/// Returns all attributes of one object as canonical pairs, in the order of their first mention.
Result<Words> parse_object(const std::vector<Attribute>& attributes, const Words& words);

}  // namespace maui::config
