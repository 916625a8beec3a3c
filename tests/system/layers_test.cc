// Reads the #include lines of the project: a layer may use only those below it, and so may a room
// of sched (docs/architecture.md); a library is used only where it belongs; and no parts include
// each other in a circle.  No class is a friend of another one.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

// Folders whose files a folder's own may include.
const std::map<std::string, Names> kMayUse = {
    {"include/maui", {}},
    {"src/base", {"maui"}},
    {"src/net", {"maui", "base"}},
    {"src/programs", {"maui", "base"}},
    {"src/model", {"maui", "base"}},
    {"src/config", {"maui", "base"}},
    {"src/migrate", {"maui", "base", "config"}},
    {"src/learning", {"maui", "base", "model"}},
    {"src/sched", {"maui", "base", "model"}},
    {"src/sim", {"maui", "base", "model"}},
    {"src/engine", {"maui", "base", "model", "learning", "sched"}},
    {"src/history", {"maui", "base", "model", "learning", "sched", "sim", "engine"}},
    {"src/replay", {"maui", "base", "model", "engine", "sim"}},
    {"src/compare",
     {"maui", "base", "model", "config", "learning", "sched", "sim", "engine", "history", "replay",
      "programs", "proto"}},
    {"src/profiler",
     {"maui", "base", "config", "sim", "engine", "history", "proto", "render", "compare"}},
    {"src/proto", {"maui", "base"}},
    {"src/munge", {"maui", "proto"}},
    {"src/bank", {"maui", "base", "net"}},
    {"src/rm", {"maui", "base", "model", "net", "proto"}},
    {"src/native", {"maui", "base", "rm", "programs"}},
    {"src/pbs", {"maui", "base", "model", "rm", "programs"}},
    {"src/slurm", {"maui", "base", "model", "proto", "rm"}},
    {"src/libslurm", {"maui", "slurm"}},
    {"src/render", {"maui", "base", "proto"}},
    {"src/cmd",
     {"maui", "base", "model", "config", "learning", "sched", "sim", "engine", "history", "proto"}},
    {"src/http", {"maui", "base", "proto"}},
    {"src/metrics", {"maui", "base", "model", "learning", "sched", "engine", "proto"}},
    {"src/page", {"maui", "base"}},
    {"src/daemon", {"maui",    "base",     "model",   "config",   "learning", "sched",  "sim",
                    "engine",  "proto",    "bank",    "programs", "rm",       "native", "net",
                    "pbs",     "render",   "cmd",     "http",     "metrics",  "page",   "replay",
                    "compare", "profiler", "history", "migrate"}},
    {"src/local_rm", {"maui", "base", "net", "proto", "rm"}},
    {"src", {"maui", "base", "daemon", "slurm", "libslurm", "local_rm", "munge", "proto", "rm"}},
    {"clients", {"maui", "base", "config", "munge", "proto", "render"}},
};

// Where a library may be included; what is not listed may be everywhere.
const std::map<std::string, Names> kLibraryIn = {
    {"boost/asio",
     {"src", "src/bank", "src/daemon", "src/local_rm", "src/native", "src/net", "src/pbs",
      "src/programs", "src/rm", "src/slurm", "clients"}},
    {"boost/beast", {"src/http"}},
    {"prometheus/", {"src/metrics"}},
    {"spdlog/", {"src/daemon"}},
    {"openssl/", {"src/proto"}},
    {"nlohmann/", {"src/base"}},  // with checked integers: base/json.h
    {"slurm/slurm", {"src/libslurm"}},
    {"munge.h", {"src/munge"}},
    {"sqlite3.h", {"src/history"}},
    {"zlib.h", {"src/sim", "src/history"}},
    {"sys/socket.h", {"src/daemon", "src/programs", "clients"}},
};

// Clocks, files, streams and chance have no place where decisions are made.
const Names kPure = {"src/base", "src/model", "src/learning", "src/sched", "include/maui"};
const Names kImpure = {"iostream", "fstream", "cstdio", "random", "thread", "sys/time.h"};

