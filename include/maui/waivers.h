// Standing reservations that are not made again for a period (releaseres, SINGLEUSE; guide 7.1.5).
#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "maui/units.h"

namespace maui {

struct Waiver {
  std::string standing;  // name of the standing reservation
  Time period{0};        // its beginning
  friend bool operator==(const Waiver&, const Waiver&) = default;
};

class Waivers {
 public:
  void add(Waiver waiver) {
    if (!contains(waiver)) all_.push_back(std::move(waiver));
  }
  bool contains(const Waiver& waiver) const {
    return std::find(all_.begin(), all_.end(), waiver) != all_.end();
  }
  void forget_before(Time period) {
    std::erase_if(all_, [period](const Waiver& waiver) { return waiver.period < period; });
  }
  void forget_of(std::string_view standing) {
    std::erase_if(all_, [standing](const Waiver& waiver) { return waiver.standing == standing; });
  }
  const std::vector<Waiver>& all() const { return all_; }

 private:
  std::vector<Waiver> all_;
};

}  // namespace maui
