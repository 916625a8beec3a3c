#include "sched/victim_choice.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "sched/cycle_state.h"

namespace maui {
namespace {

// With more candidates than this, sets are not compared exhaustively.
constexpr std::size_t kManyCandidates = 64;

}  // namespace

bool VictimChoice::fits() { return state_.timeline().fits_now(job_, request_).has_value(); }

std::optional<std::size_t> VictimChoice::one_alone(const Chosen& among,
                                                   const TakesOthers& takes_others) {
  std::optional<std::size_t> alone;
  for (std::size_t i = 0; i < std::min(among.size(), kManyCandidates); ++i) {
    candidates_.lay_off({among[i]});
    const auto slot = state_.timeline().fits_now(job_, request_);
    const bool others = slot && takes_others(among[i], *slot);
    candidates_.put_back({among[i]});
    if (slot && !others) return among[i];
    if (slot && !alone) alone = among[i];
  }
  return alone;
}

VictimChoice::Chosen VictimChoice::largest_first(Chosen among) {
  std::stable_sort(among.begin(), among.end(), [this](std::size_t a, std::size_t b) {
    return candidates_[a].procs > candidates_[b].procs;
  });
  return first(among);
}

VictimChoice::Chosen VictimChoice::first(const Chosen& among) {
  Chosen chosen;
  for (const auto next : among) {
    chosen.push_back(next);
    candidates_.lay_off({next});
    if (fits()) break;
  }
  auto enough = needed(chosen);
  candidates_.put_back(enough);
  return enough;
}

VictimChoice::Chosen VictimChoice::needed(Chosen chosen) {
  std::sort(chosen.begin(), chosen.end(),
            [this](std::size_t a, std::size_t b) { return candidates_.less_harm(b, a); });
  Chosen kept;
  for (const auto i : chosen) {
    candidates_.put_back({i});
    if (fits()) continue;
    candidates_.lay_off({i});
    kept.push_back(i);
  }
  return kept;
}

bool VictimChoice::better(const Chosen& a, const Chosen& b) const {
  if (a.size() != b.size()) return a.size() < b.size();
  double harm_of_a = 0, harm_of_b = 0;
  for (const auto i : a) harm_of_a += candidates_[i].harm;
  for (const auto i : b) harm_of_b += candidates_[i].harm;
  return harm_of_a < harm_of_b;
}

VictimChoice::Chosen VictimChoice::fewest(const Chosen& among, const TakesOthers& takes_others,
                                          int& attempts_left) {
  if (const auto alone = one_alone(among, takes_others)) return {*alone};
  auto best = largest_first(among);
  if (among.size() > kManyCandidates) return best;
  candidates_.lay_off(among);
  auto gentlest = needed(among);
  candidates_.put_back(gentlest);
  if (better(gentlest, best)) best = std::move(gentlest);
  return searched(among, std::move(best), attempts_left);
}

VictimChoice::Chosen VictimChoice::searched(const Chosen& among, Chosen best, int& attempts_left) {
  int sets = 5000, attempts = 200;  // the most that one job may cost
  for (std::size_t size = 2; size <= best.size(); ++size) {
    std::vector<char> picked(among.size(), 0);  // the first of all sets of that size
    std::fill_n(picked.begin(), size, 1);
    do {
      if (--sets < 0) return best;
      Chosen set;
      for (std::size_t i = 0; i < among.size(); ++i)
        if (picked[i] != 0) set.push_back(among[i]);
      if (!better(set, best)) continue;
      if (--attempts < 0 || --attempts_left < 0) return best;
      candidates_.lay_off(set);
      const bool enough = fits();
      candidates_.put_back(set);
      if (enough) best = std::move(set);
    } while (std::prev_permutation(picked.begin(), picked.end()));
  }
  return best;
}

}  // namespace maui
