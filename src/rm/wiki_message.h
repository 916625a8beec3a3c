// WIKI messages: what stands in a frame, for both sides (docs/resource-managers.md).
//
// A frame is a size in eight digits, one character, and so many bytes; proto/frame.h reads them
// from a stream.  Its content is a body, alone (AUTHTYPE=NONE) or under a checksum:
//   CK=<checksum> TS=<epoch> AUTH=<user> DT=<body>
// A body is a request, "CMD=STARTJOB ARG=job TASKLIST=n1:n1", or a reply, "SC=0 ARG=..." or
// "SC=-1 RESPONSE=...".  NUL bytes that old servers count as part of a message are passed over.
// Where there is a lease GENERATION= stands right behind ARG: the oldest servers take all that
// follows TASKLIST= for nodes.
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

/// The user whom messages name as their sender, and the key of their checksum.
struct WikiSeal {
  std::uint32_t key = 0;
  std::string user = "root";
};

/// A whole frame with `body` in it, under a checksum if there is a seal.  Requires a body that a
/// frame holds.
std::string wiki_frame(std::string_view body, const std::optional<WikiSeal>& seal, Time now);

/// A message taken out of its cover.
struct WikiMessage {
  std::string body;
  std::optional<Time> sent;  // with a checksum only
  std::string user;
};

/// Opens the content of a frame.  With a seal, its checksum must be there and right; without, one
/// that is there is not looked at.
Result<WikiMessage> open_wiki(std::string_view content, const std::optional<WikiSeal>& seal);

/// Messages whose sender's clock is further off than this are refused by some servers.
inline constexpr Seconds kWikiMaxSkew{300};

struct WikiRequest {
  std::string command;                                       // "STARTJOB"
  std::string argument;                                      // of ARG: mostly the job
  std::vector<std::pair<std::string, std::string>> options;  // what follows, in order
  std::int64_t generation = 0;  // of the lease of the one who asks; 0: there is none

  /// The value of an option; empty if it is not there.
  std::string_view option(std::string_view name) const;
  friend bool operator==(const WikiRequest&, const WikiRequest&) = default;
};

std::string write_wiki(const WikiRequest& request);
/// Says what is missing, in the words that servers of old use.
Result<WikiRequest> read_wiki_request(std::string_view body);

/// The codes of old servers, which ours use, too.
enum WikiCode : int {
  kWikiDone = 0,
  kWikiFailed = -1,
  kWikiInitialising = -140,
  kWikiMalformed = -300,
  kWikiSkewed = -350,
  kWikiBadChecksum = -422,
  kWikiRefused = -700,
  kWikiNotNow = -911,  // of a start: it passes by itself
  kWikiNoRoom = -913,  // of a start: it is tried again, elsewhere if it can be
  kWikiNever = -914,   // of a start: not before somebody changes something
};

/// The obstacle that the code of a refused start, or of one that came to nothing, stands for.
/// `words`: that come with it, and decide where one code has several meanings.  `any_dependency`:
/// of several dependencies of the job any would do.
Obstacle obstacle_of(int code, std::string_view words = {}, bool any_dependency = false);

struct WikiReply {
  int code = kWikiDone;  // negative: a failure
  std::string text;      // data (ARG), or words (RESPONSE)
  bool data = false;
  bool failed() const { return code < 0; }
  friend bool operator==(const WikiReply&, const WikiReply&) = default;
};

std::string write_wiki(const WikiReply& reply);
Result<WikiReply> read_wiki_reply(std::string_view body);

}  // namespace maui
