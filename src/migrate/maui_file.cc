// Migrates maui.cfg and moab.cfg line by line and keeps comments.  The parameter table decides
// which lines are still valid; a separate table has the names that only Moab uses.
#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "config/configuration.h"
#include "config/parameters.h"
#include "config/parser.h"
#include "config/release_3_3.h"
#include "migrate/showconfig_lines.h"
#include "migrate/writer.h"

namespace maui::migrate {
namespace {

constexpr std::string_view kStandsElsewhere =
    "the resource manager's own limits and defaults apply";

// From Moab's public manual; names not listed here are Maui's and have the same meaning.
constexpr std::array kMoab = {
    Translation{"ADMINCFG", "ADMIN1, ADMIN2, ADMIN3", "USERS= of each level; groups are not read"},
    Translation{"SCHEDCFG", "SERVERNAME, SERVERHOST, SERVERPORT, SERVERMODE", "SERVER= and MODE="},
    Translation{"RMCFG", "RMCFG", "TYPE=TORQUE is TYPE=PBS; a subtype SLURM is TYPE=SLURM"},
    Translation{"RMPOLLINTERVAL", "RMPOLLINTERVAL", "of a minimum and a maximum time, the minimum"},
    Translation{"CLASSCFG", "CLASSCFG",
                "limits of all its jobs together; for MAX.*, MIN.*, DEFAULT.* and HOSTLIST use the "
                "resource manager's own settings"},
    Translation{"NODECFG", "NODECFG", "the attributes that maui.cfg(5) lists"},
    Translation{"JOBCFG", "",
                "there are no job templates; JOBATTRIBUTEPROGRAM can change the requests of jobs"},
    Translation{"FSTREE", "",
                "there is no tree of shares: give FSTARGET to users, groups and accounts"},
    Translation{"FSTREEACLPOLICY", "", "there is no tree of shares"},
    Translation{"JOBCPURGETIME", "",
                "showq -c shows the jobs of the last hour; the history keeps them all"},
    Translation{"JOBMAXNODECOUNT", "", "there is no such limit"},
    Translation{"MAXJOB", "", "there is no such limit"},
    Translation{"MAXNODE", "", "there is no such limit"},
    Translation{"MAXGRES", "", "there is no such limit"},
    Translation{"MAXRSVPERNODE", "RESDEPTH", "diagnose -r reports nodes with more"},
    Translation{"JOBMIGRATEPOLICY", "", "jobs are in the resource manager's queue from the start"},
    Translation{"ENABLEFSVIOLATIONPREEMPTION", "",
                "only QFLAGS=PREEMPTOR of a QOS, or a job's flag, makes preemptors"},
    Translation{"PREEMPTRTIMEWEIGHT", "", "victims are chosen so that the least work is lost"},
    Translation{"PREEMPTPRIOJOBSELECTWEIGHT", "",
                "victims are chosen so that the least work is lost"},
    Translation{"BFPRIORITYPOLICY", "BFPRIORITYPOLICY", "the same"},
    Translation{"GUARANTEEDPREEMPTION", "", "a preemptor always keeps its nodes until it runs"},
    Translation{"ENABLEHPAFFINITYSCHEDULING", "", "affinity of reservations always counts"},
    Translation{"ENABLEPOSUSERPRIORITY", "", "setspri is for administrators"},
    Translation{"USEANYPARTITIONPRIO", "", "partitions are tried in turn"},
    Translation{"MAILPROGRAM", "NOTIFICATIONPROGRAM", "use a program of your own to send mail"},
    Translation{"ADMINEMAIL", "NOTIFICATIONPROGRAM", "use a program of your own to send mail"},
    Translation{"DISABLESCHEDULING", "SERVERMODE",
                "TEST only logs what it would start; schedctl -s pauses a running scheduler"},
    Translation{"TOOLSDIR", "",
                "relative programs are in tools/ of the home directory; $TOOLSDIR in a URL is "
                "replaced by its path"},
    Translation{"SPOOLDIR", "", "jobs are in the resource manager's spool"},
    Translation{"IDCFG", "", "identities come from the resource manager and from maui.cfg"},
    Translation{"VMCFG", "", "there are no virtual machines"},
    Translation{"VMPROVISIONSTATUSREADYVALUE", "", "there are no virtual machines"},
    Translation{"POWERPOLICY", "", "maui does not switch nodes off"},
    Translation{"NODEIDLEPOWERTHRESHOLD", "", "maui does not switch nodes off"},
    Translation{"STATPROCMIN", "PLOTMINPROC", "rows of showgrid"},
    Translation{"STATPROCMAX", "PLOTMAXPROC", "rows of showgrid"},
    Translation{"STATTIMEMIN", "PLOTMINTIME", "columns of showgrid"},
    Translation{"STATTIMEMAX", "PLOTMAXTIME", "columns of showgrid"},
    Translation{"STATPROCSTEPCOUNT", "PLOTPROCSCALE", "rows of showgrid"},
    Translation{"STATTIMESTEPCOUNT", "PLOTTIMESCALE", "columns of showgrid"},
    Translation{"USEDATABASE", "", "the history has its own database, in STATDIR"},
    Translation{"UNSUPPORTEDDEPENDENCIES", "", "the resource manager handles dependencies"},
    Translation{"ACCOUNTINGINTERFACEURL", "FEEDBACKPROGRAM",
                "this program is run at the end of each job"},
    Translation{"SUBMITFILTER", "JOBATTRIBUTEPROGRAM",
                "this program can change the requests of new jobs"},
    Translation{"CLIENTCFG", "", "keys are in maui-private.cfg"},
    Translation{"JOBREJECTPOLICY", "DEFERTIME", "a job that cannot run is deferred, then held"},
    Translation{"JOBACTIONONNODEFAILURE", "", "the resource manager handles jobs on failed nodes"},
    Translation{"JOBACTIONONNODEFAILUREDURATION", "",
                "the resource manager handles jobs on failed nodes"},
    Translation{"AMCFG", "AMCFG, BANKTYPE", "TYPE=FILE, QBANK, RESD or GOLD; MAM is not supported"},
};

constexpr std::pair<std::string_view, std::string_view> kRenamed[] = {
    {"MAXRSVPERNODE", "RESDEPTH"},          {"STATPROCMIN", "PLOTMINPROC"},
    {"STATPROCMAX", "PLOTMAXPROC"},         {"STATTIMEMIN", "PLOTMINTIME"},
    {"STATTIMEMAX", "PLOTMAXTIME"},         {"STATPROCSTEPCOUNT", "PLOTPROCSCALE"},
    {"STATTIMESTEPCOUNT", "PLOTTIMESCALE"},
};

const Translation* find_moab(std::string_view name) {
  const auto at = std::find_if(kMoab.begin(), kMoab.end(),
                               [&](const Translation& row) { return same_word(row.name, name); });
  return at == kMoab.end() ? nullptr : &*at;
}

/// Converts an old file line by line.
bool is_credential(std::string_view parameter) {
  constexpr std::string_view kObjects[] = {"CLASSCFG", "USERCFG", "GROUPCFG", "ACCOUNTCFG",
                                           "QOSCFG"};
  return std::find(std::begin(kObjects), std::end(kObjects), parameter) != std::end(kObjects);
}

/// True for an attribute of a credential that limits its individual jobs, or their nodes.
bool stands_elsewhere(std::string_view pair) {
  const auto up = upper(pair);
  return up.starts_with("MAX.") || up.starts_with("MIN.") || up.starts_with("DEFAULT.") ||
         up.starts_with("HOSTLIST=");
}

class MauiFile {
 public:
  MauiFile(std::string_view text, Source source)
      : writer_(source),
        source_(source),
        tools_(source == Source::moab ? tools_directory(text) : std::string()) {
    if (config::is_showconfig_of_3_3(text)) {
      take_printed(text);
      return;
    }
    int number = 0;
    std::string whole;
    for (const auto raw : split(text, '\n')) {
      ++number;
      std::string part(trimmed(raw));
      const bool goes_on = source == Source::moab && part.ends_with('\\');
      if (goes_on) part.pop_back();
      whole += part;
      if (!goes_on) take(number, std::exchange(whole, {}));
    }
    if (!whole.empty()) take(number, whole);
  }

