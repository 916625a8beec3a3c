#include "render/render.h"

#include <nlohmann/json.hpp>

#include "base/told_text.h"
#include "proto/reply_codec.h"
#include "render/as_text.h"
#include "render/as_xml.h"
#include "render/printable_reply.h"

namespace maui {
namespace {

std::string as_json(const Reply& reply) {
  const auto json = nlohmann::ordered_json::parse(encode_reply(reply), nullptr, false);
  return escaped_json(json.dump(2)) + "\n";
}

}  // namespace

std::string as_text(const Refusal& reply) { return "ERROR:    " + reply.reason + "\n"; }

std::string render(const Reply& told, Format format, int width) {
  if (format == Format::json) return as_json(told);
  const Reply reply = printable(told);
  if (format == Format::xml) return as_xml(reply);
  if (const auto* chart = std::get_if<ReservationChartReply>(&reply))
    return format == Format::svg ? as_svg(*chart) : as_text(*chart, width);
  return std::visit([](const auto& body) { return as_text(body); }, reply);
}

}  // namespace maui
