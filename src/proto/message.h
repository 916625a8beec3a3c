// A frame's content: CK=<checksum> TS=<epoch seconds> AUTH=<user> DT=<data> (guide appendix E).
//
// The checksum covers everything from TS= to the end.  If munge vouches for the client, MU=
// precedes TS=: a credential with the key of the checksum (proto/credential.h).  A reply also has
// RE=, the checksum of its request, so that no reply passes for that of another request.  CH= is a
// challenge: a reply that has one asks for the request again, with that CH=, as proof that it is
// not an old one.  On the Unix-domain socket, where the kernel identifies the client, CK=- stands
// for no checksum.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "maui/result.h"

namespace maui {

inline constexpr std::string_view kNoChecksum = "-";

struct Message {
  std::string checksum;    // as received
  std::string credential;  // munge credential; empty: none
  std::int64_t timestamp = 0;
  std::string user;
  std::string in_reply_to;  // empty: a request
  std::string challenge;    // empty: none
  std::string data;
  std::string covered;  // the text covered by the checksum
};

/// The fields that precede the data of a message.
struct Envelope {
  std::int64_t timestamp = 0;
  std::string_view user;
  std::string_view in_reply_to = {};  // empty: a request
  std::string_view challenge = {};    // empty: none
  std::string_view credential = {};   // of munge; empty: none
};

/// A message, ready for a frame, and its checksum.  With an empty secret, it has no checksum; with
/// a munge credential, the secret is the credential's key.
struct Signed {
  std::string text;
  std::string checksum;
};
Signed sign(std::string_view secret, const Envelope& envelope, std::string_view data);

/// Splits a message into its fields without authenticating it.
Result<Message> parse_message(std::string_view text);

/// True if the message was made by somebody who has the secret.
bool authentic(const Message& message, std::string_view secret);

}  // namespace maui
