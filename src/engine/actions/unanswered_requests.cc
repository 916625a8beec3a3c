#include "engine/actions/unanswered_requests.h"

#include <algorithm>
#include <iterator>

namespace maui {
namespace {

bool is_about_suspension(RequestKind kind) {
  return kind == RequestKind::suspend || kind == RequestKind::resume;
}

bool is_alike(RequestKind a, RequestKind b) {
  return a == b || (is_about_run(a) && is_about_run(b));
}

template <class Predicate>
std::optional<LastingRequest> last_that(const std::vector<LastingRequest>& requests,
                                        Predicate is_it) {
  const auto last = std::find_if(requests.rbegin(), requests.rend(), is_it);
  return last == requests.rend() ? std::nullopt : std::optional(*last);
}

}  // namespace

std::optional<Time> lost_request_for(JobState state, const std::vector<LastingRequest>& requests) {
  const auto lost = last_that(requests, [state](const LastingRequest& request) {
    const bool explains = state == JobState::suspended
                              ? is_about_suspension(request.kind)
                              : state == JobState::idle && ends_run(request.kind);
    return request.lost && explains;
  });
  return lost ? std::optional(lost->asked) : std::nullopt;
}

std::optional<Time> lost_suspension(const std::vector<LastingRequest>& requests) {
  const auto last = last_suspension_or_resumption(requests);
  const bool lost = last && last->lost && last->kind == RequestKind::suspend;
  return lost ? std::optional(last->asked) : std::nullopt;
}

std::optional<LastingRequest> last_suspension_or_resumption(
    const std::vector<LastingRequest>& requests) {
  return last_that(requests,
                   [](const LastingRequest& request) { return is_about_suspension(request.kind); });
}

UnansweredRequests::Entry* UnansweredRequests::find(const RunKey& run, std::uint64_t number) {
  const auto at = all_.find(run.arrival);
  if (at == all_.end()) return nullptr;
  const auto entry = std::find_if(at->second.begin(), at->second.end(),
                                  [number](const Entry& other) { return other.number == number; });
  return entry == at->second.end() ? nullptr : &*entry;
}

std::uint64_t UnansweredRequests::asked(const RunKey& run, const LastingRequest& request) {
  auto& all = all_[run.arrival];
  std::erase_if(all, [&request](const Entry& other) {
    return other.number == kRestored && !request.own && is_alike(other.request.kind, request.kind);
  });
  all.push_back({run, request, ++last_});
  return last_;
}

bool UnansweredRequests::waits(const RunKey& run, std::uint64_t number) {
  Entry* const entry = find(run, number);
  if (entry != nullptr) entry->waits = true;
  return entry != nullptr;
}

bool UnansweredRequests::answered(const RunKey& run, std::uint64_t number) {
  const Entry* const entry = find(run, number);
  if (entry == nullptr) return false;
  const bool waited = entry->waits;
  const auto at = all_.find(run.arrival);
  std::erase_if(at->second, [number](const Entry& other) { return other.number == number; });
  if (at->second.empty()) all_.erase(at);
  return waited;
}

void UnansweredRequests::lost(const RunKey& run, std::uint64_t number) {
  Entry* const entry = find(run, number);
  if (entry == nullptr) return;
  entry->request.lost = true;
  // The first of several may have taken effect, and a plan may make any number of them.
  auto& all = all_.at(run.arrival);
  const auto before = std::find_if(all.rbegin(), all.rend(), [entry](const Entry& other) {
    return other.number != entry->number && other.request.lost && other.run == entry->run &&
           is_about_run(other.request.kind);
  });
  if (before != all.rend() && before->request.kind == entry->request.kind)
    all.erase(all.begin() + (entry - all.data()));
}

void UnansweredRequests::forget_lost_suspensions(const Job& job) {
  const auto at = all_.find(job.arrival);
  if (at == all_.end()) return;
  std::erase_if(at->second, [](const Entry& entry) {
    return entry.request.lost && is_about_suspension(entry.request.kind);
  });
  if (at->second.empty()) all_.erase(at);
}

void UnansweredRequests::forget_lost(
    const std::function<bool(const RunKey& run, Time asked)>& told) {
  for (auto& [arrival, of_job] : all_)
    std::erase_if(of_job, [&told = told](const Entry& entry) {
      return entry.request.lost && told(entry.run, entry.request.asked);
    });
  std::erase_if(all_, [](const auto& of_job) { return of_job.second.empty(); });
}

void UnansweredRequests::restore(const RunKey& run, const LastingRequest& request) {
  all_[run.arrival].push_back({run, request, kRestored});
  any_restored_ = true;
}

std::vector<UnansweredRequests::Restored> UnansweredRequests::take_restored() {
  std::vector<Restored> taken;
  if (!any_restored_) return taken;
  any_restored_ = false;
  for (auto at = all_.begin(); at != all_.end();) {
    for (const Entry& entry : at->second)
      if (entry.number == kRestored) taken.push_back({entry.run, entry.request});
    std::erase_if(at->second, [](const Entry& entry) { return entry.number == kRestored; });
    at = at->second.empty() ? all_.erase(at) : std::next(at);
  }
  return taken;
}

std::vector<LastingRequest> UnansweredRequests::of(const Job& job) const {
  std::vector<LastingRequest> found;
  const auto at = all_.find(job.arrival);
  if (at == all_.end()) return found;
  for (const Entry& entry : at->second) {
    std::erase_if(found, [&entry](const LastingRequest& earlier) {
      return earlier.kind == entry.request.kind && earlier.own == entry.request.own;
    });
    found.push_back(entry.request);
  }
  return found;
}

template <class Test>
bool UnansweredRequests::any_pending(const Job& job, Test test) const {
  const auto at = all_.find(job.arrival);
  return at != all_.end() &&
         std::any_of(at->second.begin(), at->second.end(),
                     [&](const Entry& entry) { return !entry.request.lost && test(entry); });
}

bool UnansweredRequests::is_being_cancelled(const Job& job) const {
  return any_pending(job, [](const Entry& entry) {
    return entry.request.kind == RequestKind::cancel && entry.number != kRestored;
  });
}

bool UnansweredRequests::keep_from_start(const Job& job) const {
  return any_pending(job, [](const Entry& entry) {
    return entry.request.kind == RequestKind::cancel || ends_run(entry.request.kind);
  });
}

void UnansweredRequests::shift(Seconds by) {
  for (auto& [arrival, all] : all_)
    for (Entry& entry : all) entry.request.asked = entry.request.asked + by;
}

}  // namespace maui
