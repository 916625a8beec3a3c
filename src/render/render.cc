#include "render/render.h"

#include "base/text.h"
#include "render/as_text.h"
#include "render/as_xml.h"
#include "render/dry_run.h"
#include "render/printable_reply.h"

namespace maui {

std::string as_text(const Refusal& reply) { return prefixed_lines("ERROR:    ", reply.reason); }

std::string render(const Reply& answer, Format format, int width, const ReplyRemarks& remarks) {
  if (format == Format::json) return encode_reply(answer, JsonLayout::lines, remarks) + "\n";
  if (format == Format::xml) return as_xml(printable(answer));
  const bool picture = format == Format::svg;
  const Reply reply = picture ? printable(answer) : printable_in_columns(answer);
  if (const auto* chart = std::get_if<ReservationChartReply>(&reply))
    return picture ? as_svg(*chart) : as_text(*chart, width);
  return std::visit(
      [](const auto& body) {
        if constexpr (requires { body.dry_run; })
          if (body.dry_run)
            return "dry run: nothing is changed; the command would reply:\n" + as_text(body) +
                   as_text(*body.dry_run);
        return as_text(body);
      },
      reply);
}

}  // namespace maui