// The rooms of sched, and what each may use besides itself.  The steps of a cycle, at the top, are
// used by query alone.
const std::map<std::string, Names> kRoomMayUse = {
    {"rules", {}},
    {"placement", {"rules"}},
    {"availability", {"rules", "placement"}},
    {"reservations", {"rules", "placement", "availability"}},
    {"limits", {"rules", "placement", "availability"}},
    {"priority", {"rules", "placement", "reservations", "limits"}},
    {"", {"rules", "placement", "availability", "reservations", "limits", "priority"}},
    {"query", {"", "rules", "placement", "availability", "reservations", "limits", "priority"}},
};

struct Include {
  std::string file, folder, target;
  bool quoted = false;
};

std::vector<Include> includes_in(std::istream& text, const std::string& file,
                                 const std::string& folder) {
  std::vector<Include> found;
  for (std::string line; std::getline(text, line);) {
    const auto at = line.find_first_not_of(" \t");
    if (at == line.npos || line[at] != '#') continue;
    const auto word = line.find_first_not_of(" \t", at + 1);
    if (word == line.npos || line.compare(word, 7, "include") != 0) continue;
    const auto begin = line.find_first_of("<\"", word);
    if (begin == line.npos) continue;
    const auto end = line.find_first_of(">\"", begin + 1);
    found.push_back({file, folder, line.substr(begin + 1, end - begin - 1), line[begin] == '"'});
  }
  return found;
}

/// The row of kMayUse that a path belongs to: the longest that it begins with.
std::string folder_of(const std::string& path) {
  std::string best;
  for (const auto& [folder, uses] : kMayUse)
    if (path.starts_with(folder + "/") && folder.size() > best.size()) best = folder;
  // A file in src itself is the program; a folder of src without a row is an unknown layer.
  if (best == "src" && path.find('/', 4) != path.npos) return {};
  return best;
}

std::string objection(const Include& include) {
  const auto& [file, folder, target, quoted] = include;
  if (folder.empty()) return file + " is in a folder without a row in this test";
  const auto slash = target.find('/');
  if (quoted && slash != target.npos) {
    const auto layer = target.substr(0, slash);
    const bool own = folder.ends_with("/" + layer);
    if (!own && !kMayUse.at(folder).contains(layer))
      return file + " includes \"" + target + "\": " + folder + " may not use " + layer;
  }
  for (const auto& [library, folders] : kLibraryIn)
    if (!quoted && target.starts_with(library) && !folders.contains(folder))
      return file + " includes <" + target + ">, which has no place in " + folder;
  if (!quoted && kPure.contains(folder) && kImpure.contains(target))
    return file + " includes <" + target + ">, but " + folder + " decides and does nothing else";
  return {};
}

/// Calls visit(path, text) for each source file; the path begins at the root.
template <class Visit>
void each_source(const Visit& visit) {
  const fs::path root = MAUI_SOURCE;
  for (const char* top : {"include", "src", "clients"})
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      if (entry.path().extension() != ".cc" && entry.path().extension() != ".h") continue;
      std::ifstream text(entry.path());
      visit(fs::relative(entry.path(), root).generic_string(), text);
    }
}

std::vector<Include> includes_of_project() {
  std::vector<Include> all;
  each_source([&](const std::string& path, std::istream& text) {
    const auto found = includes_in(text, path, folder_of(path));
    all.insert(all.end(), found.begin(), found.end());
  });
  return all;
}

/// The room of sched that a file is in; empty for those at the top.
std::string room_of(std::string path) {
  path = path.substr(path.find("sched/") + 6);
  const auto slash = path.find('/');
  return slash == path.npos ? std::string() : path.substr(0, slash);
}

/// A part is a header and the file of its name.
std::string part_of(std::string path) {
  for (const char* top : {"src/", "include/"})
    if (path.starts_with(top)) path = path.substr(std::string(top).size());
  return path.substr(0, path.rfind('.'));
}

using Graph = std::map<std::string, Names>;

/// The parts on a way from `part` back to itself, or nothing.
std::string circle(const Graph& uses, const std::string& part) {
  std::map<std::string, std::string> from;  // how each was reached
  std::vector<std::string> reached{part};
  while (!reached.empty()) {
    const auto at = reached.back();
    reached.pop_back();
    const auto used = uses.find(at);
    if (used == uses.end()) continue;
    for (const auto& next : used->second) {
      if (!from.emplace(next, at).second) continue;
      if (next != part) {
        reached.push_back(next);
        continue;
      }
      std::string way = part;
      for (auto back = at; back != part; back = from.at(back)) way = back + " > " + way;
      return part + " > " + way;
    }
  }
  return {};
}

