#include "config/manual.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/manual_page.h"
#include "base/text.h"
#include "config/configuration.h"
#include "config/parameter_texts.h"
#include "config/parameters.h"

namespace maui {
namespace {

using config::Attribute;
using config::Parameter;

struct Chapter {
  std::string_view title;
  std::vector<Parameter> (*rows)();
};

constexpr Chapter kChapters[] = {
    {"The daemon", config::server_parameters},
    {"HTTP", config::http_parameters},
    {"The iteration, backfill and priority reservations", config::scheduling_parameters},
    {"Learned run times", config::learning_parameters},
    {"Priority", config::priority_parameters},
    {"Nodes", config::node_parameters},
    {"Jobs", config::job_parameters},
    {"Credentials", config::credential_parameters},
    {"Limits for all credentials of a kind", config::limit_parameters},
    {"Fairshare", config::fairshare_parameters},
    {"Standing reservations", config::reservation_parameters},
    {"Resource managers and allocation manager", config::resource_manager_parameters},
    {"Simulation", config::simulation_parameters},
    {"maui-private.cfg", config::private_parameters},
    {"Parameters of release 3.3 without effect", config::relic_parameters},
};

constexpr std::string_view kIntroduction =
    "# Parameters\n\nGenerated from the table in src/config by `parameters_manual()`; a test "
    "compares them.\n\nA line of maui.cfg is `NAME VALUE...`. Names are not case-sensitive. Values "
    "are, except for the words that\nthe table lists. `#` at the beginning of a word starts a "
    "comment; quotes keep blanks within a value,\nand in the name of a credential: "
    "`GROUPCFG[\"domain users\"]`.\n`NAME` without an index means `NAME[0]`, also for parameters "
    "that take no other\nindex. For weights and caps, NAME is a partition. If a parameter is given "
    "twice, the last value counts, with a "
    "warning; the attributes of an\nobject add up. `[NONE]` is the empty value. *restart*: "
    "`changeparam` is refused, and the value takes effect at\nthe next start. *no effect*: "
    "accepted, checked and shown, so that old files can be read.\n";

constexpr std::string_view kExample =
    "SERVERHOST            head\n"
    "ADMIN1                root\n"
    "RMCFG[slurm]          TYPE=SLURM\n"
    "NODEACCESSPOLICY      SHARED\n"
    "BACKFILLPOLICY        FIRSTFIT\n"
    "RESERVATIONDEPTH      4\n"
    "FSPOLICY              DEDICATEDPS\n"
    "FSUSERWEIGHT          10\n"
    "USERCFG[DEFAULT]      FSTARGET=5 MAXJOB=100";

std::vector<std::string> words_of_list(std::string_view text) {
  std::vector<std::string> found;
  for (const auto word : words(text)) found.emplace_back(word);
  return found;
}

std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    if (c == '<')
      out += "&lt;";
    else
      out += c;
  }
  return out;
}

std::string also(std::string_view aliases) {
  std::string out;
  for (const auto alias : words(aliases))
    out += fmt::format("{}`{}`", out.empty() ? "" : ", ", alias);
  return out.empty() ? out : fmt::format(" Also {}.", out);
}

std::string_view effect(bool landed) { return landed ? "" : " *no effect*"; }

std::string_view index_shown(config::Index index) {
  switch (index) {
    case config::Index::none:
      return "";
    case config::Index::numeric:
      return "[N]";
    case config::Index::name:
    case config::Index::credential:
      return "[NAME]";
    case config::Index::either:
      return "[N or NAME]";
    case config::Index::base:
      return "[base], or none";
    case config::Index::optional_name:
      return "[NAME], or none";
  }
  return "";
}

std::string line_of(const Parameter& row) {
  const auto values =
      row.attributes ? std::string("ATTRIBUTE=VALUE pairs, see below") : row.type.expected;
  const bool restart = !config::restart_reason(row.change).empty();
  return fmt::format("| `{}{}` | {} | {} | {}{}{}{} |\n", row.name, index_shown(row.index),
                     cell(values), cell(row.fallback), cell(row.help), also(row.aliases),
                     restart ? " *restart*" : "", effect(row.landed == config::Landed::yes));
}

std::string attributes_of(const Parameter& row) {
  auto out = fmt::format("\n### Attributes of {}\n\n| attribute | values | meaning |\n|--|--|--|\n",
                         row.name);
  for (const Attribute& attribute : *row.attributes)
    out +=
        fmt::format("| `{}{}` | {} | {}{}{} |\n", attribute.name,
                    attribute.takes_credential ? "[CREDENTIAL]" : "", cell(attribute.type.expected),
                    cell(attribute.help), also(attribute.aliases), effect(attribute.landed));
  return out;
}

// Adds the details of a parameter to a manual page, after its meaning.
void add_details(ManualPage& page, const Parameter& row) {
  if (row.attributes == nullptr)
    page.more(fmt::format("Values: {}. Default: {}.", row.type.expected,
                          row.fallback.empty() ? "none" : row.fallback));
  if (const auto unit = config::unit_of(row); !unit.empty())
    page.more(fmt::format("Unit: {}.", unit));
  if (!row.aliases.empty())
    page.more(fmt::format("Other names: {}.", join(words_of_list(row.aliases), ", ")));
  page.more(config::effect_of(row));
  if (const auto example = config::example_of(row); !example.empty())
    page.more("Example: " + example);
}

