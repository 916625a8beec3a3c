// A checked configuration: every parameter that maui.cfg, changeparam or the
// command line gave, as text in its canonical form, and the Settings made of it.
//
// A Configuration is always whole: what does not pass the parameter table
// (config/parameters.h) never gets in, and a change that fails leaves
// everything as it was.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "maui/result.h"
#include "maui/settings.h"

namespace maui {

/// Something to say about the input: where, what was wrong, what was expected.
struct Diagnostic {
  std::string file;
  int line = 0;  // 0: not of a line
  std::string message;
  bool warning = false;  // it is said, and the configuration stands
  /// "maui.cfg:12: BACKFILLPOLICY: ..." ; a warning begins with "WARNING:".
  std::string text() const;
};

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
  /// able to read).  Everything wrong is reported at once, in the order of the lines.
  static Result<Configuration> load(const std::string& path, std::vector<Diagnostic>& diagnostics);
  /// The same for text that is not in a file; `name` stands for the file in messages.
  static Result<Configuration> parse(std::string_view text, const std::string& name,
                                     std::vector<Diagnostic>& diagnostics);

  /// Sets one parameter, "NAME" or "NAME[INDEX]", as changeparam does (guide G).  Attributes of an
  /// object (USERCFG[amy] PRIORITY=5) are added to those that it has.  When `at_runtime`, a
  /// parameter that takes effect only at a restart is refused with a message that says so.
  Status set(std::string_view parameter, const std::vector<std::string>& values, bool at_runtime);

  /// What takes effect only at a restart keeps the value that it has in `running`.  Returns the
  /// names of the parameters for which that is another one than this configuration had.
  std::vector<std::string> keep_until_restart(const Configuration& running);

  const Settings& settings() const;
  /// The secret shared with clients (maui-private.cfg), or empty.
  const std::string& secret() const;
  /// The key that CLIENTCFG or CLIENTKEY give a resource manager (maui-private.cfg), or empty.
  std::string key_of(std::string_view resource_manager) const;

  struct Row {
    std::string name;   // with its index, where the parameter has one
    std::string value;  // as it would be written in maui.cfg
    bool is_default = false;
  };
  /// What showconfig shows: with `all`, every parameter, so that the rows saved as maui.cfg give
  /// the same rows; otherwise those that differ from their defaults, and the major ones.
  std::vector<Row> rows(bool all) const;

  /// Parameters that are set here but have no effect.
  std::vector<std::string> without_effect() const;

 private:
  struct State;
  State* state_;
};

/// Where the configuration is: `explicit_path` (-C) if given, else maui.cfg in MAUIHOMEDIR of the
/// environment, else of /etc/maui.cfg, else of the directory set when the program was built
/// (guide 3.1).
struct Home {
  std::string directory;    // MAUIHOMEDIR
  std::string config_file;  // its maui.cfg, or the one given
};
Home find_home(const std::string& explicit_path);

}  // namespace maui
