#include "rm/wiki_job_hosts.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/host_range.h"
#include "rm/wiki_record.h"

namespace maui {
namespace wiki {
namespace {

std::optional<std::vector<std::string>> hosts_listed(const std::string& text, const WikiJob& job) {
  if (count_host_list(text, ':') > job.most_hosts) return std::nullopt;
  return parse_host_list(text, ':');
}

}  // namespace

bool host_list(std::string_view value, WikiJob& job) {
  auto text = wiki_text(value);
  if (text.ends_with('^') || text.ends_with('*')) {
    job.host_mark = text.substr(text.size() - 1);
    text.pop_back();
  }
  std::replace(text.begin(), text.end(), ',', ':');
  if (text.empty()) return true;
  auto hosts = hosts_listed(text, job);
  if (!hosts) return false;
  job.report.host_list = *std::move(hosts);
  return true;
}
/// Writes ranges, because each of many jobs may name nearly all nodes.
std::string host_list_of(const WikiJob& job) {
  if (job.shared_hosts) return job.shared_hosts->listed;
  return job.report.host_list.empty()
             ? std::string()
             : wiki_joined(compress_hosts(job.report.host_list)) + job.host_mark;
}

bool exclude(std::string_view value, WikiJob& job) {
  auto text = wiki_text(value);
  std::replace(text.begin(), text.end(), ',', ':');
  if (text.empty()) return true;
  auto hosts = hosts_listed(text, job);
  if (hosts) job.report.excluded_hosts = *std::move(hosts);
  return hosts.has_value();
}

std::string excluded_of(const WikiJob& job) {
  if (job.shared_hosts) return job.shared_hosts->excluded;
  return wiki_joined(compress_hosts(job.report.excluded_hosts));
}

}  // namespace wiki

WrittenHosts written_hosts(const WikiJob& job) {
  return {wiki::host_list_of(job), wiki::excluded_of(job)};
}

}  // namespace maui