  Migration finish() { return writer_.take(); }
  /// True if a line sets that parameter, even to a value that was not taken over.
  bool says(std::string_view parameter) const { return set_.contains(parameter); }

 private:
  void take_printed(std::string_view text) {
    for (const auto& [number, line, lost] : lines_of_showconfig(text))
      lost.empty() ? take(number, line) : drop(number, line, lost);
    writer_.lose(0, std::string(kNeverShown),
                 "showconfig does not print them: copy these lines from the old maui.cfg");
  }

  void take(int number, const std::string& text) {
    if (source_ == Source::moab && is_moabs_include(text))
      return drop(number, text, "the file was not read: migrate it, too, and put its lines here");
    const auto lines = config::parse_lines(text);
    if (lines.empty()) return writer_.line(text);  // a comment, or empty
    const config::Line& line = lines.front();
    if (const auto* known = config::find_parameter(line.name.substr(0, line.name.find('['))))
      set_.insert(known->name);
    if (!line.error.empty()) return drop(number, text, line.error);
    if (source_ == Source::moab && take_moabs(number, text, line)) return;
    take_ours(number, text, line);
    if (source_ == Source::maui) note_woken_flags(number, text);
  }

  void note_woken_flags(int number, const std::string& text) {
    for (const auto& woken : config::woken_flags(text)) {
      writer_.comment(fmt::format("{}: {}", woken.what, config::kWokenFlags));
      writer_.change(number, woken.what, std::string(config::kWokenFlags));
    }
  }

