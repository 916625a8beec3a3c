// A checked configuration: every parameter that maui.cfg, changeparam or the
// command line gave, as text in its canonical form, and the Settings made of it.
//
// A Configuration is always whole: what does not pass the parameter table
// (config/parameters.h) never gets in, and a change that fails leaves
// everything as it was.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "config/client_authentication.h"
#include "config/diagnostic.h"
#include "config/row.h"
#include "maui/result.h"
#include "maui/settings.h"

namespace maui {

/// A parameter that the command line sets, whatever maui.cfg says of it.
struct Override {
  std::string option;  // as it was given: --port
  std::string parameter, value;
};

struct Reading;

class Configuration {
 public:
  /// The defaults.
  Configuration();
  ~Configuration();
  Configuration(const Configuration&);
  Configuration& operator=(const Configuration&);
  Configuration(Configuration&&) noexcept;
  Configuration& operator=(Configuration&&) noexcept;

  /// Reads maui.cfg, and maui-private.cfg beside it where there is one (which nobody else may be
  /// able to read).  What the command line sets takes the place of what the file says.
  static Reading read(const std::string& path, const std::vector<Override>& overrides = {});
  /// The same, if nothing is wrong.  Otherwise everything wrong is in `diagnostics`, in the order
  /// of the lines.
  static Result<Configuration> load(const std::string& path, std::vector<Diagnostic>& diagnostics,
                                    const std::vector<Override>& overrides = {});
  /// The same for text that is not in a file; `name` stands for the file in messages.
  static Result<Configuration> parse(std::string_view text, const std::string& name,
                                     std::vector<Diagnostic>& diagnostics);

  /// Sets one parameter, "NAME" or "NAME[INDEX]", as changeparam does (guide G).  Attributes of an
  /// object (USERCFG[amy] PRIORITY=5) are added to those that it has.  When `at_runtime`, a
  /// parameter that takes effect only at a restart is refused with a message that says so.
  Status set(std::string_view parameter, const std::vector<std::string>& values, bool at_runtime);

  /// Gives parameters that take effect only at a restart the values that they have in `running`.
  /// Returns the names of those for which that is a change.
  std::vector<std::string> keep_until_restart(const Configuration& running);

  const Settings& settings() const;
  /// The secret shared with clients (maui-private.cfg), or empty.
  const std::string& secret() const;
  /// The key that CLIENTCFG or CLIENTKEY give a resource manager (maui-private.cfg), or empty.
  std::string key_of(std::string_view resource_manager) const;

  /// How clients of other hosts are known (CLIENTCFG).
  config::ClientAuthentication client_authentication() const;

  /// Every parameter by its own name, with defaults: the rows, saved as maui.cfg, give the same
  /// rows.
  std::vector<config::Row> rows() const;

  /// The parameters as showconfig of release 3.3 listed them: those that it had, and with `all`
  /// every other one, else those that are set.  Saved as maui.cfg, these rows, too, give the same
  /// rows.
  config::Listing listing(bool all = false) const;

  /// A sentence for each setting that does nothing, or not what most people expect.
  std::vector<std::string> warnings() const;
  /// True if the parameter, by its main name, was set, if only to its default.
  bool says(std::string_view parameter) const;
  /// The same with that index: of that attribute, if one is named.
  bool says(std::string_view parameter, std::string_view index,
            std::string_view attribute = {}) const;

  /// Parameters that are set here but that this release does not act on.
  std::vector<std::string> without_effect() const;

 private:
  void apply(const std::vector<Override>& overrides, std::vector<Diagnostic>& diagnostics);
  void read_files_beside(const std::string& path, std::vector<Diagnostic>& diagnostics);

  struct State;
  State* state_;
};

/// The configuration that the right lines of a file make, and the faults of the others.
struct Reading {
  Configuration configuration;
  std::vector<Diagnostic> diagnostics;
  /// Parameters of which a wrong line speaks, with the object that it names (`SRCFG[night]`):
  /// nothing can be concluded from what they say.
  std::set<std::string, std::less<>> doubtful;
  bool found = true;  // there is a file that can be read

  bool usable() const;
};

/// The place of the configuration: `explicit_path` (-C) if given, else maui.cfg in MAUIHOMEDIR of
/// the environment, else of /etc/maui.cfg, else of the directory set when the program was built
/// (guide 3.1).
struct Home {
  std::string directory;    // MAUIHOMEDIR
  std::string config_file;  // its maui.cfg, or the one given
};
Home find_home(const std::string& explicit_path);
/// A sentence on these places, with those that were set when the program was built.
std::string places_of_configuration();
/// The home directory where nobody names one.
std::string default_home();

}  // namespace maui