bool same_attributes(const std::vector<Attribute>& a, const std::vector<Attribute>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.name == y.name && x.type.expected == y.type.expected && x.help == y.help;
  });
}

/// Adds the attributes of a chapter's objects; attributes that several objects share appear once.
void add_attributes(ManualPage& page, const std::vector<Parameter>& rows) {
  std::vector<const Parameter*> shown;
  for (const auto& row : rows) {
    if (row.attributes == nullptr) continue;
    const auto like = std::find_if(shown.begin(), shown.end(), [&](const Parameter* other) {
      return same_attributes(*other->attributes, *row.attributes);
    });
    page.subsection(fmt::format("Attributes of {}", row.name));
    if (like != shown.end()) {
      page.text(fmt::format("Those of {}.", (*like)->name));
      continue;
    }
    shown.push_back(&row);
    page.text(
        fmt::format("ATTRIBUTE=VALUE pairs after {}{}, on one line or on several. Unless a default "
                    "is given, attributes that are not set limit and change nothing. {}",
                    row.name, index_shown(row.index), config::effect_of(row)));
    for (const Attribute& attribute : *row.attributes) {
      page.item(
          fmt::format("{}{}", attribute.name, attribute.takes_credential ? "[CREDENTIAL]" : ""),
          attribute.help);
      const auto fallback = config::default_of(row, attribute);
      page.more(fmt::format("Values: {}.{}{}", attribute.type.expected,
                            fallback.empty() ? "" : fmt::format(" Default: {}.", fallback),
                            attribute.landed ? "" : " It has no effect."));
      if (const auto unit = config::unit_of(attribute); !unit.empty())
        page.more(fmt::format("Unit: {}.", unit));
      if (attribute.at_runtime && !config::restart_reason(row.change).empty())
        page.more("Takes effect at once, with changeparam or when maui.cfg is read again.");
      if (const auto example = config::example_of(row, attribute); !example.empty())
        page.more("Example: " + example);
    }
  }
}

}  // namespace

std::string parameters_manual_page(std::string_view version) {
  ManualPage page(
      "maui.cfg", 5, version,
      "configuration of the maui scheduler: priority, fairshare, limits, reservations, backfill");
  page.section("DESCRIPTION")
      .text(
          "A line is NAME VALUE... or NAME[INDEX] VALUE...; NAME without an index means NAME[0]. "
          "Names are not case-sensitive. # at the beginning of a word starts a comment; quotes "
          "keep blanks within a value, and in the name of a credential, as in GROUPCFG[\"domain "
          "users\"]; [NONE] is the empty value. If a parameter is given twice, the last value "
          "counts; the attributes of an object add up.")
      .text(
          "changeparam(1) changes a parameter of the running scheduler; those that take effect at "
          "the next start are refused there. Those without effect are accepted, checked and shown, "
          "so that old files can be read. maui --check-config reports the errors in a file.")
      .section("FORMS OF VALUES")
      .item("times", "[[[DD:]HH:]MM:]SS: 90, 1:30, 2:00:00, 1:00:00:00; INFINITY.")
      .item(
          "sizes",
          "Bytes (LOGFILEMAXSIZE): a number; K, M, G and T stand for powers of 1024. Memory, swap "
          "and disk are whole numbers of megabytes.")
      .item("limits", "HARD, or SOFT,HARD: 10,20.")
      .item("switches", "TRUE or FALSE; also ON, OFF, YES, NO, 1, 0.")
      .section("PARAMETERS");
  for (const auto& chapter : kChapters) {
    page.subsection(chapter.title);
    const auto rows = chapter.rows();
    for (const auto& row : rows) {
      page.item(fmt::format("{}{}", row.name, index_shown(row.index)), row.help);
      add_details(page, row);
    }
    add_attributes(page, rows);
  }
  page.section("FILES")
      .item("maui.cfg", places_of_configuration())
      .item("maui-private.cfg",
            "In the same directory, readable only by its owner: the secret and the keys.");
  page.section("EXAMPLES")
      .text("A scheduler for Slurm, with backfill, fairshare and a limit for every user:")
      .example(kExample);
  return page.section("SEE ALSO").text("maui(8), showconfig(1), changeparam(1), schedctl(1)").str();
}

std::string parameters_manual() {
  std::string out(kIntroduction);
  for (const auto& chapter : kChapters) {
    const auto rows = chapter.rows();
    out += fmt::format("\n## {}\n\n| parameter | values | default | meaning |\n|--|--|--|--|\n",
                       chapter.title);
    for (const auto& row : rows) out += line_of(row);
    const std::vector<Attribute>* before = nullptr;
    for (const auto& row : rows) {
      if (row.attributes && row.attributes != before) out += attributes_of(row);
      before = row.attributes;
    }
  }
  return out;
}

}  // namespace maui