  /// Returns the directory of programs that TOOLSDIR sets, if it is an absolute path.
  static std::string tools_directory(std::string_view text) {
    std::string found;
    for (const auto& line : config::parse_lines(text))
      if (line.error.empty() && same_word(line.name, "TOOLSDIR") && !line.words.empty())
        found = line.words.front();
    while (found.ends_with('/')) found.pop_back();
    return found.starts_with('/') ? found : std::string();
  }

  /// Returns one of Moab's URLs with $TOOLSDIR replaced by its path.
  std::string with_tools(int number, const config::Line& line, std::string word) {
    constexpr std::string_view kTools = "$TOOLSDIR/";
    const auto at = word.find(kTools);
    if (at == word.npos) return word;
    if (tools_.empty()) {
      writer_.lose(number, line.name + " " + word,
                   "$TOOLSDIR is tools/ of maui's home directory: put the program there");
      return word;
    }
    const auto begin = word.substr(0, at).ends_with("///") ? at - 1 : at;
    return word.replace(begin, at + kTools.size() - 1 - begin, tools_);
  }

  /// Returns why the parameter table rejects this line; empty: it accepts it.
  static std::string refusal(const std::string& text) {
    std::vector<Diagnostic> diagnostics;
    const auto read = Configuration::parse(text, "", diagnostics);
    for (const auto& diagnostic : diagnostics)
      if (!diagnostic.warning) return diagnostic.message;
    if (!read) return read.error().what;
    const auto idle = read->without_effect();
    if (idle.empty()) return {};
    const auto* parameter = config::find_parameter(idle.front());
    if (parameter != nullptr && !parameter->reason.empty()) return std::string(parameter->reason);
    std::string why = "accepted, and without effect here";
    if (parameter == nullptr) return why;
    std::string_view help = parameter->help;
    if (help.ends_with('.')) help.remove_suffix(1);
    return fmt::format("{} ({})", why, help);
  }

  /// Returns why an attribute of an object is rejected; empty: it is accepted.
  static std::string refusal_of(const std::string& object, const std::string& pair) {
    if (is_credential(upper(object.substr(0, object.find('[')))) && stands_elsewhere(pair))
      return std::string(kStandsElsewhere);
    return refusal(object + " " + pair);
  }

  void drop(int number, const std::string& text, const std::string& why) {
    writer_.line("#-- " + text);
    writer_.comment("not taken over: " + why);
    writer_.lose(number, text, why);
  }

  void take_ours(int number, const std::string& text, const config::Line& line) {
    const auto why = refusal(text);
    if (why.empty()) return writer_.line(text);
    const auto* parameter = config::find_parameter(line.name.substr(0, line.name.find('[')));
    if (parameter == nullptr || parameter->attributes == nullptr) return drop(number, text, why);
    // Keeps the valid pairs of an object.
    std::string kept = line.name;
    std::vector<std::pair<std::string, std::string>> gone;
    for (const auto& word : line.words) {
      const auto pair = pair_text(word);
      if (auto reason = refusal_of(line.name, pair); reason.empty())
        kept += " " + pair;
      else if (const auto known = known_flags(line.name, pair, gone); !known.empty())
        kept += " " + known;
      else
        gone.emplace_back(pair, std::move(reason));
    }
    if (kept == line.name) return drop(number, text, gone.size() == 1 ? gone.front().second : why);
    writer_.line(kept);
    for (const auto& [pair, reason] : gone) {
      writer_.comment(fmt::format("not taken over: {}: {}", pair, reason));
      writer_.lose(number, line.name + " " + pair, reason);
    }
  }

