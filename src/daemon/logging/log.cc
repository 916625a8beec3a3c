#include "daemon/logging/log.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <algorithm>
#include <ctime>
#include <filesystem>

#include "base/outside_text.h"
#include "base/text.h"
#include "daemon/logging/rolling_file_sink.h"

namespace maui {
namespace {

struct Kind {
  std::string_view word;
  spdlog::level::level_enum level;  // in the system log
};
constexpr Kind kKinds[] = {{"INFO:", spdlog::level::info},
                           {"WARNING:", spdlog::level::warn},
                           {"ALERT:", spdlog::level::err},
                           {"ERROR:", spdlog::level::err}};

/// The most bytes that a line has besides its text: the time, the kind and the end; in the system
/// log the priority, the name of the program and its process as well.
constexpr std::size_t kAround = 64;
constexpr std::size_t kLongestText = kLongestLine - kAround;

/// Prevents text from outside from forging lines or spreading over several lines.
std::string one_line(std::string_view text) {
  std::string line = shortened(trimmed(text), kLongestText - std::string_view("...").size());
  for (char& c : line)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  return printable(line);
}

std::shared_ptr<spdlog::logger> logger_on(spdlog::sink_ptr sink) {
  auto logger = std::make_shared<spdlog::logger>("maui", std::move(sink));
  logger->set_pattern("%v");  // the scheduler adds time and level itself
  logger->set_level(spdlog::level::trace);
  return logger;
}

}  // namespace

Log::Log(std::function<Time()> now)
    : now_(std::move(now)),
      errors_(logger_on(std::make_shared<spdlog::sinks::stderr_sink_st>())),
      logger_(errors_),
      failure_("the log's file could be opened again") {}

Log::~Log() { logger_->flush(); }

Status Log::open(const LogSettings& settings, const std::string& home) {
  const auto path = std::filesystem::path(home) / settings.directory / settings.file;
  Status opened = Done{};
  try {
    std::filesystem::create_directories(path.parent_path());
    file_ = std::make_shared<RollingFileSink>(
        path.string(), [this](std::size_t lines, std::string_view why) {
          return stamped("WARNING:",
                         fmt::format("{} {} missing here, which could not be written: {}",
                                     counted(lines, "line"), by_number(lines, "is", "are"), why)) +
                 '\n';
        });
    logger_ = logger_on(file_);
    path_ = path.string();
  } catch (const std::exception& problem) {
    opened = Error{fmt::format("cannot open the log '{}', so it goes to standard error: {}",
                               path.string(), problem.what())};
  }
  configure(settings);
  return opened;
}

void Log::configure(const LogSettings& settings) {
  level_ = std::clamp(settings.level, 0, 9);
  facilities_ = settings.facilities;
  all_facilities_ = std::any_of(facilities_.begin(), facilities_.end(),
                                [](const auto& name) { return same_word(name, "fALL"); });
  trapped_facilities_ = settings.trap_functions;
  trapped_words_.clear();
  const auto trap = [this](std::string_view what, const std::vector<std::string>& names) {
    for (const auto& name : names) trapped_words_.push_back(fmt::format("{} '{}'", what, name));
  };
  trap("job", settings.trap_jobs);
  trap("node", settings.trap_nodes);
  trap("reservation", settings.trap_reservations);
  if (file_ != nullptr)
    file_->set_limits(static_cast<std::size_t>(std::max<std::int64_t>(settings.max_size, 1)),
                      settings.roll_depth);
}

void Log::change_level(int by) { level_ = std::clamp(level_ + by, 0, 9); }

bool Log::trapped(std::string_view facility, std::string_view text) const {
  return std::any_of(trapped_facilities_.begin(), trapped_facilities_.end(),
                     [&](const auto& name) { return same_word(name, facility); }) ||
         std::any_of(trapped_words_.begin(), trapped_words_.end(),
                     [&](const auto& words) { return text.find(words) != text.npos; });
}

bool Log::wants(int level, std::string_view facility, std::string_view text) const {
  if (trapped(facility, text)) return true;
  if (level > level_) return false;
  // Level 0 is for lines that must not be missed, whatever LOGFACILITY selects.
  return level == 0 || all_facilities_ ||
         std::any_of(facilities_.begin(), facilities_.end(),
                     [&](const auto& name) { return same_word(name, facility); });
}

void Log::write(int level, std::string_view facility, std::string_view text) {
  if (!wants(level, facility, text)) return;
  const Kind* kind = kKinds;  // unless the text begins with a kind
  for (const Kind& own : kKinds) {
    if (!text.starts_with(own.word)) continue;
    kind = &own;
    text.remove_prefix(own.word.size());
  }
  const auto line = one_line(text);
  const auto whole = stamped(kind->word, line);
  logger_->info("{}", whole);
  note_state();
  if (!state()) errors_->info("{}", whole);
  if (level <= 1) logger_->flush();
  if (level == 0 && system_ != nullptr) system_->log(kind->level, "{} {}", kind->word, line);
}

void Log::also_to(std::shared_ptr<spdlog::sinks::sink> system_log) {
  system_ = logger_on(std::move(system_log));
}

void Log::report(std::string_view text) {
  if (system_ != nullptr) system_->info("{}", one_line(text));
}

void Log::flush() { logger_->flush(); }

Status Log::reopen() {
  if (file_ != nullptr) [[maybe_unused]]
    const Status opened = file_->reopen();
  note_state();
  return state();
}

Status Log::state() const {
  if (file_ == nullptr || file_->state()) return Done{};
  return Error{fmt::format("the log '{}' cannot be opened again, so it goes to standard error: {}",
                           path_, file_->state().error().what)};
}

/// Says that the file is lost, or is there again.
void Log::note_state() {
  if (const auto news = failure_.note(state())) write(0, "fCORE", *news);
}

std::string Log::stamped(std::string_view kind, std::string_view text) {
  return fmt::format("{} {:<9} {}", stamp(), kind, text);
}

std::string_view Log::stamp() {
  if (const Time now = now_(); now != stamped_) {
    const auto seconds = static_cast<std::time_t>(now.raw());
    std::tm local{};
    ::localtime_r(&seconds, &local);
    stamp_ = fmt::format("{:%m/%d %H:%M:%S}", local);
    stamped_ = now;
  }
  return stamp_;
}

}  // namespace maui
