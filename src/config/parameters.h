// The table of all parameters of maui.cfg.
//
// The table is the only place that knows a parameter's name, aliases, index,
// values, default and meaning.  The parser, showconfig, changeparam, `maui
// --check-config` and docs/parameters.md are loops over it.  Its order is the
// order in which values are applied to Settings and in which they are listed.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/attributes.h"
#include "config/value_type.h"
#include "maui/settings.h"

namespace maui::config {

/// The kind of INDEX in NAME[INDEX].  Every parameter accepts [0], the index that is assumed if it
/// has none (guide 3.4).
enum class Index : std::uint8_t {
  none,
  numeric,        // [0] by default
  name,           // an object: [DEFAULT] stands for every object without an entry of its own
  credential,     // a name of a user, group, account, class or QOS; may contain blanks if quoted
  either,         // a number or a name, [0] by default
  optional_name,  // no index, for all objects, or the name of an object
  base,           // the only object: no index, or [base], which is the same
};

/// When a change takes effect: at once, when maui.cfg is read again, or at the next start, for one
/// of several reasons.
enum class Change : std::uint8_t {
  at_runtime,
  with_file,
  listens,
  runs,
  simulates,
  connects,
  proves
};
/// Returns why a change waits for the next start; empty: it does not wait.
std::string_view restart_reason(Change change);
enum class Landed : std::uint8_t {
  yes,
  without_effect,  // accepted for old files; its help says why
};

/// Applies a checked value to the settings; for an object, creates its entry before its attributes.
using Apply = std::function<void(Settings&, const std::string& index, const Words& value)>;

struct Parameter {
  std::string name;
  std::string aliases;  // separated by blanks
  Index index = Index::none;
  ValueType type;
  std::string fallback;  // the default as a user would write it
  Change change = Change::at_runtime;
  Landed landed = Landed::yes;
  std::string help;  // one sentence
  Apply apply = {};
  const std::vector<Attribute>* attributes =
      nullptr;  // of an object: the ATTR=VALUE pairs that it takes
  File file = File::open;
  std::string reason = {};  // why it has no effect; empty: the help says so
};

const std::vector<Parameter>& parameters();
/// Looks up a name or alias, ignoring case; nullptr if there is none.
const Parameter* find_parameter(std::string_view name);
/// Returns the known name that `name` may be a misspelling of; empty if none is close.
std::string nearest_parameter(std::string_view name);

/// Returns the index that is assumed if the name has none.
std::string assumed_index(const Parameter& parameter);
/// Returns the index of the row that stands for the parameter if it is not set.
std::string default_index(const Parameter& parameter);
/// Returns "NAME" or "NAME[INDEX]".
std::string full_name(const Parameter& parameter, std::string_view index);
/// Returns the default in canonical form.
const Words& fallback_of(const Parameter& parameter);

/// The parts of the table.
std::vector<Parameter> server_parameters();
std::vector<Parameter> http_parameters();
std::vector<Parameter> priority_parameters();
std::vector<Parameter> scheduling_parameters();
std::vector<Parameter> learning_parameters();
std::vector<Parameter> node_parameters();
std::vector<Parameter> job_parameters();
std::vector<Parameter> job_policy_parameters();  // part of job_parameters()
std::vector<Parameter> credential_parameters();
std::vector<Parameter> limit_parameters();
std::vector<Parameter> fairshare_parameters();
std::vector<Parameter> reservation_parameters();
std::vector<Parameter> resource_manager_parameters();
std::vector<Parameter> simulation_parameters();
std::vector<Parameter> private_parameters();
std::vector<Parameter> relic_parameters();

}  // namespace maui::config
