// The reader and the writer of each node attribute.
#include <array>

#include "base/enum_names.h"
#include "rm/wiki_table.h"

namespace maui {
namespace wiki {

bool read_counted(std::string_view value, Counted& into) {
  into.clear();
  std::string text = wiki_text(value);
  for (char& c : text)
    if (c == '[' || c == ']' || c == ';') c = ',';
  for (const auto item : split(text, ',')) {
    const auto word = trimmed(item);
    if (word.empty() || same_word(word, "NONE")) continue;
    const auto mark = word.find_first_of(":+=");
    const auto count = mark == std::string_view::npos ? std::optional<int>(1)
                                                      : parse_integer<int>(word.substr(mark + 1));
    if (mark == 0 || !count || *count < 0) return false;
    into.emplace_back(word.substr(0, mark), *count);
  }
  return true;
}

std::string bracketed(const Counted& items) {
  std::string text;
  for (const auto& [name, count] : items) text += fmt::format("[{}:{}]", name, count);
  return text;
}

std::string counted_text(const Counted& items) {
  std::string text;
  for (const auto& [name, count] : items)
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", name, count);
  return text;
}

namespace {

constexpr std::string_view kNumber = "a number, 0 or more";

// Writers use the first name of a state.  A node in a state unknown to the server counts as up:
// maui itself knows what runs there.
constexpr std::array<EnumName<NodeState>, 12> kNodeStates{{
    {NodeState::idle, "Idle"},
    {NodeState::running, "Running"},
    {NodeState::busy, "Busy"},
    {NodeState::drained, "Drained"},
    {NodeState::draining, "Draining"},
    {NodeState::down, "Down"},
    {NodeState::drained, "Drain"},
    {NodeState::drained, "Reserved"},
    {NodeState::idle, "Unknown"},
    {NodeState::idle, "None"},
    {NodeState::idle, "Active"},
    {NodeState::down, "Offline"},
}};

bool state(std::string_view value, NodeReport& node) {
  const auto known = value_of<NodeState>(kNodeStates, trimmed(wiki_text(value)));
  node.node.reported = known.value_or(NodeState::down);
  return known.has_value();
}

template <std::string Node::*Member>
bool text(std::string_view value, NodeReport& node) {
  return read_text(value, node.node.*Member);
}
template <std::string Node::*Member>
std::string text_of(const NodeReport& node) {
  return wiki_escaped(node.node.*Member);
}

template <std::uint32_t What>
bool configured(std::string_view value, NodeReport& node) {
  Resources::Quantity amount = 0;
  if (!read_amount(value, amount)) return false;
  node.node.configured.set(ConsumableId(What), amount);
  return true;
}
template <std::uint32_t What>
std::string configured_of(const NodeReport& node) {
  return number_text(node.node.configured.get(ConsumableId(What)));
}

// Reads an available amount; the rest is in use, by jobs or other processes.
template <std::uint32_t What>
bool available(std::string_view value, NodeReport& node) {
  Resources::Quantity amount = 0;
  if (!read_amount(value, amount)) return false;
  const ConsumableId what(What);
  node.node.utilised.set(what, std::max(0, node.node.configured.get(what) - amount));
  return true;
}
template <std::uint32_t What>
std::string available_of(const NodeReport& node) {
  const ConsumableId what(What);
  const auto all = node.node.configured.get(what);
  return all == 0 ? std::string() : std::to_string(all - node.node.utilised.get(what));
}

bool number(std::string_view value, double& into) {
  const auto known = parse_number(wiki_text(value));
  if (!known || *known < 0) return false;
  into = *known;
  return true;
}

bool features(std::string_view value, NodeReport& node) {
  node.features = wiki_list(value);
  return true;
}

template <int Node::*Member>
bool place(std::string_view value, NodeReport& node) {
  return read_amount(value, node.node.*Member);
}
template <int Node::*Member>
std::string place_of(const NodeReport& node) {
  return node.node.*Member < 0 ? std::string() : std::to_string(node.node.*Member);
}

const Table<NodeReport>& node_table() {
  constexpr auto procs = 0, memory = 1, swap = 2, disk = 3;
  using enum Weight;
  static const Table<NodeReport> kTable({
      {"UPDATETIME"},
      {"STATE", "Idle, Running, Busy, Drained, Draining, Down or Unknown", state,
       [](const NodeReport& node) {
         return std::string(name_of<NodeState>(kNodeStates, node.node.reported));
       },
       decides},
      {"OS", {}, text<&Node::operating_system>, text_of<&Node::operating_system>},
      {"ARCH", {}, text<&Node::architecture>, text_of<&Node::architecture>},
      {"CMEMORY", kAmount, configured<memory>, configured_of<memory>, decides},
      {"AMEMORY", kAmount, available<memory>, available_of<memory>, decides},
      {"CSWAP", kAmount, configured<swap>, configured_of<swap>, decides},
      {"ASWAP", kAmount, available<swap>, available_of<swap>, decides},
      {"CDISK", kAmount, configured<disk>, configured_of<disk>, decides},
      {"ADISK", kAmount, available<disk>, available_of<disk>, decides},
      // A node without CPROC has one processor, so the writer writes 0, too.
      {"CPROC", kAmount, configured<procs>,
       [](const NodeReport& node) { return std::to_string(node.node.configured.procs()); },
       decides},
      {"APROC", kAmount, available<procs>, available_of<procs>, decides},
      {"CPULOAD", kNumber,
       [](std::string_view value, NodeReport& node) { return number(value, node.node.load); },
       [](const NodeReport& node) { return fmt::format("{:.2f}", node.node.load); }},
      {"CNET",
       {},
       [](std::string_view value, NodeReport& node) {
         node.node.networks = wiki_list(value);
         return true;
       },
       [](const NodeReport& node) { return wiki_joined(node.node.networks); }},
      {"CCLASS", "classes such as [batch:5][special:3]",
       [](std::string_view value, NodeReport& node) { return read_counted(value, node.classes); },
       [](const NodeReport& node) { return bracketed(node.classes); }, decides},
      {"CRES", kGenericResources,
       [](std::string_view value, NodeReport& node) { return read_counted(value, node.generic); },
       [](const NodeReport& node) { return counted_text(node.generic); }, decides},
      {"FEATURE", {}, features, [](const NodeReport& node) { return wiki_joined(node.features); }},
      {"FEATURES", {}, features},
      {"PARTITION",
       {},
       [](std::string_view value, NodeReport& node) { return read_text(value, node.partition); },
       [](const NodeReport& node) { return wiki_escaped(node.partition); }},
      {"SPEED", "a number from 0.01 to 100",
       [](std::string_view value, NodeReport& node) {
         double speed = 0;
         if (!number(value, speed) || speed < 0.01 || speed > 100) return false;
         node.node.speed = speed;
         return true;
       },
       [](const NodeReport& node) {
         return node.node.speed == 1.0 ? std::string() : fmt::format("{}", node.node.speed);
       }},
      {"RACK", kAmount, place<&Node::frame>, place_of<&Node::frame>},
      {"SLOT", kAmount, place<&Node::slot>, place_of<&Node::slot>},
      {"MAXTASK"},
      {"CURRENTTASK"},
      {"OSLIST"},
      {"ANET"},
      {"ACLASS"},
      {"ARES"},
      {"IDLETIME"},
      {"CAT"},
      {"EVENT"},
      {"VARIABLE"},
      {"OTHER"},
  });
  return kTable;
}

}  // namespace
}  // namespace wiki

Result<NodeReport> read_wiki_node(const WikiRecord& record, WikiNotes& notes) {
  NodeReport node;
  node.node.name = record.id;
  node.node.reported = NodeState::down;
  if (const auto status = wiki::node_table().read("node", record, node, notes); !status)
    return status.error();
  if (record.find("CPROC") == nullptr) node.node.configured.set(kProcs, 1);
  return node;
}

WikiRecord write_wiki_node(const NodeReport& node, Time updated) {
  WikiRecord record{node.node.name, {}};
  if (updated > Time(0)) record.set("UPDATETIME", std::to_string(updated.raw()));
  wiki::node_table().write(node, record);
  return record;
}

std::vector<UnusedAttribute> unused_node_attributes(const WikiRecord& record) {
  return wiki::node_table().unused_attributes(record);
}

std::vector<std::string_view> wiki_node_attributes() { return wiki::node_table().names(); }

}  // namespace maui
