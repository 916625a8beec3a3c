// A checked configuration: every parameter set by maui.cfg, changeparam or the
// command line, as text in canonical form, and the Settings made from it.
//
// A Configuration is always valid: a value that fails the checks of the parameter
// table (config/parameters.h) never enters it, and a change that fails leaves it
// as it was.
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

/// A parameter set on the command line, which takes precedence over maui.cfg.
struct Override {
  std::string option;  // the option as given: --port
  std::string parameter, value;
};

struct Reading;

class Configuration {
 public:
  /// Sets every parameter to its default.
  Configuration();
  ~Configuration();
  Configuration(const Configuration&);
  Configuration& operator=(const Configuration&);
  Configuration(Configuration&&) noexcept;
  Configuration& operator=(Configuration&&) noexcept;

  /// Reads maui.cfg and the files beside it: maui-private.cfg (which others must not be able to
  /// read), fs.cfg and machine.cfg.  `overrides` take precedence over these files.
  static Reading read(const std::string& path, const std::vector<Override>& overrides = {});
  /// Like read(), but fails if there is an error.  Adds all messages to `diagnostics`, in the order
  /// of the lines.
  static Result<Configuration> load(const std::string& path, std::vector<Diagnostic>& diagnostics,
                                    const std::vector<Override>& overrides = {});
  /// Reads text that is not in a file; `name` stands for the file in messages.
  static Result<Configuration> parse(std::string_view text, const std::string& name,
                                     std::vector<Diagnostic>& diagnostics);

  /// Sets one parameter, "NAME" or "NAME[INDEX]", as changeparam does (guide G).  Attributes of an
  /// object (USERCFG[amy] PRIORITY=5) are merged with those already set.  If `at_runtime`, reads
  /// the values as they would be read in a line of maui.cfg, and refuses a parameter that takes
  /// effect only at a restart, with that reason in the error; otherwise each value is one word.
  Status set(std::string_view parameter, const std::vector<std::string>& values, bool at_runtime);

  /// Gives each parameter that takes effect only at a restart its value in `running`.  Returns the
  /// names of the parameters whose values this changes.
  std::vector<std::string> keep_until_restart(const Configuration& running);

  const Settings& settings() const;
  /// The secret shared with clients (maui-private.cfg), or empty.
  const std::string& secret() const;
  /// Returns a resource manager's key from CLIENTCFG or CLIENTKEY (maui-private.cfg), or empty.
  std::string key_of(std::string_view resource_manager) const;

  /// Returns how clients of other hosts are authenticated (CLIENTCFG).
  config::ClientAuthentication client_authentication() const;

  /// Returns every parameter under its main name, defaults included.  These rows, saved as maui.cfg
  /// and read again, give the same rows.
  std::vector<config::Row> rows() const;

  /// Returns the parameters as showconfig of release 3.3 listed them: those of that release and, of
  /// all others, those that are set, or every one if `all`.  These rows, too, saved as maui.cfg and
  /// read again, give the same rows.
  config::Listing listing(bool all = false) const;

  struct Warning {
    int line = 0;  // of maui.cfg; 0: not about a single line
    std::string text;
  };
  /// Returns a sentence for each setting that has no effect, or not the effect most people expect.
  std::vector<Warning> numbered_warnings() const;
  /// Returns the same without their lines.
  std::vector<std::string> warnings() const;
  /// Returns what there is to say of a change that set() has made at runtime: the warnings about
  /// such a line by itself, and those that are not in `known`, the warnings before the change.
  std::vector<std::string> warnings_of_change(std::string_view parameter,
                                              const std::vector<std::string>& values,
                                              const std::vector<std::string>& known) const;
  /// True if the parameter, by its main name, is set, even if only to its default.
  bool says(std::string_view parameter) const;
  /// True if the parameter is set with that index and, if `attribute` is given, sets it.
  bool says(std::string_view parameter, std::string_view index,
            std::string_view attribute = {}) const;

  /// Returns the line of maui.cfg that sets the parameter, by its main name; 0: none does.
  int line_of(std::string_view parameter) const;

  /// Returns the parameters that are set but that this release does not act on.
  std::vector<std::string> without_effect() const;

 private:
  void apply(const std::vector<Override>& overrides, std::vector<Diagnostic>& diagnostics);
  void read_files_beside(const std::string& path, std::vector<Diagnostic>& diagnostics);

  struct State;
  State* state_;
};

/// The configuration made from the valid lines of a file, and the diagnostics of all lines.
struct Reading {
  Configuration configuration;
  std::vector<Diagnostic> diagnostics;
  /// The parameters named in wrong lines, with the object if the line names one (`SRCFG[night]`).
  /// Checks that span several lines draw no conclusions from them.
  std::set<std::string, std::less<>> doubtful;
  bool found = true;  // the file exists and can be read

  bool usable() const;
};

/// The place of the configuration: `explicit_path` (-C) if given, else maui.cfg in MAUIHOMEDIR as
/// set in the environment, else as set in /etc/maui.cfg, else in the directory set at build time
/// (guide 3.1).
struct Home {
  std::string directory;    // MAUIHOMEDIR
  std::string config_file;  // maui.cfg in that directory, or the given file
};
Home find_home(const std::string& explicit_path);
/// Returns a sentence about these places, including the directories set at build time.
std::string places_of_configuration();
/// Returns the home directory that is used if none is configured.
std::string default_home();

}  // namespace maui
