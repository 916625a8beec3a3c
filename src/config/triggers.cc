#include "config/triggers.h"

#include <fmt/format.h>

#include "base/duration.h"
#include "base/text.h"
#include "base/trigger_names.h"

namespace maui::config {
namespace {

constexpr std::string_view kForm = "EVENT[+OFFSET][@THRESHOLD];ACTION[@DATA]";

struct Halves {
  std::string_view event, action;
};

/// Splits the text at the separator before the first action.
std::optional<Halves> halves_of(std::string_view text) {
  for (std::size_t at = text.find_first_of(";:"); at != std::string_view::npos;
       at = text.find_first_of(";:", at + 1)) {
    const auto rest = text.substr(at + 1);
    if (value_of<TriggerAction>(kTriggerActions, rest.substr(0, rest.find('@'))))
      return Halves{text.substr(0, at), rest};
  }
  return std::nullopt;
}

Status read_event(std::string_view text, Trigger& trigger) {
  const auto at = text.find('@');
  const auto plus = text.find('+');
  const auto event = value_of<TriggerEvent>(kTriggerEvents, text.substr(0, std::min(at, plus)));
  if (!event) return Error{fmt::format("unknown event '{}'", text)};
  trigger.event = *event;
  if (plus < at) {
    const auto offset = parse_duration(text.substr(plus + 1, at - plus - 1));
    if (!offset) return offset.error();
    if (*offset < Seconds(0)) return Error{"an offset is a time after the event"};
    trigger.offset = *offset;
  }
  const bool load = *event == TriggerEvent::min_load;
  if (load != (at != std::string_view::npos))
    return Error{load ? "minload needs a threshold, as in minload@0.1"
                      : "only minload takes a threshold"};
  if (!load) return Done{};
  const auto threshold = parse_number(text.substr(at + 1));
  if (!threshold || *threshold < 0 || *threshold > 1)
    return Error{fmt::format("invalid threshold '{}' (a share from 0 to 1)", text.substr(at + 1))};
  trigger.threshold = *threshold;
  return Done{};
}

Status read_action(std::string_view text, Trigger& trigger) {
  const auto at = text.find('@');
  trigger.action = *value_of<TriggerAction>(kTriggerActions, text.substr(0, at));
  if (at != std::string_view::npos) trigger.data = text.substr(at + 1);
  const bool cancels = trigger.action == TriggerAction::cancel;
  if (cancels && !trigger.data.empty()) return Error{"cancel takes no data"};
  if (!cancels && trigger.data.empty())
    return Error{"exec and submit need the name of a file, as in exec@/usr/local/bin/notify"};
  if (cancels && trigger.event == TriggerEvent::end)
    return Error{"there is nothing to cancel after the end"};
  return Done{};
}

Result<Trigger> trigger_of(std::string_view text) {
  const auto halves = halves_of(text);
  if (!halves)
    return Error{fmt::format("'{}' has no action: ;cancel, ;exec@PROGRAM or ;submit@SCRIPT", text)};
  Trigger trigger;
  if (const auto ok = read_event(halves->event, trigger); !ok) return ok.error();
  if (const auto ok = read_action(halves->action, trigger); !ok) return ok.error();
  return trigger;
}

std::string text_of(const Trigger& trigger) {
  auto text = std::string(name_of<TriggerEvent>(kTriggerEvents, trigger.event));
  if (trigger.offset > Seconds(0)) text += "+" + format_duration(trigger.offset);
  if (trigger.event == TriggerEvent::min_load) text += fmt::format("@{}", trigger.threshold);
  text += ";" + std::string(name_of<TriggerAction>(kTriggerActions, trigger.action));
  return trigger.data.empty() ? text : text + "@" + trigger.data;
}

}  // namespace

ValueType triggers() {
  return {
      fmt::format(
          "{}, where EVENT is create, start, end or minload, and ACTION is cancel, exec or submit",
          kForm),
      [](const Words& value) -> Result<Words> {
        const auto parts = list("", " ,|").canonical(value);
        if (!parts) return parts.error();
        Words out;
        for (const auto& part : *parts) {
          const auto trigger = trigger_of(part);
          if (!trigger) return trigger.error();
          out.push_back(text_of(*trigger));
        }
        return out;
      }};
}

std::vector<Trigger> triggers_of(const Words& value) {
  std::vector<Trigger> all;
  for (const auto& word : value)
    if (auto trigger = trigger_of(word)) all.push_back(*std::move(trigger));
  return all;
}

}  // namespace maui::config
