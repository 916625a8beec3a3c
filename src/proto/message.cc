#include "proto/message.h"

#include <fmt/format.h>

#include <limits>

#include "base/text.h"
#include "proto/checksum.h"
#include "proto/frame.h"

namespace maui {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

/// Removes "KEY=value" and the following blanks from the front of `text`.
bool take_field(std::string_view& text, std::string_view key, std::string_view& value) {
  if (!text.starts_with(key)) return false;
  text.remove_prefix(key.size());
  const auto end = text.find_first_of(kBlanks);
  if (end == std::string_view::npos) return false;  // DT=, the last field, is not parsed here
  value = text.substr(0, end);
  const auto next = text.find_first_not_of(kBlanks, end);
  text.remove_prefix(next == std::string_view::npos ? text.size() : next);
  return true;
}

}  // namespace

Signed sign(std::string_view secret, const Envelope& envelope, std::string_view data) {
  const auto credential = envelope.credential;
  std::string text = "CK=";
  const auto sum_at = text.size();
  std::string sum =
      secret.empty() ? std::string(kNoChecksum) : std::string(kChecksumDigits, '0');  // set below
  auto covered = fmt::format("TS={} AUTH={} ", envelope.timestamp, envelope.user);
  if (!envelope.in_reply_to.empty()) covered += fmt::format("RE={} ", envelope.in_reply_to);
  if (!envelope.challenge.empty()) covered += fmt::format("CH={} ", envelope.challenge);
  covered += "DT=";
  // Long replies should be copied only once.
  text.reserve(sum_at + sum.size() + credential.size() + 5 + covered.size() + data.size() +
               kFrameHeader);
  text.append(sum).append(" ");
  if (!credential.empty()) text.append("MU=").append(credential).append(" ");
  const auto covered_at = text.size();
  text.append(covered).append(data);
  if (!secret.empty()) {
    sum = checksum(secret, std::string_view(text).substr(covered_at));
    text.replace(sum_at, kChecksumDigits, sum);
  }
  return Signed{std::move(text), std::move(sum)};
}

Result<Message> parse_message(std::string_view text) {
  Message message;
  std::string_view sum, credential, time, user, reply, challenge;
  if (!take_field(text, "CK=", sum)) return Error{"a message begins with CK=<checksum>"};
  take_field(text, "MU=", credential);
  message.covered = text;
  if (!take_field(text, "TS=", time)) return Error{"CK= is followed by TS=<epoch seconds>"};
  const auto seconds = parse_integer<std::int64_t>(time);
  if (!seconds || *seconds < 0) return Error{"TS= is not a time in epoch seconds"};
  if (!take_field(text, "AUTH=", user) || user.empty())
    return Error{"TS= is followed by AUTH=<user>"};
  take_field(text, "RE=", reply);
  take_field(text, "CH=", challenge);
  if (!text.starts_with("DT=")) return Error{"AUTH= is followed by DT=<data>"};
  message.checksum = sum;
  message.credential = credential;
  message.timestamp = *seconds;
  message.user = user;
  message.in_reply_to = reply;
  message.challenge = challenge;
  message.data = text.substr(3);
  return message;
}

bool authentic(const Message& message, std::string_view secret) {
  return !secret.empty() && same_checksum(message.checksum, checksum(secret, message.covered));
}

}  // namespace maui
