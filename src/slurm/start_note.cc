#include "slurm/start_note.h"

#include <fmt/format.h>

#include "base/text.h"

namespace maui::slurm {
namespace {

bool read_count(std::string_view value, int& into) {
  const auto count = parse_integer<int>(value);
  into = count.value_or(0);
  return count.has_value();
}

bool read_word(std::string_view name, std::string_view value, StartNote& note) {
  if (name == "start") {
    const auto when = parse_integer<std::int64_t>(value);
    if (when) note.started = Time(*when);
    return when.has_value();
  }
  if (name == "nodes") {
    const auto dash = value.find('-');
    return dash != std::string_view::npos && read_count(value.substr(0, dash), note.min_nodes) &&
           read_count(value.substr(dash + 1), note.max_nodes);
  }
  if (name == "set") return read_count(value, note.set_nodes);
  if (name == "cpus") return read_count(value, note.min_cpus);
  if (name == "on") note.required_nodes = value;
  return name == "on";
}

}  // namespace

std::string write_note(const StartNote& note) {
  std::string text = "maui";
  if (note.started) text += fmt::format(" start={}", note.started->raw());
  text += fmt::format(" nodes={}-{} set={} cpus={}", note.min_nodes, note.max_nodes, note.set_nodes,
                      note.min_cpus);
  if (!note.required_nodes.empty()) text += " on=" + note.required_nodes;
  return text;
}

std::optional<StartNote> read_note(std::string_view text) {
  const auto parts = words(text);
  if (parts.size() < 2 || parts.front() != "maui") return std::nullopt;
  StartNote note;
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
  // Slurm forgets the most when a job comes back.
  if (job.min_nodes == note->set_nodes &&
      (job.max_nodes == note->set_nodes || job.max_nodes == 0)) {
    job.min_nodes = note->min_nodes;
    job.max_nodes = note->max_nodes;
  }
  if (note->started) {
    job.required_nodes = note->required_nodes;
    job.min_cpus = note->min_cpus;
  }
  return job;
}

}  // namespace maui::slurm
