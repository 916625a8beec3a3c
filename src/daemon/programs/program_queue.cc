#include "daemon/programs/program_queue.h"

#include <algorithm>
#include <iterator>

namespace maui {

ProgramQueue::Place ProgramQueue::add(SiteCall call) {
  if (call.urgent) {
    urgent_.push_back(std::move(call));
    return Place::taken;
  }
  const auto known = parties_.find(call.party);
  const std::size_t own = known == parties_.end() ? 0 : known->second.size();
  const auto equals = [&](const SiteCall& other) {
    return other.once && other.program == call.program && other.arguments == call.arguments;
  };
  if (call.once && own > 0 && std::any_of(known->second.begin(), known->second.end(), equals))
    return Place::merged;
  if (ordinary_ >= places_) {
    const auto most = std::max_element(
        parties_.begin(), parties_.end(),
        [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
    if (most == parties_.end() || most->second.size() <= own + 1) {
      leave_out(call.party);
      return Place::refused;
    }
    leave_out(most->first);
    most->second.pop_back();
    --ordinary_;
  }
  ++ordinary_;
  auto& waiting = parties_[call.party];
  waiting.push_back(std::move(call));
  return Place::taken;
}

void ProgramQueue::leave_out(const std::string& party) {
  ++left_out_[party];
  ++left_out_count_;
}

ProgramCounts ProgramQueue::take_left_out() {
  left_out_count_ = 0;
  return std::exchange(left_out_, {});
}

SiteCall ProgramQueue::take_of(Parties::iterator party) {
  SiteCall call = std::move(party->second.front());
  party->second.pop_front();
  --ordinary_;
  if (party->second.empty()) parties_.erase(party);
  return call;
}

std::optional<SiteCall> ProgramQueue::next(bool urgent_only) {
  if (!urgent_.empty()) {
    SiteCall call = std::move(urgent_.front());
    urgent_.pop_front();
    return call;
  }
  if (urgent_only || parties_.empty()) return std::nullopt;
  const bool any_other = parties_.size() > 1 || !parties_.begin()->first.empty();
  const auto scheduler = parties_.find("");
  if (scheduler != parties_.end() && !(scheduler_had_ && any_other)) {
    scheduler_had_ = true;
    return take_of(scheduler);
  }
  scheduler_had_ = false;
  auto party = parties_.upper_bound(served_);
  if (party == parties_.end()) party = parties_.upper_bound("");
  served_ = party->first;
  return take_of(party);
}

std::vector<SiteCall> ProgramQueue::take_all() {
  std::vector<SiteCall> all;
  while (auto call = next(/*urgent_only=*/false)) all.push_back(*std::move(call));
  return all;
}

}  // namespace maui
