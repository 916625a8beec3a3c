#include "pbs/reply.h"

#include "pbs/packet.h"

namespace maui::pbs {
namespace {

constexpr std::size_t kMostItems = 10'000'000;

Error garbage() { return Error{"the server's answer is not a PBS reply"}; }

bool has_items(ReplyChoice choice) {
  using enum ReplyChoice;
  return choice == selected || choice == status || choice == preempted || choice == deleted;
}

}  // namespace

// Reads the part before the items; returns false if it is incomplete.
bool ReplyReader::read_head(DisReader& from) {
  if (from.number() != kProtocolType || from.number() != kProtocolVersion) {
    if (from.good()) from.spoil();
    return false;
  }
  Reply head;
  head.code = static_cast<int>(from.number());
  head.auxiliary = static_cast<int>(from.number());
  head.choice = static_cast<ReplyChoice>(from.number());
  const bool more = dialect_ == Dialect::parts && from.count(1) == 1;
  std::size_t items = 0;
  switch (head.choice) {
    using enum ReplyChoice;
    case nothing:
      break;
    case queued:
    case ready_to_commit:
    case committed:
    case text:
    case located:
      head.text = from.text();
      break;
    case selected:
    case status:
    case preempted:
    case deleted:
      items = from.count(kMostItems);
      break;
    default:
      if (from.good()) from.spoil();
  }
  if (!from.good()) return false;
  if (!more_parts_) {
    reply_ = std::move(head);
  } else if (head.choice != reply_.choice || !has_items(head.choice)) {
    from.spoil();
    return false;
  }
  more_parts_ = more;
  items_left_ = items;
  begun_ = true;
  return true;
}

// Reads one whole item, or nothing.
bool ReplyReader::read_items(DisReader& from) {
  if (reply_.choice == ReplyChoice::status) {
    const auto begin = from.position();
    Object object;
    object.kind = from.number();
    object.name = from.text();
    object.attributes = read_attributes(from);
    object.bytes = from.read_since(begin);
    if (from.good()) reply_.objects.push_back(std::move(object));
  } else if (reply_.choice == ReplyChoice::selected) {
    std::string name(from.text());
    if (from.good()) reply_.names.push_back(std::move(name));
  } else {
    std::string name(from.text());
    const auto code = static_cast<int>(from.number());
    if (from.good()) reply_.not_done.emplace_back(std::move(name), code);
  }
  if (from.good()) --items_left_;
  return from.good();
}

Reply ReplyReader::take() {
  begun_ = false;
  return std::exchange(reply_, {});
}

Result<std::optional<Reply>> ReplyReader::next() {
  return framed(dialect_) ? next_framed() : next_bare();
}

Result<std::optional<Reply>> ReplyReader::next_bare() {
  std::size_t done = 0;
  auto state = DisReader::State::good;
  while (state == DisReader::State::good && (!begun_ || items_left_ > 0)) {
    DisReader from(std::string_view(bytes_).substr(done));
    if (begun_ ? read_items(from) : read_head(from)) done += from.position();
    state = from.state();
  }
  bytes_.erase(0, done);
  if (state == DisReader::State::malformed) return garbage();
  if (state == DisReader::State::incomplete) return std::optional<Reply>();
  return std::optional(take());
}

Result<std::optional<Reply>> ReplyReader::next_framed() {
  while (true) {
    const auto packet = first_packet(bytes_);
    if (!packet) return packet.error();
    if (!*packet) return std::optional<Reply>();
    DisReader from((*packet)->payload);
    if (!read_head(from)) return garbage();
    while (items_left_ > 0)
      if (!read_items(from)) return garbage();
    if (!from.at_end()) return garbage();
    bytes_.erase(0, (*packet)->size);
    if (!more_parts_) return std::optional(take());
  }
}

Result<Dialect> dialect_of(std::string_view payload) {
  DisReader from(payload);
  for (int i = 0; i < 5; ++i) from.number();
  if (!from.good()) return garbage();
  if (from.at_end()) return Dialect::packets;
  return from.number() == 0 && from.good() && from.at_end() ? Result<Dialect>(Dialect::parts)
                                                            : Result<Dialect>(garbage());
}

}  // namespace maui::pbs
