// Writes the new maui.cfg and collects what it lacks.
#pragma once
#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "maui/result.h"
#include "migrate/migration.h"

namespace maui::migrate {

class Writer {
 public:
  explicit Writer(Source source) { made_.source = source; }

  /// Writes a comment, broken into lines of at most 100 characters.
  void comment(std::string_view text);
  void line(std::string_view text) { made_.configuration.append(text).append("\n"); }
  void blank() { made_.configuration += "\n"; }
  /// Writes "NAME                  VALUE", in columns.
  template <class Value>
  void set(std::string_view name, const Value& value) {
    line(fmt::format("{:<21} {}", name, value));
  }
  void lose(int number, std::string what, std::string why, std::string file = {}) {
    made_.losses.push_back({number, std::move(what), std::move(why), std::move(file)});
  }
  void change(int number, std::string what, std::string why) {
    made_.changes.push_back({number, std::move(what), std::move(why)});
  }
  Migration take() { return std::move(made_); }

 private:
  Migration made_;
};

/// True for "#INCLUDE FILE", which Moab does not take for a comment.
bool is_moabs_include(std::string_view line);

/// Migrates an old maui.cfg, or a moab.cfg.
Migration from_maui(std::string_view text, std::string_view name, Source source);
/// Migrates a slurm.conf, together with the output of sacctmgr at the same site.
Result<Migration> from_slurm(std::string_view text, std::string_view name,
                             std::span<const NamedText> sacctmgr);

}  // namespace maui::migrate
