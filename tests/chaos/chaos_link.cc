#include "chaos/chaos_link.h"

#include "proto/frame.h"

namespace maui::test {
namespace {

const WikiSeal kSeal{12345, "root"};

Result<WikiReply> read_frame(const std::string& bytes) {
  FrameDecoder decoder;
  decoder.feed(bytes);
  const auto content = decoder.next();
  if (!content) return content.error();
  if (!*content) return Error{"the connection was closed within the answer"};
  const auto message = open_wiki(**content, kSeal);
  if (!message) return message.error();
  return read_wiki_reply(message->body);
}

// Cut short, some bytes changed, or nothing that was ever an answer.
void garble(std::string& bytes, Chance& chance) {
  switch (chance.below(4)) {
    case 0:
      bytes.resize(static_cast<std::size_t>(chance.below(static_cast<int>(bytes.size()))));
      return;
    case 1:
      for (int i = 0; i < 3; ++i)
        bytes[static_cast<std::size_t>(chance.below(static_cast<int>(bytes.size())))] =
            static_cast<char>(chance.below(256));
      return;
    case 2:
      bytes = "HTTP/1.1 400 Bad Request\r\n\r\n";
      return;
    default:
      return;  // this one is as it should be
  }
}

}  // namespace

WikiAnswer carry(Site& site, const WikiRequest& request, Chance& chance, Time now) {
  if (site.weather == Weather::refusing) return {Error{"connection refused"}, false, {}};
  // It may have read the question, or not.
  if (site.weather == Weather::hanging) {
    if (chance.one_in(2)) site.batch.answer(request);
    return {Error{"no answer within 9 seconds"}, true, {}};
  }
  auto bytes = wiki_frame(write_wiki(site.batch.answer(request)), kSeal, now);
  if (site.weather == Weather::garbling) garble(bytes, chance);
  return {read_frame(bytes), true, now};
}

}  // namespace maui::test
