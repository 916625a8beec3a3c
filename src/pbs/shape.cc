#include "pbs/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "model/job_extensions.h"
#include "pbs/amounts.h"

namespace maui::pbs {
namespace {

constexpr std::size_t kMostChunks = 10'000;

Error wrong(std::string_view text, std::string_view what) {
  return Error{fmt::format("invalid request '{}': expected {}", text, what)};
}

std::optional<int> amount(std::string_view text) {
  const auto number = parse_integer<int>(text);
  return number && *number >= 0 && *number <= kMostJobTasks ? number : std::nullopt;
}

struct Word {
  std::string_view name, value;
  bool pair = false;
};
Word word_of(std::string_view text) {
  const auto mark = text.find('=');
  if (mark == std::string_view::npos) return {text, {}, false};
  return {text.substr(0, mark), text.substr(mark + 1), true};
}

/// True for a word such as "shared" after "gpus=1": how GPUs are shared is up to the node.
bool is_gpu_mode(std::string_view word, const Chunk& chunk) {
  if (word == "exclusive_process" || word == "exclusive_thread") return true;
  constexpr std::array<std::string_view, 4> kModes{"shared", "exclusive", "default", "reseterr"};
  const bool any_gpus = std::any_of(chunk.generic.begin(), chunk.generic.end(),
                                    [](const auto& amount) { return amount.first == "gpus"; });
  return any_gpus && std::find(kModes.begin(), kModes.end(), word) != kModes.end();
}

// "ppn=4", "gpus=2", "odd"; returns false if the word is invalid.
bool read_node_word(const Word& word, Chunk& chunk) {
  if (!word.pair) {
    if (!is_gpu_mode(word.name, chunk)) chunk.features.emplace_back(word.name);
    return true;
  }
  const auto number = amount(word.value);
  if (!number) return false;
  if (word.name == "ppn")
    chunk.procs = *number;
  else if (*number > 0)
    chunk.generic.emplace_back(word.name, *number);
  return chunk.procs > 0;
}

// "ncpus=2", "mem=1gb", "odd=True", "host=n01"
bool read_select_word(const Word& word, Chunk& chunk) {
  const auto counted = [&](bool known) {
    chunk.amounts +=
        fmt::format("{}{}={}", chunk.amounts.empty() ? "" : ":", word.name, word.value);
    return known;
  };
  if (word.name == "host" || word.name == "vnode") {
    chunk.host = word.value;
    chunk.any_vnode = word.name == "host";
    return !word.value.empty();
  }
  if (word.name == "ncpus") {
    const auto number = amount(word.value);
    chunk.procs = number.value_or(0);
    return counted(number.has_value());
  }
  if (word.name == "mem" || word.name == "vmem") {
    const auto size = megabytes(word.value);
    (word.name == "mem" ? chunk.memory : chunk.swap) = size.value_or(0);
    return counted(size.has_value());
  }
  if (word.name == "mpiprocs" || word.name == "ompthreads") return true;  // the job's own concern
  if (same_word(word.value, "true")) {
    chunk.features.emplace_back(word.name);
    return true;
  }
  if (word.name == "arch") {
    chunk.architecture = word.value;
    return word.pair;
  }
  auto number = amount(word.value);
  if (!number) number = megabytes(word.value);
  if (number) {
    if (*number > 0) chunk.generic.emplace_back(word.name, *number);
    return counted(true);
  }
  if (word.value.empty() || same_word(word.value, "false")) return false;
  chunk.features.push_back(feature_of(word.name, word.value));
  return true;
}

template <class ReadWord>
Result<std::vector<Chunk>> parse(std::string_view text, bool names_hosts, ReadWord read) {
  std::vector<Chunk> chunks;
  for (const auto part : split(text, '+')) {
    Chunk chunk;
    bool first = true;
    for (const auto item : split(part, ':')) {
      const auto word = trimmed(item);
      if (word.empty()) return wrong(part, "a word between the colons");
      const bool begins = std::exchange(first, false);
      if (const auto count = begins ? amount(word) : std::nullopt; count) {
        if (*count == 0) return wrong(part, "a number of 1 or more");
        chunk.count = *count;
      } else if (begins && names_hosts && word_of(word).pair == false) {
        chunk.host = word;
      } else if (!read(word_of(word), chunk)) {
        return wrong(word, "a name and an amount");
      }
    }
    chunks.push_back(std::move(chunk));
    if (chunks.size() > kMostChunks) return Error{"the job requests too many different nodes"};
  }
  return chunks;
}

}  // namespace

Result<std::vector<Chunk>> parse_nodes(std::string_view text) {
  return parse(text.substr(0, text.find('#')), true, read_node_word);
}

Result<std::vector<Chunk>> parse_select(std::string_view text) {
  return parse(text, false, read_select_word);
}

std::string feature_of(std::string_view resource, std::string_view value) {
  return fmt::format("{}={}", resource, value);
}

Place parse_place(std::string_view text) {
  Place place;
  for (const auto word : split(text, ':')) {
    if (word == "scatter" || word == "vscatter") place.scattered = true;
    if (word == "pack") place.packed = true;
    if (word.starts_with("group=")) place.group = word.substr(6);
    if (word == "excl" || word == "exclhost") place.exclusive = true;
  }
  return place;
}

}  // namespace maui::pbs
