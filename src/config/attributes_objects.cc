// Attributes of NODECFG, RMCFG, AMCFG and CLIENTCFG (guide 7.1.5, 12.2, 13.2), and values that both
// attributes and parameters take.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/limit_flag.h"
#include "base/program_url.h"
#include "base/resource_names.h"
#include "config/apply.h"
#include "config/attributes.h"
#include "config/names.h"

namespace maui::config {
namespace {

constexpr std::string_view kFlags =
    "ADVRES DEDICATED NOBF NORESERVATION PREEMPTEE PREEMPTOR RESERVEALWAYS RESTARTABLE "
    "RESTARTPREEMPT SPAN USERESERVED|USERRESERVED IGNSYSMAXPROC IGNSYSMAXTIME IGNSYSMAXPS "
    "IGNSRMAXTIME IGNUSER IGNGROUP IGNACCOUNT IGNSYSTEM IGNALL";

Result<std::string> canonical_flag(const std::string& word) {
  if (const auto* flag = find_limit_flag(word)) return flag->name;
  auto flag = choice(kFlags).canonical({word});
  if (!flag) return flag.error();
  return flag->front();
}

// USERESERVED may be followed by a colon and the name of a reservation.  A colon also separates
// flags, so any word after USERESERVED that is not a flag belongs to it.
Result<Words> canonical_flags(const Words& value) {
  const auto parts = list("", " :,|").canonical(value);
  Words found;
  for (const auto& part : *parts) {
    auto flag = canonical_flag(part);
    if (flag) {
      if (std::find(found.begin(), found.end(), *flag) == found.end())
        found.push_back(*std::move(flag));
    } else if (!found.empty() && found.back() == "USERESERVED") {
      found.back() += ":" + part;
    } else {
      return flag.error();
    }
  }
  return found;
}

// Parses PROCS=1;MEM=512, also with colons for equals signs and commas for semicolons; PROCS=-1
// stands for all of a node.
Result<std::string> resources_word(std::string_view word) {
  std::string out;
  std::string text(word);
  std::replace(text.begin(), text.end(), ',', ';');
  for (const auto part : split(text, ';')) {
    if (part.empty()) continue;
    const auto at = part.find_first_of("=:");
    if (at == std::string_view::npos) return Error{fmt::format("'{}' has no value", part)};
    auto name = choice("PROCS|PROC MEM SWAP DISK").canonical({std::string(part.substr(0, at))});
    if (!name) return name.error();
    auto amount = integer(-1).canonical({std::string(part.substr(at + 1))});
    if (!amount) return amount.error();
    out += (out.empty() ? "" : ";") + name->front() + "=" + amount->front();
  }
  if (out.empty()) return Error{"no resource"};
  return out;
}

template <class Get>
auto into_node(Get get) {
  return [get](Settings& settings, const std::string& index, const Words& value) {
    assign(get(settings.nodes[index]), value);
  };
}

void set_access(Settings& settings, const std::string& index, const Words& value) {
  settings.nodes[index].access =
      value_of(std::span<const EnumName<NodeAccess>>(kNodeAccessNames), value.at(0));
}

ValueType priority_function() {
  return {"an expression, such as PRIORITY+10*SPEED-LOAD", [](const Words& words) -> Result<Words> {
            const auto text = join(words, " ");
            if (is_none(text)) return Words{};
            if (auto parsed = parse_priority_function(text); !parsed) return parsed.error();
            return Words{text};
          }};
}

void set_priority_function(Settings& settings, const std::string& index, const Words& value) {
  if (value.empty()) return;
  if (auto parsed = parse_priority_function(value.front()))
    settings.nodes[index].priority_function = std::move(parsed).value();
}

// Parses NAME:COUNT; the count is 1 if omitted.
Result<std::string> generic_word(std::string_view word) {
  const auto colon = word.find(':');
  const auto name = word.substr(0, colon);
  const auto count = colon == std::string_view::npos ? std::optional<int>(1)
                                                     : parse_integer<int>(word.substr(colon + 1));
  if (name.empty() || is_elementary_name(name) || !count || *count < 0)
    return Error{fmt::format("invalid generic resource '{}': expected NAME:COUNT, a count up to {}",
                             word, std::numeric_limits<int>::max())};
  return fmt::format("{}:{}", name, *count);
}

ValueType generic_resources() {
  return {"NAME:COUNT pairs of generic resources, separated by commas",
          [](const Words& value) -> Result<Words> {
            auto all = list("", " ,").canonical(value);
            if (!all) return all;
            for (auto& word : *all) {
              auto resource = generic_word(word);
              if (!resource) return resource.error();
              word = *std::move(resource);
            }
            return all;
          }};
}

ValueType one_partition() {
  auto type = text("one partition; CLASSES names several classes that a node serves");
  type.canonical = [word = type.canonical](const Words& value) -> Result<Words> {
    if (value.size() == 1 && value.front().find_first_of(":,") != std::string::npos)
      return Error{fmt::format("invalid partition '{}'", value.front())};
    return word(value);
  };
  return type;
}

std::vector<Attribute> attributes_of_nodes() {
  return {
      {"ACCESS", "", choice(kNodeAccessNames), true, "Which jobs may share the node.", set_access},
      {"MAXJOB", "", integer(0), true, "Most jobs that may run on the node.",
       into_node([](NodeSettings & n) -> auto& { return n.max_jobs; })},
      {"MAXJOBPERUSER", "", integer(0), true, "Most jobs of one user that may run on the node.",
       into_node([](NodeSettings & n) -> auto& { return n.max_jobs_per_user; })},
      {"MAXLOAD", "", number(), true, "Load above which the node counts as busy.",
       into_node([](NodeSettings & n) -> auto& { return n.max_load; })},
      {"SPEED", "", number(0.01, 100), true, "Speed of the node relative to other nodes.",
       into_node([](NodeSettings & n) -> auto& { return n.speed; })},
      {"PROCSPEED", "", integer(0), true, "Speed of its processors, in MHz.",
       into_node([](NodeSettings & n) -> auto& { return n.proc_speed; })},
      {"FRAME", "", integer(1, 64), true, "Frame of the node.",
       into_node([](NodeSettings & n) -> auto& { return n.frame; })},
      {"SLOT", "", integer(1, 32), true, "Slot of the node in its frame.",
       into_node([](NodeSettings & n) -> auto& { return n.slot; })},
      {"PARTITION", "", one_partition(), true, "Partition of the node.",
       into_node([](NodeSettings & n) -> auto& { return n.partition; })},
      {"CLASSES", "", list("names of classes", " ,:"), true,
       "Classes that the node serves if its resource manager reports none. A job reported without "
       "a class, but with a partition that has the name of a class, belongs to that class.",
       into_node([](NodeSettings & n) -> auto& { return n.classes; })},
      {"NODETYPE", "", text("a type"), true, "Type of the node, for the allocation manager.",
       into_node([](NodeSettings & n) -> auto& { return n.type; })},
      {"FEATURES", "", list("names of features", " ,:"), true, "Features of the node.",
       into_node([](NodeSettings & n) -> auto& { return n.features; })},
      {"GRES", "", generic_resources(), true, "Generic resources of the node, such as tape drives.",
       into_node([](NodeSettings & n) -> auto& { return n.generic; })},
      {"PRIORITY", "", integer(), true,
       "Priority of the node with NODEALLOCATIONPOLICY MACHINEPRIO.",
       into_node([](NodeSettings & n) -> auto& { return n.priority; })},
      {"PRIORITYF", "", priority_function(), true,
       "Expression by which MACHINEPRIO ranks the node; PRIORITY by default.",
       set_priority_function},
  };
}

}  // namespace

ValueType qos_flags() {
  auto type = choices(kFlags);
  type.expected +=
      ", IGNMAX<LIMIT> (of every credential) or IGN<LIMIT>PER<CREDENTIAL>, where LIMIT is JOB, "
      "PROC, PS, PE, WC, NODE or MEM, followed by QUEUED for idle jobs";
  type.canonical = canonical_flags;
  return type;
}

ValueType weekdays() {
  return some(
      choices("Mon|Monday Tue|Tuesday Wed|Wednesday Thu|Thursday Fri|Friday Sat|Saturday "
              "Sun|Sunday [ALL]|ALL"));
}

ValueType reservation_flags() {
  return choices(
      "SINGLEUSE BYNAME PREEMPTEE SLIDEFORWARD FORCE OWNERPREEMPT TIMEFLEX SPACEFLEX BESTEFFORT");
}

ValueType task_resources() {
  return custom("RESOURCE=AMOUNT pairs separated by semicolons, such as PROCS=1;MEM=512",
                resources_word);
}

ValueType resource_manager_type() {
  return custom(
      "LL, PBS, WIKI, SLURM, SSS or NATIVE, with a subtype as in LL:RMS",
      [](std::string_view word) -> Result<std::string> {
        const auto parts = split(word, ':');
        auto kind =
            choice("LL|LL2 PBS WIKI SLURM SSS NATIVE").canonical({std::string(parts.front())});
        if (!kind) return kind.error();
        if (parts.size() == 1) return kind->front();
        auto subtype = choice("RMS SLURM").canonical({std::string(parts[1])});
        if (!subtype || parts.size() > 2)
          return Error{fmt::format("unknown subtype '{}'", word.substr(word.find(':') + 1))};
        return kind->front() + ":" + subtype->front();
      });
}

const std::vector<Attribute>& node_attributes() {
  static const auto kRows = attributes_of_nodes();
  return kRows;
}

namespace {

/// Accepts "exec://PROGRAM"; for a request that is answered with text, also "file://PATH".
ValueType source_of(const NativeRequest& request) {
  const bool reports = std::string_view(request.request).starts_with("GET");
  return custom(
      reports ? "exec://PROGRAM or file://PATH" : "exec://PROGRAM",
      [reports](std::string_view word) -> Result<std::string> {
        const auto url = parse_program_url(word);
        if (!url) return url.error();
        if (url->is_file && !reports)
          return Error{fmt::format("'{}' is a file, but this attribute needs a program", word)};
        return std::string(word);
      });
}

std::vector<Attribute> with_native_urls(std::vector<Attribute> rows) {
  for (const NativeRequest& row : kNativeRequests)
    rows.push_back(
        {row.attribute, "", source_of(row), true, row.help,
         [request = row.request](Settings& settings, const std::string& index, const Words& value) {
           assign(settings.resource_managers[index].urls[request], value);
         }});
  return rows;
}

/// The types of resource managers stay as they were at the start.
std::vector<Attribute> all_but_type_at_runtime(std::vector<Attribute> rows) {
  for (Attribute& row : rows) row.at_runtime = row.name != "TYPE";
  return rows;
}

template <auto Member>
auto manager_attribute() {
  return [](Settings& settings, const std::string& index, const Words& value) {
    assign(settings.resource_managers[index].*Member, value);
  };
}

}  // namespace

const std::vector<Attribute>& resource_manager_attributes() {
  using M = ResourceManagerSettings;
  static const std::vector<Attribute> kRows = all_but_type_at_runtime(with_native_urls({
      {"TYPE", "", resource_manager_type(), true, "Type of the resource manager.",
       manager_attribute<&M::type>()},
      {"SUBTYPE", "", choice("TORQUE OPENPBS"), true, "Kind of PBS server; detected by default.",
       manager_attribute<&M::subtype>()},
      {"FLAGS", "", choices("COMMENT"), true,
       "COMMENT: the scheduler sets the comment of a waiting job to its planned start or to the "
       "reason of its hold (PBS).",
       [](Settings& settings, const std::string& index, const Words& value) {
         settings.resource_managers[index].comments = !value.empty();
       }},
      {"HOST", "SERVER", text("a host name"), true, "Host of the resource manager.",
       manager_attribute<&M::host>()},
      {"PORT", "", integer(0, 65535), true, "Port of the resource manager.",
       manager_attribute<&M::port>()},
      {"NMPORT", "", integer(0, 65535), false,
       "Port of the node managers of PBS, which this scheduler does not query."},
      {"EPORT", "", integer(0, 65535), true, "Port at which the scheduler listens for its events.",
       manager_attribute<&M::event_port>()},
      {"TIMEOUT", "", duration(), true, "How long it may take to answer.",
       manager_attribute<&M::timeout>()},
      {"POLLINTERVAL", "", duration(), true, "Time between two queries.",
       manager_attribute<&M::poll_interval>()},
      {"AUTHTYPE", "", choice("CHECKSUM PKI SECUREPORT TRQAUTHD MUNGE NONE"), true,
       "How messages are secured; with PBS, how the scheduler authenticates to the server.",
       manager_attribute<&M::auth>()},
      {"CONFIGFILE", "", text("a file name"), false,
       "Configuration file of LoadLeveler, which this scheduler does not support."},
      {"INITIALIZE", "", boolean(), true,
       "Whether the scheduler tells it where to send events (WIKI).",
       manager_attribute<&M::introduce>()},
      {"UPDATES", "", choice("ALL CHANGES"), true,
       "What the scheduler requests at each poll: everything, or only the changes since the last "
       "poll (WIKI).",
       [](Settings& settings, const std::string& index, const Words& value) {
         settings.resource_managers[index].changes = value.at(0) == "CHANGES";
       }},
  }));
  return kRows;
}

const std::vector<Attribute>& client_attributes() {
  static const std::vector<Attribute> kRows{
      {"KEY", "", text("a key"), true, "The shared key.", {}, false, {}, false, File::secret},
      {"AUTH",
       "",
       text("a role, such as admin1"),
       false,
       "Role of the peer: a resource manager may give no commands, and the roles of people are set "
       "by ADMIN1 to ADMIN3.",
       {},
       false,
       {},
       false,
       File::secret},
      {"AUTHTYPE",
       "",
       some(choices("CHECKSUM MUNGE SECUREPORT", ',')),
       true,
       "How users of a host are authenticated, with CLIENTCFG[DEFAULT] those of every other host: "
       "CHECKSUM, by the shared secret; MUNGE, by a MUNGE credential; SECUREPORT, by a "
       "connection from a port below 1024. In maui.cfg. CHECKSUM alone by default.",
       {},
       false,
       {},
       true},
      {"MUNGESOCKET",
       "",
       text("a file name"),
       true,
       "Socket of munged on that host, if it is not the default socket. In maui.cfg.",
       {},
       false,
       {},
       true},
  };
  return kRows;
}

}  // namespace maui::config
