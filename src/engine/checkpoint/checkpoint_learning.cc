// Learned run times in a checkpoint.
#include "engine/checkpoint/checkpoint_parts.h"

namespace maui::checkpointing {

// One line per ring: user, name, processors, limit, time of the last addition, and its runs, each
// with its limit.
void append_learned(std::string& out, const RunTimeLearning::Memory& learned) {
  out += "{\"rings\":";
  append_lines(out, learned.rings, [&out](const RunTimeHistory::Kept& ring) {
    out += fmt::format("[{},", static_cast<int>(ring.of));
    append(out, ring.user);
    out += ',';
    append(out, ring.name);
    out += fmt::format(",{},{},{},[", ring.procs, ring.limit, ring.last.raw());
    const char* before = "";
    for (const PastRun& past : ring.runs)
      out += fmt::format("{}{},{}", std::exchange(before, ","), past.run, past.limit);
    out += "]]";
  });
  Json calibration = Json::array();
  for (std::size_t i = 0; i < learned.factors.size(); ++i)
    calibration.push_back({learned.factors[i].low, learned.factors[i].high,
                           learned.coverage[i].jobs, learned.coverage[i].within});
  out += ",\n\"calibration\":" + json_text(calibration) + "}";
}

RunTimeLearning::Memory learned_of(const Json& in) {
  RunTimeLearning::Memory learned;
  for (const auto& ring : in.at("rings")) {
    RunTimeHistory::Kept& made = learned.rings.emplace_back();
    const int of = ring.at(0).get<int>();
    if (of < 0 || of > static_cast<int>(RunTimeHistory::Of::site))
      refuse("unknown kind of run times");
    made.of = static_cast<RunTimeHistory::Of>(of);
    ring.at(1).get_to(made.user);
    ring.at(2).get_to(made.name);
    ring.at(3).get_to(made.procs);
    ring.at(4).get_to(made.limit);
    ring.at(5).get_to(made.last);
    const auto numbers = ring.at(6).get<std::vector<std::int32_t>>();
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2)
      made.runs.push_back({numbers[i], numbers[i + 1]});
  }
  const Json& calibration = in.at("calibration");
  for (std::size_t i = 0; i < learned.factors.size() && i < calibration.size(); ++i) {
    const Json& row = calibration.at(i);
    learned.factors[i] = {row.at(0).get<double>(), row.at(1).get<double>()};
    learned.coverage[i] = {row.at(2).get<std::int64_t>(), row.at(3).get<std::int64_t>()};
  }
  return learned;
}

}  // namespace maui::checkpointing
