// Facts about reservations that commands show.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "maui/cluster.h"
#include "maui/settings.h"

namespace maui {

std::int64_t procs_of(const Cluster& cluster, const Reservation& reservation);
/// The order in which reservations are listed: standing ones as in maui.cfg, then the others.
class ListedOrder {
 public:
  explicit ListedOrder(const Settings& settings);
  std::size_t place(const Reservation& reservation) const;

 private:
  std::vector<std::string> names_;
};

}  // namespace maui
