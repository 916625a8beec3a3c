// Every parameter of maui.cfg, once.
//
// The table is the only place that knows a parameter's name, aliases, index,
// values, default and meaning.  The parser, showconfig, changeparam, `maui
// --check-config` and docs/parameters.md are loops over it.  Its order is the
// order in which values are applied to Settings and in which they are shown.
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

/// The kind of INDEX in NAME[INDEX].  Every parameter accepts [0], the index that is assumed where
/// none is given (guide 3.4).
enum class Index : std::uint8_t {
  none,
  numeric,        // [0] by default
  name,           // an object: [DEFAULT] stands for every object without an entry of its own
  credential,     // the same, of a user, group, account, class or QOS: in quotes it may have blanks
  either,         // [0] by default
  optional_name,  // one object for all, or one of a name
};

/// When a change counts: at once, when maui.cfg is read again, or at the next start, for one of few
/// reasons.
enum class Change : std::uint8_t {
  at_runtime,
  with_file,
  listens,
  runs,
  simulates,
  connects,
  proves
};
/// Why a change waits for the next start; empty: it does not.
std::string_view restart_reason(Change change);
enum class Landed : std::uint8_t {
  yes,
  without_effect,  // accepted for the sake of old files; its help says why
};

/// Puts a checked value into the settings; of an object, makes its entry, before its attributes.
using Apply = std::function<void(Settings&, const std::string& index, const Words& value)>;

struct Parameter {
  std::string name;
  std::string aliases;  // between blanks
  Index index = Index::none;
  ValueType type;
  std::string fallback;  // the default, as a user would write it
  Change change = Change::at_runtime;
  Landed landed = Landed::yes;
  std::string help;  // one sentence
  Apply apply = {};
  const std::vector<Attribute>* attributes =
      nullptr;  // of an object: what ATTR=VALUE pairs it takes
  File file = File::open;
  std::string reason = {};  // why it has no effect; empty: its help says so
};

const std::vector<Parameter>& parameters();
/// By name or alias, case-blind; nullptr if there is none.
const Parameter* find_parameter(std::string_view name);
/// The known name that `name` may be a misspelling of; empty if none is near.
std::string nearest_parameter(std::string_view name);

/// The index that a parameter has when none is written.
std::string assumed_index(const Parameter& parameter);
/// The index of the row that stands for the parameter where nothing is set.
std::string default_index(const Parameter& parameter);
/// "NAME", or "NAME[INDEX]".
std::string full_name(const Parameter& parameter, std::string_view index);
/// The canonical form of the default.
const Words& fallback_of(const Parameter& parameter);

/// The groups that make up the table.
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
