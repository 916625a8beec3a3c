// A faulty connection between a scheduler and a FakeBatch.
#pragma once
#include <deque>
#include <functional>
#include <random>
#include <string>

#include "chaos/fake_batch.h"
#include "rm/wiki_link.h"

namespace maui::test {

/// Uniform random numbers below a bound, equal on every host.
class Chance {
 public:
  explicit Chance(unsigned seed) : engine_(seed) {}
  int below(int bound) { return static_cast<int>(engine_() % static_cast<unsigned>(bound)); }
  bool one_in(int many) { return below(many) == 0; }

 private:
  std::mt19937 engine_;
};

enum class Weather { fine, refusing, hanging, garbling };

/// A batch system and the current quality of the connection to it.
struct Site {
  FakeBatch batch;
  Weather weather = Weather::fine;
  bool configured = true;  // in maui.cfg, when a scheduler begins
  std::string name = {};   // there; empty: after its number
};

/// A request without an answer so far.  Killing the scheduler drops them.
struct Question {
  Site* site;
  WikiRequest request;
  std::function<void(WikiAnswer)> done;
};
using Questions = std::deque<Question>;

class ChaosLink final : public WikiLink {
 public:
  ChaosLink(Site& site, Questions& questions) : site_(site), questions_(questions) {}
  void ask(const WikiRequest& request, std::function<void(WikiAnswer)> done) override {
    questions_.push_back({&site_, request, std::move(done)});
  }

 private:
  Site& site_;
  Questions& questions_;
};

/// Returns the answer that arrives in the site's current weather.
WikiAnswer carry(Site& site, const WikiRequest& request, Chance& chance, Time now);

}  // namespace maui::test
