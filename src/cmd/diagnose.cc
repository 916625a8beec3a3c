// diagnose: selects the requested part.
#include "cmd/diagnose.h"

#include <fmt/format.h>

namespace maui {
namespace {

struct Part {
  std::string_view flag;
  Answer (*run)(const Context&);
};
constexpr Part kParts[] = {
    {"a", diagnose_accounts}, {"c", diagnose_classes},      {"f", diagnose_fairshare},
    {"g", diagnose_groups},   {"j", diagnose_jobs},         {"m", diagnose_frames},
    {"n", diagnose_nodes},    {"p", diagnose_priority},     {"q", diagnose_queue},
    {"Q", diagnose_qos},      {"r", diagnose_reservations}, {"R", diagnose_resource_manager},
    {"S", diagnose_service},  {"u", diagnose_users},
};

}  // namespace

Answer diagnose(const Context& context) {
  const Part* chosen = nullptr;
  for (const Part& part : kParts) {
    if (!context.has(part.flag)) continue;
    if (chosen != nullptr)
      return Error{
          fmt::format("diagnose: -{} and -{} cannot be combined", chosen->flag, part.flag)};
    chosen = &part;
  }
  if (context.has("l") && !context.has("q")) return Error{"diagnose: -l requires -q"};
  if (chosen == nullptr) {
    if (context.has("t")) return diagnose_partitions(context);
    return Error{
        "diagnose: expected one of -a, -c, -f, -g, -j, -m, -n, -p, -q, -Q, -r, -R, -S, -u and -t"};
  }
  const bool takes_partition = chosen->flag == "n" || chosen->flag == "p";
  if (context.has("t") && !takes_partition)
    return Error{
        fmt::format("diagnose: -t can be combined with -n or -p, not with -{}", chosen->flag)};
  return chosen->run(context);
}

}  // namespace maui
