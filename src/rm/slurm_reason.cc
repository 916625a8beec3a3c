#include "rm/slurm_reason.h"

#include <algorithm>
#include <array>

namespace maui::slurm {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kNeverSatisfied = "DependencyNeverSatisfied";

constexpr std::array kStays{
    "PartitionNodeLimit"sv, "PartitionTimeLimit"sv, "InvalidAccount"sv,    "InvalidQOS"sv,
    "QOSNotAllowed"sv,      "AccountNotAllowed"sv,  "JobHoldMaxRequeue"sv, kNeverSatisfied,
    "MaxMemPerLimit"sv,     "ReservationDeleted"sv, "DeadLine"sv,
};
constexpr std::array kPasses{
    "Dependency"sv,       "PartitionDown"sv, "PartitionInactive"sv,  "BeginTime"sv,
    "Licenses"sv,         "Reservation"sv,   "ReqNodeNotAvail"sv,    "FrontEndDown"sv,
    "NodeDown"sv,         "Cleaning"sv,      "JobArrayTaskLimit"sv,  "PowerNotAvail"sv,
    "PowerReserved"sv,    "FedJobLock"sv,    "BurstBufferStageIn"sv, "BurstBufferResources"sv,
    "AccountingPolicy"sv,
};

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Limits that a job exceeds by itself, whatever else runs.
bool is_of_one_job(std::string_view reason) {
  return reason.find("PerJob") != std::string_view::npos ||
         reason.find("PerNode") != std::string_view::npos || reason.starts_with("QOSMin");
}

}  // namespace

bool is_limit(std::string_view reason) {
  return reason.starts_with("QOS") || reason.starts_with("Assoc") ||
         (reason.starts_with("Max") && reason.ends_with("PerAccount"));
}

Outlook outlook(std::string_view reason) {
  if (reason == "BadConstraints") return Outlook::failed;
  if (is_one_of(kStays, reason)) return Outlook::stays;
  if (is_one_of(kPasses, reason)) return Outlook::passes;
  if (is_limit(reason)) return is_of_one_job(reason) ? Outlook::stays : Outlook::passes;
  return Outlook::open;
}

bool dependency_failed(std::string_view reason) { return reason == kNeverSatisfied; }

}  // namespace maui::slurm
