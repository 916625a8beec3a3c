#include "engine/checkpoint/checkpoint_values.h"

namespace maui::checkpointing {

Json json_of(const Cluster& cluster, const Resources& amount) {
  Json out = Json::object();
  for (std::size_t i = 0; i < kElementary; ++i)
    if (const auto some = amount.get(ConsumableId(i)); some != 0)
      out[cluster.consumables[ConsumableId(i)]] = some;
  for (const auto& [what, some] : amount.extra()) out[cluster.consumables[what]] = some;
  return out;
}

Resources resources_of(const Json& in, Cluster& names) {
  Resources amount;
  for (const auto& [name, some] : in.items())
    amount.set(names.consumables.intern(name), some.get<Resources::Quantity>());
  return amount;
}

}  // namespace maui::checkpointing
