// The words of JOBATTRIBUTEPROGRAM about jobs: resource manager extensions that count as if the
// user had written them.
#pragma once
#include <string>
#include <unordered_map>
#include <utility>

namespace maui {

struct SiteWords {
  /// The words that the request of a job includes, by its name.  Jobs without words are missing.
  using ByJob = std::unordered_map<std::string, std::string>;
  ByJob known;
  ByJob arriving;  // of jobs that are reported, but not known yet; another may have the name

  /// Returns the words that the request of a known job includes; empty: none.
  const std::string& of(const std::string& job) const {
    static const std::string none;
    const auto at = known.find(job);
    return at == known.end() ? none : at->second;
  }
  /// Makes the words of an arriving job those of the job, which is now known.
  void note_arrival(const std::string& job) {
    if (arriving.empty()) return;
    if (auto arrived = arriving.extract(job); !arrived.empty())
      known[job] = std::move(arrived.mapped());
  }
};

}  // namespace maui
