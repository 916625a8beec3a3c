#include "pbs/request.h"

#include <vector>

#include "pbs/packet.h"

namespace maui::pbs {
std::string Requests::whole(RequestCode code, std::string body, std::string_view extension) const {
  DisWriter head, tail;
  head.number(kProtocolType).number(kProtocolVersion).number(static_cast<int>(code)).text(user_);
  tail.number(extension.empty() ? 0 : 1);
  if (!extension.empty()) tail.text(extension);
  return head.take() + body + tail.take();
}

std::string Requests::connect() const { return whole(RequestCode::connect, {}); }
std::string Requests::disconnect() const { return whole(RequestCode::disconnect, {}); }

std::string Requests::status(RequestCode code, std::string_view name,
                             std::span<const std::string_view> wanted,
                             std::string_view extension) const {
  std::vector<Attribute> attributes;
  for (const auto attribute : wanted) attributes.push_back({std::string(attribute)});
  DisWriter body;
  write(attributes, body.text(name));
  return whole(code, body.take(), extension);
}

std::string Requests::run(RequestCode code, std::string_view job,
                          std::string_view destination) const {
  return whole(code, DisWriter().text(job).text(destination).number(0).take());
}

std::string Requests::manage(RequestCode code, Command command, ObjectKind kind,
                             std::string_view name, std::span<const Attribute> attributes,
                             std::string_view extension) const {
  DisWriter body;
  body.number(static_cast<int>(command)).number(static_cast<int>(kind)).text(name);
  write(attributes, body);
  return whole(code, body.take(), extension);
}

std::string Requests::rerun(std::string_view job, std::string_view extension) const {
  return whole(RequestCode::rerun, DisWriter().text(job).take(), extension);
}

std::string Requests::signal(std::string_view job, std::string_view signal) const {
  return whole(RequestCode::signal_job, DisWriter().text(job).text(signal).take());
}

std::string Requests::message(std::string_view job, std::string_view text) const {
  constexpr int kStandardError = 2;  // else the message goes to standard output
  return whole(RequestCode::message_job,
               DisWriter().text(job).number(kStandardError).text(text).take());
}

std::string Requests::delete_jobs(std::span<const std::string> jobs) const {
  DisWriter body;
  body.number(static_cast<std::int64_t>(jobs.size()));
  for (const auto& job : jobs) body.text(job);
  return whole(RequestCode::delete_jobs, body.take());
}

std::string Requests::vouch_bare(int port) const {
  return whole(RequestCode::authenticate_user, DisWriter().number(port).take());
}

namespace {

// The name of the method has its length twice; encryption is off.
std::string method_body(std::string_view method, int port) {
  return DisWriter()
      .number(static_cast<std::int64_t>(method.size()))
      .text(method)
      .number(0)
      .number(port)
      .take();
}

std::string packet_of(char kind, std::string_view payload) {
  std::string bytes(kPacketMark);
  bytes += kind;
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes += static_cast<char>((payload.size() >> shift) & 0xFF);
  return bytes.append(payload);
}

}  // namespace

std::string Requests::vouch_framed(int port) const {
  return whole(RequestCode::authenticate, method_body("resvport", port));
}

std::string Requests::munge_bare(int port, std::string_view credential) const {
  return whole(RequestCode::authenticate_by_credential,
               DisWriter().number(port).text(credential).take());
}

std::string Requests::munge_framed() const {
  return whole(RequestCode::authenticate, method_body("munge", 0));
}

std::string Requests::register_scheduler(std::string_view name) const {
  return whole(RequestCode::register_scheduler, DisWriter().text(name).take());
}

std::string Requests::answer_scheduling(int command, std::string_view job, int error,
                                        std::string_view text) const {
  DisWriter body;
  body.number(command).text(job).number(error).number(text.empty() ? 0 : 1);
  if (!text.empty()) body.text(text);
  return whole(RequestCode::answer_scheduling, body.take());
}

std::string packet(std::string payload, Dialect dialect) {
  return framed(dialect) ? packet_of('\0', payload) : payload;
}

// In this packet, a null byte ends the text.
std::string credential_packet(std::string_view credential) {
  return packet_of(kCredentialPacket, std::string(credential) + '\0');
}

}  // namespace maui::pbs
