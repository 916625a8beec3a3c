#include "config/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>

#include "base/text.h"
#include "config/advice.h"
#include "config/attributes.h"
#include "config/parser.h"
#include "config/rows.h"

namespace maui::config {
namespace {

struct Setting {
  std::string written;  // the name in that line, which may be an alias
  int line = 0;
};
// The line that set each value or attribute, so that a message about a repetition can name it.
using Said = std::map<std::string, Setting>;

// Returns a name as the line writes it, in capitals, if it writes an alias; else the name itself.
std::string as_written(std::string_view written, const std::string& name) {
  return same_word(written, name) ? name : upper(written);
}

// Returns the attributes of a line as it writes them, by their main names.
std::map<std::string, std::string> attributes_in(const Line& line, const Key& key) {
  std::map<std::string, std::string> written;
  for (const auto& word : line.words)
    if (const auto pair = parse_pair(*key.parameter->attributes, word); pair)
      written[pair->name] =
          as_written(std::string_view(word).substr(0, word.find('=')), pair->name);
  return written;
}

void warn_of_repetition(const Line& line, const Key& key, const Words& words, Said& said,
                        const std::string& file, std::vector<Diagnostic>& diagnostics) {
  const auto name = full_name(*key.parameter, key.index);
  const auto parameter = std::string_view(line.name).substr(0, line.name.find('['));
  const auto written = as_written(parameter, key.parameter->name) +
                       name.substr(std::min(name.size(), key.parameter->name.size()));
  const auto once = [&](const std::string& what, const std::string& here) {
    const auto [at, is_new] = said.try_emplace(what, Setting{here, line.number});
    if (is_new) return;
    auto& [before, number] = at->second;
    diagnostics.push_back(
        {file, line.number,
         here == before
             ? fmt::format("{} is set again; the value of line {} is dropped", here, number)
             : fmt::format("{} sets the same as {} in line {}, whose value is dropped", here,
                           before, number),
         true});
    at->second = {here, line.number};
  };
  if (!key.parameter->attributes) return once(name, written);
  const auto attributes = attributes_in(line, key);
  for (const auto& word : words) {
    const auto attribute = word.substr(0, word.find('='));
    const auto at = attributes.find(attribute);
    once(fmt::format("{} {}", name, attribute),
         fmt::format("{} {}", written, at == attributes.end() ? attribute : at->second));
  }
}

void note_idle(const Line& line, const Key& key, const Words& words, Values& values) {
  Values of_line;
  add(of_line, key, words);
  for (const auto& name : without_effect(of_line)) values.idle_lines[name] = line.number;
}

Status read_line(const Line& line, File file, bool suggests, Values& values, Said& said,
                 const std::string& name, std::vector<Diagnostic>& diagnostics) {
  if (!line.error.empty()) return Error{line.error};
  const auto written = parse_name(line.name);
  if (!written) return written.error();
  const auto key = resolve(*written, file, suggests);
  if (!key) return key.error();
  if (key->parameter->attributes && line.words.empty()) {
    mention(values, *key);
    return Done{};
  }
  auto words = checked(*key, line.words);
  if (!words) return words.error();
  if (auto status = in_place(*key, *words, file); !status) return status;
  warn_of_repetition(line, *key, *words, said, name, diagnostics);
  for (auto& advice : advice_on_line(*key, line))
    diagnostics.push_back({name, line.number, std::move(advice), true});
  if (file == File::open) note_idle(line, *key, *words, values);
  add(values, *key, std::move(words).value());
  values.lines[*key] = line.number;
  return Done{};
}

// Returns the name of the parameter in a line, without the object in brackets.
std::string_view name_in(const Line& line) {
  return std::string_view(line.name).substr(0, line.name.find('['));
}

// Returns the parameter that a wrong line sets or may be meant to set, with the object in
// brackets.
std::string parameter_of(const Line& line) {
  const auto name = name_in(line);
  const auto* parameter = find_parameter(name);
  return (parameter == nullptr ? nearest_parameter(name) : parameter->name) +
         line.name.substr(name.size());
}

}  // namespace

std::size_t read_values(std::string_view text, const std::string& name, File file, Values& values,
                        std::vector<Diagnostic>& diagnostics, ParameterNames* doubtful) {
  std::size_t errors = 0;
  int unknown = 0;
  Said said;
  for (const auto& line : parse_lines(text)) {
    const bool suggests = unknown < kMostSuggestions;
    const auto status = read_line(line, file, suggests, values, said, name, diagnostics);
    if (status) continue;
    ++errors;
    diagnostics.push_back({name, line.number, status.error().what});
    const bool known = find_parameter(name_in(line)) != nullptr;
    if (doubtful != nullptr && (known || suggests)) doubtful->insert(parameter_of(line));
    if (!known) ++unknown;
  }
  return errors;
}

std::size_t read_private(const std::string& config_path, Values& secrets,
                         std::vector<Diagnostic>& diagnostics) {
  const auto path =
      (std::filesystem::path(config_path).parent_path() / "maui-private.cfg").string();
  struct stat about {};
  if (stat(path.c_str(), &about) != 0 && errno == ENOENT) return 0;
  const auto report = [&](std::string message, bool warning = false) {
    diagnostics.push_back({path, 0, std::move(message), warning});
    return std::size_t{1};
  };
  const auto text = read_file(path);
  if (!text && access(path.c_str(), R_OK) != 0 && errno == EACCES) {
    report("the user who runs this may not read it: it counts as empty", true);
    return 0;
  }
  if (!text) return report(text.error().what);
  if ((about.st_mode & 007) != 0) {
    const bool empty = parse_lines(*text).empty();  // as installed by release 3.3: nothing is lost
    report(fmt::format("others can reach this file (mode {:04o}): expected mode 0600 or 0640{}",
                       about.st_mode & 07777U, empty ? " before anything is written into it" : ""),
           empty);
    if (!empty) return 1;
  }
  return read_values(*text, path, File::secret, secrets, diagnostics, nullptr);
}

namespace {

// Returns USERCFG[amy] for USER:amy of fs.cfg, or an empty text for anything else.
std::string object_name(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kKinds[] = {
      {"USER", "USERCFG"},    {"GROUP", "GROUPCFG"}, {"ACCOUNT", "ACCOUNTCFG"},
      {"ACCT", "ACCOUNTCFG"}, {"QOS", "QOSCFG"},     {"CLASS", "CLASSCFG"}};
  const auto colon = name.find(':');
  if (colon == std::string_view::npos) return {};
  for (const auto& [kind, parameter] : kKinds)
    if (same_word(name.substr(0, colon), kind))
      return fmt::format("{}[{}]", parameter, name.substr(colon + 1));
  return {};
}

}  // namespace

namespace {

// Reads lines that each describe one object.  `name_of` returns the parameter for the first word of
// a line, or an empty text if there is none.
std::size_t read_objects(const std::string& path, std::string (*name_of)(std::string_view),
                         const char* expected, Values& values,
                         std::vector<Diagnostic>& diagnostics) {
  const auto text = read_file(path);
  if (!text) {
    diagnostics.push_back({path, 0, text.error().what});
    return 1;
  }
  std::size_t errors = 0;
  Said said;
  Values read;
  for (auto line : parse_lines(*text)) {
    const auto name = name_of(line.name);
    const auto status =
        name.empty() && line.error.empty()
            ? Status(Error{fmt::format("'{}': expected {}", line.name, expected)})
            : (line.name = name, read_line(line, File::open, true, read, said, path, diagnostics));
    if (status) continue;
    ++errors;
    diagnostics.push_back({path, line.number, status.error().what});
  }
  for (auto& [key, words] : values)
    if (words.empty() && key.parameter->attributes)
      mention(read, key);
    else
      add(read, key, std::move(words));
  read.lines = std::move(values.lines);
  read.idle_lines = std::move(values.idle_lines);
  values = std::move(read);
  return errors;
}

std::string beside(const std::string& config_path, const std::string& file) {
  return (std::filesystem::path(config_path).parent_path() / file).string();
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

std::string node_name(std::string_view name) { return fmt::format("NODECFG[{}]", name); }

}  // namespace

std::size_t read_fairshare(const std::string& config_path, const std::string& file, bool asked_for,
                           Values& values, std::vector<Diagnostic>& diagnostics) {
  if (file.empty()) return 0;
  const auto path = beside(config_path, file);
  if (!asked_for && !exists(path)) return 0;
  const auto first = diagnostics.size();
  const auto errors = read_objects(path, object_name,
                                   "USER:NAME, GROUP:NAME, ACCOUNT:NAME, QOS:NAME or CLASS:NAME, "
                                   "and its attributes",
                                   values, diagnostics);
  for (auto i = first; i < diagnostics.size(); ++i)
    if (diagnostics[i].line == 0)
      diagnostics[i].message = "FSCONFIGFILE: " + diagnostics[i].message;
  return errors;
}

std::size_t read_machine(const std::string& config_path, Values& values,
                         std::vector<Diagnostic>& diagnostics) {
  const auto path = beside(config_path, "machine.cfg");
  if (!exists(path)) return 0;
  return read_objects(path, node_name, "a node and its attributes", values, diagnostics);
}

namespace {

Error cannot_be_read() { return Error{fmt::format("cannot be read: {}", std::strerror(errno))}; }

/// Returns an error for anything that has no end, or that a reader would wait for.
Status check_kind(int file) {
  struct stat about {};
  if (::fstat(file, &about) != 0) return cannot_be_read();
  if (S_ISDIR(about.st_mode)) return Error{"is a directory"};
  if (!S_ISREG(about.st_mode)) return Error{"is not a regular file"};
  return Done{};
}

Result<std::string> read_open_file(int file, std::size_t largest) {
  if (auto status = check_kind(file); !status) return status.error();
  std::string text;
  for (std::size_t size = 0;;) {
    constexpr std::size_t kPart = 1 << 16;
    text.resize(size + kPart);
    const auto count = ::read(file, text.data() + size, kPart);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Error{"cannot be read to its end"};
    size += static_cast<std::size_t>(count);
    if (size > largest)
      return Error{
          fmt::format("is larger than {} MB: too large for a configuration", largest >> 20)};
    if (count > 0) continue;
    text.resize(size);
    return text;
  }
}

}  // namespace

Result<std::string> read_file(const std::string& path, std::size_t largest) {
  const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  // A pipe's other kin, a socket, cannot be opened.
  if (file < 0) return errno == ENXIO ? Error{"is not a regular file"} : cannot_be_read();
  auto read = read_open_file(file, largest);
  ::close(file);
  if (read && read->find('\0') != read->npos)
    return Error{"is not a text file: it contains NUL bytes"};
  return read;
}

Error refusal(const std::string& name, std::size_t errors) {
  return Error{fmt::format("{}: {}", name, counted(errors, "error"))};
}

}  // namespace maui::config
