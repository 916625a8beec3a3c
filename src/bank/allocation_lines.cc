#include "bank/allocation_lines.h"

#include <fmt/format.h>

#include <span>

#include "base/enum_names.h"
#include "base/percent.h"
#include "base/text.h"

namespace maui {
namespace {

constexpr EnumName<AllocationDeed> kDeeds[] = {{AllocationDeed::reserve, "RESERVE"},
                                               {AllocationDeed::debit, "DEBIT"},
                                               {AllocationDeed::release, "RELEASE"}};
constexpr EnumName<AllocationVerdict> kVerdicts[] = {{AllocationVerdict::granted, "OK"},
                                                     {AllocationVerdict::refused, "NO"},
                                                     {AllocationVerdict::failed, "ERROR"}};

std::string types_of(const AllocationRequest& request) {
  std::string out;
  for (const auto& [type, nodes] : request.node_types)
    out += fmt::format("{}{}:{}", out.empty() ? "" : ",", percent_escaped_ascii(type, ",:"), nodes);
  return out;
}

}  // namespace

std::string allocation_line(const AllocationRequest& request) {
  std::string line(name_of(std::span<const EnumName<AllocationDeed>>(kDeeds), request.deed));
  const auto field = [&line](std::string_view key, std::string_view value) {
    if (!value.empty()) line += fmt::format(" {}={}", key, value);
  };
  field("TIME", std::to_string(request.when.raw()));
  field("JOB", percent_escaped_ascii(request.job));
  field("RM", percent_escaped_ascii(request.manager));
  field("USER", percent_escaped_ascii(request.user));
  field("GROUP", percent_escaped_ascii(request.group));
  field("ACCOUNT", percent_escaped_ascii(request.account));
  field("CLASS", percent_escaped_ascii(request.job_class));
  field("QOS", percent_escaped_ascii(request.qos));
  field("START", std::to_string(request.start.raw()));
  if (request.began != request.start) field("BEGAN", std::to_string(request.began.raw()));
  field("PROCS", std::to_string(request.procs));
  field("NODETYPES", types_of(request));
  if (request.deed == AllocationDeed::release) return line;
  field("SECONDS", std::to_string(request.duration.raw()));
  field("AMOUNT", fmt::format("{:.0f}", request.amount));
  return line;
}

std::optional<AllocatedRun> run_in(std::string_view line) {
  const auto fields = words(line);
  const auto deed =
      fields.empty() ? std::nullopt
                     : value_of(std::span<const EnumName<AllocationDeed>>(kDeeds), fields.front());
  if (!deed) return std::nullopt;
  AllocatedRun found;
  found.deed = *deed;
  RunIdentity& run = found.identity;
  std::optional<std::int64_t> start, began, seconds, end;
  for (const auto field : fields) {
    const auto value = field.substr(field.find('=') + 1);
    const auto number = [value] { return parse_integer<std::int64_t>(value); };
    if (field.starts_with("JOB=")) run.job = value;
    if (field.starts_with("RM=")) run.manager = value;
    if (field.starts_with("START=")) start = number();
    if (field.starts_with("BEGAN=")) began = number();
    if (field.starts_with("SECONDS=")) seconds = number();
    if (field.starts_with("TIME=")) end = number();
  }
  run.span.began = run.span.ended = Time(began.value_or(start.value_or(0)));
  // The clock may have been set during the run: START and TIME do not tell then how long it was.
  if (seconds)
    run.span.ended = run.span.began + Seconds(*seconds);
  else if (!began)
    run.span.ended = Time(end.value_or(0));
  return found;
}

AllocationAnswer parse_allocation_answer(std::string_view line) {
  const auto word = line.substr(0, line.find_first_of(" \r\n"));
  const auto verdict = value_of(std::span<const EnumName<AllocationVerdict>>(kVerdicts), word);
  if (!verdict)
    return {AllocationVerdict::failed, fmt::format("invalid answer '{}': expected OK, NO or ERROR",
                                                   percent_escaped_ascii(word.substr(0, 80)))};
  const auto why = trimmed(line.substr(word.size()));
  return {*verdict, why.empty() ? "no reason given" : std::string(why)};
}

}  // namespace maui
