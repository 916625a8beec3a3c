// The ATTR=VALUE pairs of the *CFG objects (guide 6.2, 7.1.5, 7.3, 12.2).
//
// One row an attribute and kind of object; USERCFG, GROUPCFG and the like share
// rows, each naming the objects that it belongs to.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "config/value_type.h"
#include "maui/settings.h"

namespace maui::config {

/// In which file a parameter may stand: maui.cfg, maui-private.cfg or, its attributes saying where
/// each of them belongs, both.
enum class File : std::uint8_t { open, secret, both };

struct Attribute {
  std::string name;
  std::string aliases;  // between blanks
  ValueType type;       // of what stands behind the '='; nothing there means none
  bool landed = true;   // else it is accepted for the sake of old files; its help says why
  std::string help;
  std::function<void(Settings&, const std::string& index, const Words& value)> apply = {};
  /// A limit may name a second credential: MAXJOB[USER] or MAXJOB[USER:amy] (guide 6.2.1.2).
  bool takes_credential = false;
  /// Applies a value that names one: `credential` is "USER" or "USER:amy".
  std::function<void(Settings&, const std::string& index, const std::string& credential,
                     const Words& value)>
      apply_within = {};
  bool at_runtime = false;  // though the other attributes of its object count from the next start
  File file = File::open;   // where it may stand, of an object that both files speak of
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

/// Values that are written both as attributes and as parameters of their own.
ValueType qos_flags();
ValueType weekdays();
ValueType reservation_flags();
ValueType task_resources();
ValueType resource_manager_type();

/// "MAXJOB[USER:amy]=4" taken apart, checked and put together again in canonical form.
struct Pair {
  const Attribute* attribute = nullptr;
  std::string name;        // canonical, with the credential that it names
  std::string credential;  // "USER" or "USER:amy"; empty: none
  Words value;
  std::string text() const;  // "NAME=VALUE", not quoted
};
Result<Pair> parse_pair(const std::vector<Attribute>& attributes, std::string_view word);

/// All that is said of one object: canonical pairs in the order of their first mention.
Result<Words> parse_object(const std::vector<Attribute>& attributes, const Words& words);

}  // namespace maui::config