std::string objection_to(const std::string& path, const std::string& line) {
  std::istringstream text(line);
  const auto found = includes_in(text, path, folder_of(path));
  return found.empty() ? "no #include" : objection(found.front());
}

TEST(LayersTest, NoFileIncludesWhatItsLayerMayNotUse) {
  const auto all = includes_of_project();
  Names folders;
  for (const auto& include : all) {
    folders.insert(include.folder);
    EXPECT_EQ(objection(include), "");
  }
  for (const auto& [folder, uses] : kMayUse) EXPECT_TRUE(folders.contains(folder)) << folder;
}

TEST(LayersTest, ALayerMayUseItselfAndThoseBelowIt) {
  EXPECT_EQ(objection_to("src/sched/a.cc", "#include \"sched/b.h\""), "");
  EXPECT_EQ(objection_to("src/sched/a.cc", "#include \"maui/job.h\""), "");
  EXPECT_EQ(objection_to("src/daemon/a.cc", "#include <boost/asio.hpp>"), "");
}

TEST(LayersTest, AnArrowUpwardsIsFound) {
  EXPECT_NE(objection_to("src/sched/a.cc", "#include \"engine/engine.h\""), "");
  EXPECT_NE(objection_to("src/sched/a.cc", "  #  include \"sim/swf.h\""), "");
  EXPECT_NE(objection_to("clients/a.cc", "#include \"sched/cycle.h\""), "");
  EXPECT_NE(objection_to("include/maui/a.h", "#include \"base/text.h\""), "");
  EXPECT_NE(objection_to("src/maui.cc", "#include \"cmd/execute.h\""), "");
}

TEST(LayersTest, ARoomOfSchedUsesThoseBelowIt) {
  Names rooms;
  for (const auto& include : includes_of_project()) {
    if (include.folder != "src/sched" || !include.target.starts_with("sched/")) continue;
    const auto room = room_of(include.file), used = room_of(include.target);
    rooms.insert(room);
    ASSERT_TRUE(kRoomMayUse.contains(room)) << include.file << " is in a room without a row";
    EXPECT_TRUE(used == room || kRoomMayUse.at(room).contains(used))
        << include.file << " includes \"" << include.target << "\"";
  }
  EXPECT_EQ(rooms.size(), kRoomMayUse.size());
}

TEST(LayersTest, NoPartsIncludeEachOtherInACircle) {
  Graph uses;
  for (const auto& include : includes_of_project()) {
    if (!include.quoted || !include.target.ends_with(".h")) continue;
    const auto user = part_of(include.file), used = part_of(include.target);
    if (user != used) uses[user].insert(used);
  }
  EXPECT_GT(uses.size(), 300U);
  for (const auto& [part, used] : uses) EXPECT_EQ(circle(uses, part), "");
}

TEST(LayersTest, ACircleIsFound) {
  const Graph uses = {{"a", {"b"}}, {"b", {"c", "d"}}, {"c", {"a"}}, {"d", {}}};
  EXPECT_EQ(circle(uses, "a"), "a > b > c > a");
  EXPECT_EQ(circle(uses, "d"), "");
}

TEST(LayersTest, ALibraryOutOfItsPlaceIsFound) {
  EXPECT_NE(objection_to("src/engine/a.cc", "#include <spdlog/spdlog.h>"), "");
  EXPECT_NE(objection_to("src/sched/a.h", "#include <fstream>"), "");
}

TEST(LayersTest, NoClassIsAFriend) {
  std::size_t files = 0;
  each_source([&](const std::string& path, std::istream& text) {
    ++files;
    for (std::string line; std::getline(text, line);)
      EXPECT_TRUE(line.find("friend class ") == line.npos &&
                  line.find("friend struct ") == line.npos)
          << path << ": " << line;
  });
  EXPECT_GT(files, 300U);
}

TEST(LayersTest, ANewFolderNeedsARow) {
  EXPECT_NE(objection_to("src/newlayer/a.cc", "#include <string>"), "");
}

}  // namespace
