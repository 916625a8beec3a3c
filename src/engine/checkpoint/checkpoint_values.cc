#include "engine/checkpoint/checkpoint_values.h"

namespace maui {
namespace {

// Sums and differences of two times are representable; kForever + kUnlimited is a time.
std::int64_t bounded(const nlohmann::json& in) {
  constexpr std::int64_t kMost = std::int64_t{1} << 61;
  const auto value = in.get<std::int64_t>();
  if (value < -kMost || value > kMost)
    checkpointing::refuse(
        fmt::format("expected a time from {} to {}, not {}", -kMost, kMost, value));
  return value;
}

}  // namespace

void to_json(nlohmann::json& out, Time time) { out = time.raw(); }
void from_json(const nlohmann::json& in, Time& time) { time = Time(bounded(in)); }
void to_json(nlohmann::json& out, Seconds seconds) { out = seconds.raw(); }
void from_json(const nlohmann::json& in, Seconds& seconds) { seconds = Seconds(bounded(in)); }

}  // namespace maui

namespace maui::checkpointing {

int tasks_of(const Json& in) {
  constexpr int kMostTasks = 10'000'000;
  const int tasks = in.get<int>();
  if (tasks < 0 || tasks > kMostTasks)
    refuse(fmt::format("expected from 0 to {} tasks, not {}", kMostTasks, tasks));
  return tasks;
}

Json json_of(const ClusterNames& names, const Resources& amount) {
  Json out = Json::object();
  for (std::size_t i = 0; i < kElementary; ++i)
    if (const auto some = amount.get(ConsumableId(i)); some != 0)
      out[names.consumables[ConsumableId(i)]] = some;
  for (const auto& [what, some] : amount.extra()) out[names.consumables[what]] = some;
  return out;
}

Resources resources_of(const Json& in, ClusterNames& names) {
  Resources amount;
  for (const auto& [name, some] : in.items()) {
    const auto quantity = some.get<Resources::Quantity>();
    constexpr Resources::Quantity kWhole = -1;  // processors: everything on a node
    if (quantity < kWhole)
      refuse(fmt::format("expected an amount of '{}', not {}", name, quantity));
    amount.set(names.consumables.intern(name), quantity);
  }
  return amount;
}

}  // namespace maui::checkpointing