  /// Returns the pair with only its known flags, and adds the other flags to `gone`.  Returns an
  /// empty text if the pair has no flags or no known flag.
  static std::string known_flags(const std::string& object, const std::string& pair,
                                 std::vector<std::pair<std::string, std::string>>& gone) {
    const auto equals = pair.find('=');
    if (equals == pair.npos || !upper(pair.substr(0, equals)).ends_with("FLAGS")) return {};
    const auto name = pair.substr(0, equals + 1);
    std::string known;
    std::vector<std::pair<std::string, std::string>> unknown;
    for (std::string_view rest = std::string_view(pair).substr(equals + 1); !rest.empty();) {
      const auto end = std::min(rest.find_first_of(",:"), rest.size());
      const auto flag = name + std::string(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (auto reason = refusal(object + " " + flag); reason.empty())
        known += (known.empty() ? name : ",") + flag.substr(name.size());
      else
        unknown.emplace_back(flag, std::move(reason));
    }
    if (!known.empty()) gone.insert(gone.end(), unknown.begin(), unknown.end());
    return known;
  }

  /// Returns NAME=VALUE so that the parser can read it back.
  static std::string pair_text(const std::string& word) {
    const auto equals = word.find('=');
    if (equals == word.npos) return config::config_word(word);
    return word.substr(0, equals + 1) + config::config_word(word.substr(equals + 1));
  }

  // --- Moab ------------------------------------------------------------------------------------

  /// Handles a line with one of Moab's own names; false if it is none.
  bool take_moabs(int number, const std::string& text, const config::Line& line) {
    const auto bracket = line.name.find('[');
    const auto name = upper(line.name.substr(0, bracket));
    auto index = bracket == line.name.npos ? std::string() : line.name.substr(bracket + 1);
    if (!index.empty()) index.pop_back();
    for (const auto& [theirs, ours] : kRenamed) {
      if (theirs != name) continue;
      return instead(number, text, {fmt::format("{:<21} {}", ours, join(line.words, " "))}), true;
    }
    if (name == "SCHEDCFG") return scheduler(number, text, index, line), true;
    if (name == "ADMINCFG") return administrators(number, text, index, line), true;
    if (name == "RMPOLLINTERVAL" && !line.words.empty()) {
      const auto& word = line.words.front();
      const auto comma = word.find(',');
      if (comma == word.npos) return false;
      return instead(number, text,
                     {fmt::format("RMPOLLINTERVAL        {}", word.substr(0, comma))}),
             true;
    }
    if (name == "RMCFG") return manager(number, text, line), true;
    if (is_credential(name)) return credential(number, text, line), true;
    const Translation* row = find_moab(name);
    if (row == nullptr || config::find_parameter(name) != nullptr) return false;
    drop(
        number, text,
        row->here.empty() ? std::string(row->why) : fmt::format("see {}: {}", row->here, row->why));
    return true;
  }

  /// Writes these lines in place of one of Moab's; lines that the table rejects are losses.
  void instead(int number, const std::string& text, const std::vector<std::string>& lines) {
    writer_.line("# Moab: " + text);
    for (const auto& line : lines) {
      const auto why = refusal(line);
      if (why.empty()) {
        writer_.line(line);
      } else {
        writer_.lose(number, text, why);
        writer_.comment("not taken over: " + why);
      }
    }
  }

  void scheduler(int number, const std::string& text, const std::string& index,
                 const config::Line& line) {
    std::vector<std::string> lines;
    if (!index.empty() && index != "0" && !std::exchange(named_, true))
      lines.push_back("SERVERNAME            " + index);
    for (const auto& word : line.words) {
      const auto equals = word.find('=');
      const auto key = upper(word.substr(0, equals));
      std::string value = equals == word.npos ? "" : word.substr(equals + 1);
      if (key == "SERVER") {
        if (const auto scheme = value.find("://"); scheme != value.npos) value.erase(0, scheme + 3);
        const auto colon = value.find(':');
        lines.push_back("SERVERHOST            " + value.substr(0, colon));
        if (colon != value.npos)
          lines.push_back("SERVERPORT            " + value.substr(colon + 1));
      } else if (key == "MODE") {
        const auto mode = upper(value);
        if (mode == "NORMAL" || mode == "TEST" || mode == "SIMULATION") {
          lines.push_back("SERVERMODE            " + mode);
        } else {
          writer_.lose(number, word, "SERVERMODE is NORMAL, TEST or SIMULATION");
          lines.push_back("SERVERMODE            TEST");
        }
      } else {
        writer_.lose(number, word, "maui has no such setting");
      }
    }
    instead(number, text, lines);
  }

  void administrators(int number, const std::string& text, const std::string& index,
                      const config::Line& line) {
    const auto level = parse_integer<int>(index).value_or(1);
    if (level < 1 || level > 3) return drop(number, text, "the levels are ADMIN1 to ADMIN3");
    std::vector<std::string> lines;
    for (const auto& word : line.words) {
      if (!upper(word).starts_with("USERS=")) {
        writer_.lose(number, word, "administrators are named as users");
        continue;
      }
      std::string users = word.substr(6);
      std::replace(users.begin(), users.end(), ',', ' ');
      lines.push_back(fmt::format("ADMIN{:<16} {}", level, users));
    }
    instead(number, text, lines);
  }

  void manager(int number, const std::string& text, const config::Line& line) {
    std::string made = line.name;
    bool changed = false;
    for (const auto& word : line.words) {
      const auto up = upper(word);
      if (up == "TYPE=TORQUE" || up == "TYPE=PBSPRO" || up == "TYPE=OPENPBS")
        made += " TYPE=PBS", changed = true;
      else if (up.starts_with("TYPE=") && up.ends_with(":SLURM"))
        made += " TYPE=SLURM", changed = true;
      else if (const auto whole = with_tools(number, line, word); whole != word)
        made += " " + pair_text(whole), changed = true;
      else
        made += " " + pair_text(word);
    }
    if (changed) writer_.line("# Moab: " + text);
    const auto lines = config::parse_lines(made);
    take_ours(number, changed ? made : text, lines.empty() ? line : lines.front());
  }

  /// Takes over a credential without Moab's limits on individual jobs.
  void credential(int number, const std::string& text, const config::Line& line) {
    config::Line rest = line;
    rest.words.clear();
    std::string kept = line.name;
    for (const auto& word : line.words) {
      if (stands_elsewhere(word)) {
        writer_.lose(number, line.name + " " + word, std::string(kStandsElsewhere));
        continue;
      }
      rest.words.push_back(word);
      kept += " " + pair_text(word);
    }
    if (rest.words.size() == line.words.size()) return take_ours(number, text, line);
    writer_.line("# Moab: " + text);
    if (!rest.words.empty()) take_ours(number, kept, rest);
  }

  Writer writer_;
  Source source_;
  std::string tools_;
  bool named_ = false;                      // SERVERNAME has been written
  std::set<std::string, std::less<>> set_;  // the parameters that lines set
};

/// Returns lines for what the old file leaves to defaults that differ here.
std::string old_defaults(const MauiFile& file, Source source) {
  std::string lines;
  for (const auto& row :
       config::old_defaults_needed([&](std::string_view name) { return file.says(name); }))
    if (source == Source::maui || row.of_moab)
      lines += fmt::format("{:<21} {}\n", row.parameter, row.value);
  if (lines.empty()) return {};
  return fmt::format(
      "# The old file left these to the defaults of its scheduler, which differ from those "
      "here.\n{}\n",
      lines);
}

}  // namespace

std::span<const Translation> moab_translations() { return kMoab; }

Migration from_maui(std::string_view text, std::string_view name, Source source) {
  MauiFile file(text, source);
  // The defaults come first, so that a line of a file that is put in place of an include replaces
  // them.
  Migration made = file.finish();
  made.configuration.insert(
      0, fmt::format("{} from {}, a file of {}.  Lines after #-- were not taken over.\n\n{}",
                     config::kMigratedMark, name, name_of(source), old_defaults(file, source)));
  while (made.configuration.ends_with("\n\n")) made.configuration.pop_back();
  return made;
}

}  // namespace maui::migrate
