#include "rm/wiki_message.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "rm/slurm_reason.h"
#include "rm/wiki_checksum.h"

namespace maui {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view without_nuls(std::string_view text) {
  while (text.ends_with('\0')) text.remove_suffix(1);
  return text;
}

std::string framed(std::string_view content) {
  return fmt::format("{:08}\n{}", content.size(), content);
}

struct Word {
  std::string_view name, value;
};

// Removes NAME=VALUE from the front of the text; a quoted value may contain blanks.
Word take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  const auto mark = std::min(text.find_first_of("= \t\r\n"), text.size());
  Word word{text.substr(0, mark), {}};
  text.remove_prefix(mark);
  if (!text.starts_with('=')) return word;
  text.remove_prefix(1);
  if (text.starts_with('"')) {
    if (const auto end = text.find('"', 1); end != std::string_view::npos) {
      word.value = text.substr(1, end - 1);
      text.remove_prefix(end + 1);
      return word;
    }
  }
  const auto end = std::min(text.find_first_of(kBlanks), text.size());
  word.value = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

std::string worded(std::string_view name, std::string_view value) {
  const bool blanks = value.find_first_of(kBlanks) != std::string_view::npos;
  return blanks ? fmt::format("{}=\"{}\"", name, value) : fmt::format("{}={}", name, value);
}

// Returns the text after the first " NAME=", or after NAME= at the beginning; nullopt if missing.
std::optional<std::string_view> behind(std::string_view text, std::string_view name) {
  for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const bool begins = at == 0 || kBlanks.find(text[at - 1]) != std::string_view::npos;
    if (begins && text.substr(at + name.size()).starts_with('='))
      return text.substr(at + name.size() + 1);
  }
  return std::nullopt;
}

}  // namespace

std::string wiki_frame(std::string_view body, const std::optional<WikiSeal>& seal, Time now) {
  if (!seal) return framed(body);
  const auto covered = fmt::format("TS={} AUTH={} DT={}", now.raw(), seal->user, body);
  return framed(fmt::format("CK={} {}", wiki_checksum(covered, seal->key), covered));
}

Result<WikiMessage> open_wiki(std::string_view content, const std::optional<WikiSeal>& seal) {
  content = without_nuls(content);
  if (!content.starts_with("CK=")) {
    if (seal) return Error{"no checksum, expected CK= before the message"};
    return WikiMessage{std::string(content), std::nullopt, {}};
  }
  const auto given = content.substr(3, content.find_first_of(kBlanks) - 3);
  const auto at = content.find("TS=");
  const auto covered = at == std::string_view::npos ? std::string_view() : content.substr(at);
  const auto body = behind(covered, "DT");
  if (!body) return Error{"no message, expected TS=, AUTH= and DT= after the checksum"};
  if (seal && lower(given) != wiki_checksum(covered, seal->key))
    return Error{"wrong checksum: the other side uses a different key"};
  WikiMessage message{std::string(*body), std::nullopt, {}};
  auto head = covered.substr(0, covered.size() - body->size());
  if (const auto sent = parse_integer<std::int64_t>(take_word(head).value))
    message.sent = Time(*sent);
  message.user = take_word(head).value;
  return message;
}

std::string_view WikiRequest::option(std::string_view name) const {
  for (const auto& [known, value] : options)
    if (known == name) return value;
  return {};
}

std::string write_wiki(const WikiRequest& request) {
  auto text = fmt::format("CMD={} {}", request.command, worded("ARG", request.argument));
  if (request.generation > 0) text += fmt::format(" GENERATION={}", request.generation);
  for (const auto& [name, value] : request.options) text += ' ' + worded(name, value);
  return text;
}

Result<WikiRequest> read_wiki_request(std::string_view body) {
  body = without_nuls(body);
  WikiRequest request;
  bool argument = false;
  while (!trimmed(body).empty()) {
    const auto [name, value] = take_word(body);
    if (name == "CMD" && request.command.empty()) {
      request.command = value;
    } else if (name == "ARG" && !argument) {
      argument = true;
      request.argument = value;
    } else if (name == "GENERATION" && request.generation == 0) {
      request.generation = parse_integer<std::int64_t>(value).value_or(0);
      if (request.generation < 1) return Error{"Invalid GENERATION value"};
    } else {
      request.options.emplace_back(name, value);
    }
  }
  if (request.command.empty()) return Error{"request lacks CMD"};
  if (!argument) return Error{request.command + " lacks ARG"};
  return request;
}

// Old servers refuse a start with the code -910 minus the number of their own reason, and name the
// reason at the end of the message.  Newer reasons have different numbers in each release.
Obstacle obstacle_of(int code, std::string_view words, bool any_dependency) {
  enum OldReason {
    kNone,  // not examined, or unsuitable nodes: may work the next time
    kPriority,
    kDependency,
    kResources,
    kNodeLimit,
    kTimeLimit,
    kPartitionDown,
    kPartitionInactive,
    kHeld,
    kBeginTime,
    kLicences,
    kJobLimit,
    kResourceLimit,
    kUsageLimit,
    kReservation,
    kNodeNotAvailable,
    kBadConstraints = 20
  };
  // The server is starting, or the message failed, whatever the job asks for.
  for (const int of_server : {kWikiInitialising, kWikiSkewed, kWikiBadChecksum})
    if (code == of_server) return Obstacle::passes;
  // The nodes themselves are the obstacle: a node that was reported as idle does not respond now.
  if (code == kWikiRefused && words.find("non-responsive node") != words.npos)
    return Obstacle::there;
  const int reason = -910 - code;
  if (reason == kNodeLimit || reason == kTimeLimit) return Obstacle::stays;
  for (const int obstacle :
       {int{kNone}, int{kResources}, int{kNodeNotAvailable}, int{kBadConstraints}})
    if (reason == obstacle) return Obstacle::there;
  if (reason == kDependency) return Obstacle::others;
  if (reason >= kNone && reason <= kNodeNotAvailable) return Obstacle::passes;
  const auto word = trimmed(words.substr(words.rfind(' ') + 1));
  if (word == "JobArrayTaskLimit") return Obstacle::array;
  if (any_dependency && slurm::dependency_failed(word)) return Obstacle::others;
  const auto outlook = slurm::outlook(word);
  if (outlook == slurm::Outlook::stays) return Obstacle::stays;
  return outlook == slurm::Outlook::passes ? Obstacle::passes : Obstacle::unknown;
}

std::string write_wiki(const WikiReply& reply) {
  return fmt::format("SC={} {}={}", reply.code, reply.data ? "ARG" : "RESPONSE", reply.text);
}

Result<WikiReply> read_wiki_reply(std::string_view body) {
  body = without_nuls(body);
  const auto rest = behind(body, "SC");
  auto code = rest ? rest->substr(0, rest->find_first_of(kBlanks)) : std::string_view();
  const auto number = parse_integer<int>(code);
  if (!number)
    return Error{fmt::format("invalid reply '{}': expected SC= and a number", body.substr(0, 40))};
  WikiReply reply;
  reply.code = *number;
  const auto behind_code = rest->substr(code.size());
  auto before = behind_code;
  for (const std::string_view name : {"ARG", "RESPONSE", "RSP"}) {
    const auto found = behind(before, name);
    if (!found) continue;
    // The name that comes first counts: the message may contain another one.
    const auto text = behind_code.substr(before.size() - found->size());
    before.remove_suffix(found->size());
    reply.text = text;
    reply.data = name == "ARG";
  }
  return reply;
}

}  // namespace maui
