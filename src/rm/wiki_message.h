// WIKI messages: the content of frames, for clients and servers (docs/resource-managers.md).
//
// A frame is a size in eight digits, one character, and that many bytes; proto/frame.h reads frames
// from a stream.  The content is a body, either alone (AUTHTYPE=NONE) or with a checksum:
//   CK=<checksum> TS=<epoch> AUTH=<user> DT=<body>
// A body is a request, "CMD=STARTJOB ARG=job TASKLIST=n1:n1", or a reply, "SC=0 ARG=..." or
// "SC=-1 RESPONSE=...".  NUL bytes that old servers count as part of a message are ignored.
// If the scheduler has a lease, GENERATION= stands right behind ARG: the oldest servers take all
// text after TASKLIST= for nodes.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "maui/resource_manager.h"
#include "maui/result.h"
#include "maui/units.h"

namespace maui {

/// The user whom messages name as their sender, and the key of the checksum.
struct WikiSeal {
  std::uint32_t key = 0;
  std::string user = "root";
};

/// Returns a whole frame that contains `body`, with a checksum if there is a seal.  Requires that
/// the body fits in a frame.
std::string wiki_frame(std::string_view body, const std::optional<WikiSeal>& seal, Time now);

/// A message without its checksum header.
struct WikiMessage {
  std::string body;
  std::optional<Time> sent;  // only with a checksum
  std::string user;
};

/// Opens the content of a frame.  With a seal, the content must have a valid checksum; without a
/// seal, any checksum is ignored.
Result<WikiMessage> open_wiki(std::string_view content, const std::optional<WikiSeal>& seal);

/// Some servers refuse messages if the sender's clock differs by more than this.
inline constexpr Seconds kWikiMaxSkew{300};

struct WikiRequest {
  std::string command;                                       // "STARTJOB"
  std::string argument;                                      // the value of ARG: usually the job
  std::vector<std::pair<std::string, std::string>> options;  // the options that follow, in order
  std::int64_t generation = 0;  // of the scheduler's lease; 0: no lease

  /// Returns the value of an option; empty if the option is missing.
  std::string_view option(std::string_view name) const;
  friend bool operator==(const WikiRequest&, const WikiRequest&) = default;
};

std::string write_wiki(const WikiRequest& request);
/// Parses a request.  Errors say what is missing, in the wording of old servers.
Result<WikiRequest> read_wiki_request(std::string_view body);

/// Status codes of old servers, which maui's own helpers use, too.
enum WikiCode : int {
  kWikiDone = 0,
  kWikiFailed = -1,
  kWikiInitialising = -140,
  kWikiMalformed = -300,
  kWikiSkewed = -350,
  kWikiBadChecksum = -422,
  kWikiRefused = -700,
  kWikiNotNow = -911,  // of a start: the obstacle passes by itself
  kWikiNoRoom = -913,  // of a start: to be retried, on other nodes if possible
  kWikiNever = -914,   // of a start: fails until somebody changes something
};

/// Returns the obstacle that the code of a refused or failed start stands for.  `words`: the
/// message sent with it, which decides where one code has several meanings.  `any_dependency`: true
/// if any one of the job's dependencies suffices.
Obstacle obstacle_of(int code, std::string_view words = {}, bool any_dependency = false);

struct WikiReply {
  int code = kWikiDone;  // negative: failure
  std::string text;      // data (ARG), or a message (RESPONSE)
  bool data = false;
  bool failed() const { return code < 0; }
  friend bool operator==(const WikiReply&, const WikiReply&) = default;
};

std::string write_wiki(const WikiReply& reply);
Result<WikiReply> read_wiki_reply(std::string_view body);

}  // namespace maui
