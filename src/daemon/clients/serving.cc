#include "daemon/clients/serving.h"

#include <variant>

#include "cmd/access.h"
#include "cmd/operands.h"

namespace maui {

bool controls_scheduler(const CommandRequest& request) {
  return request.command == "changeparam" || request.command == "schedctl";
}

void Serving::update_clock() const {
  if (!engine.iterating()) tick();
}

bool Serving::is_administrators(const CommandRequest& request) const {
  return admin_level(settings(), request) != 0;
}

bool Serving::lacks_memory_for(const CommandRequest& request) const {
  return short_of_memory() && !is_administrators(request);
}

void Serving::log(const CommandRequest& request, int level, std::string_view text) const {
  if (is_administrators(request))
    lines.write(level, "fUI", text);
  else
    lines.write_of(LineCause::client, "user " + request.user, level, "fUI", text);
}

ReplyRemarks Serving::remarks_on(const CommandRequest& request, const Reply& reply) const {
  ReplyRemarks remarks;
  if (settings().server.mode == ServerMode::simulation || controls_scheduler(request) ||
      request.command == "showconfig" || std::holds_alternative<Refusal>(reply))
    return remarks;
  if (request.command != "diagnose" || !request.has("R"))
    remarks.not_reported = engine.managers_not_heard();
  remarks.stopped = server.unaccepted_loss().value_or(stopped_scheduling(engine));
  return remarks;
}

}  // namespace maui
