#include "slurm/start_note.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"

namespace maui::slurm {
namespace {

constexpr std::string_view kMark = " | ";

bool read_count(std::string_view value, int& into) {
  const auto count = parse_integer<int>(value);
  into = count.value_or(0);
  return count.has_value();
}

bool read_shares(std::string_view value, std::vector<int>& into) {
  for (const auto part : split(value, ','))
    if (!read_count(part, into.emplace_back())) return false;
  return true;
}

bool read_word(std::string_view name, std::string_view value, StartNote& note) {
  if (name == "start") {
    const auto when = parse_integer<std::int64_t>(value);
    if (when) note.started = Time(*when);
    return when.has_value();
  }
  if (name == "generation") {
    const auto generation = parse_integer<std::int64_t>(value);
    note.generation = generation.value_or(0);
    return generation.has_value();
  }
  if (name == "nodes") {
    const auto dash = value.find('-');
    return dash != std::string_view::npos && read_count(value.substr(0, dash), note.min_nodes) &&
           read_count(value.substr(dash + 1), note.max_nodes);
  }
  if (name == "set") return read_count(value, note.set_nodes);
  if (name == "cpus") return read_count(value, note.min_cpus);
  if (name == "over") {
    note.overcommitted = value == "1";
    return true;
  }
  if (name == "refused") return read_count(value, note.refusals);
  if (name == "code") return read_count(value, note.refusal_code);
  if (name == "share") return read_shares(value, note.shares);
  if (name == "on") note.required_nodes = value;
  if (name == "not") note.excluded_nodes = value;
  if (name == "why") note.refusal = value;
  return name == "on" || name == "not" || name == "why";
}

}  // namespace

std::string_view words_in(std::string_view text) {
  return text.starts_with("maui: ") ? text.substr(0, text.find(kMark)) : std::string_view();
}

std::string write_note(const StartNote& note) {
  std::string text = note.words;
  if (!text.empty()) text += kMark;
  text += "maui";
  if (note.started) text += fmt::format(" start={}", note.started->raw());
  if (note.generation > 0) text += fmt::format(" generation={}", note.generation);
  text += fmt::format(" nodes={}-{} set={} cpus={}", note.min_nodes, note.max_nodes, note.set_nodes,
                      note.min_cpus);
  if (!note.required_nodes.empty()) text += " on=" + note.required_nodes;
  if (!note.excluded_nodes.empty()) text += " not=" + note.excluded_nodes;
  if (note.overcommitted) text += " over=1";
  if (!note.shares.empty()) text += fmt::format(" share={}", fmt::join(note.shares, ","));
  if (note.refusals > 0)
    text += fmt::format(" refused={} code={} why={}", note.refusals, note.refusal_code,
                        note.refusal.empty() ? "unknown" : note.refusal);
  return text;
}

std::optional<StartNote> read_note(std::string_view text) {
  StartNote note;
  note.words = words_in(text);
  if (!note.words.empty())
    text.remove_prefix(std::min(text.size(), note.words.size() + kMark.size()));
  const auto parts = words(text);
  if (parts.size() < 2 || parts.front() != "maui") return std::nullopt;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto mark = parts[i].find('=');
    if (mark == std::string_view::npos ||
        !read_word(parts[i].substr(0, mark), parts[i].substr(mark + 1), note))
      return std::nullopt;
  }
  return note;
}

Job as_asked(Job job) {
  const auto note = read_note(job.admin_comment);
  if (!note) return job;
  // Slurm resets the maximum when it requeues a job.
  if (job.min_nodes == note->set_nodes &&
      (job.max_nodes == note->set_nodes || job.max_nodes == 0)) {
    job.min_nodes = note->min_nodes;
    job.max_nodes = note->max_nodes;
  }
  if (note->started) {
    job.required_nodes = note->required_nodes;
    job.excluded_nodes = note->excluded_nodes;
    job.min_cpus = note->min_cpus;
  }
  return job;
}

}  // namespace maui::slurm
