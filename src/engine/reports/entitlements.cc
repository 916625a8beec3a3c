#include "engine/reports/entitlements.h"

#include <utility>

#include "engine/knowledge.h"
#include "engine/reports/entitle.h"
#include "engine/reports/in_use.h"
#include "engine/tools.h"

namespace maui {
namespace {

/// True if entitle() may give another result for some job.
bool bears_on_entitlement(const Settings& a, const Settings& b) {
  return a.node != b.node || a.node_access != b.node_access || a.exact_node != b.exact_node ||
         a.exact_proc != b.exact_proc || a.jobs.multi_node != b.jobs.multi_node ||
         a.jobs.multi_requirement != b.jobs.multi_requirement || a.users != b.users ||
         a.groups != b.groups || a.accounts != b.accounts || a.classes != b.classes ||
         a.qos != b.qos || a.system != b.system;
}

}  // namespace

Entitlements::Entitlements(const EngineTools& tools)
    : tools_(tools),
      cluster_(tools.known.cluster),
      settings_(tools.known.settings),
      learning_(tools.known.learning),
      partitions_used_(tools.known.partitions_used) {}

void Entitlements::set_request(JobId id, Request request) {
  cluster_.set_request(id, std::move(request));
  learning_.changed(id);
}

RefusedStarts::SetRequest Entitlements::request_setter() {
  return [this](JobId job, Request request) { set_request(job, std::move(request)); };
}

void Entitlements::set_limit(JobId id, Seconds limit) {
  const Job& job = cluster_.job(id);
  if (job.waiting()) {
    Request request = cluster_.request_of(id);
    request.limit = limit;
    set_request(id, std::move(request));
    cluster_.set_limits_of_shapes(id, limit);
  } else if (job.active() || job.suspended()) {
    cluster_.set_limit(id, limit);
    learning_.limit_changed(cluster_, settings_, id);
  }
}

void Entitlements::give_qos(JobId id, QosId qos) {
  cluster_.set_qos(id, qos);
  cluster_.keep_qos(id);
  const Job& job = cluster_.job(id);
  if (job.waiting()) return renew(id);
  if (!job.active() && !job.suspended()) return;
  const JobAccess access =
      entitle(job, cluster_.request_of(id), settings_, cluster_).request.access;
  cluster_.set_access(id, access, tools_.now());
}

void Entitlements::renew(JobId id) {
  Entitled entitled = entitle(cluster_.job(id), cluster_.request_of(id), settings_, cluster_);
  if (entitled.qos != cluster_.job(id).credentials.qos) cluster_.set_qos(id, entitled.qos);
  if (entitled.request != cluster_.request_of(id)) set_request(id, std::move(entitled.request));
  const Job& job = cluster_.job(id);
  auto holds = job.own_holds;
  if (job.request_excused) entitled.refused.clear();
  if (!entitled.refused.empty()) {
    if (has(holds, Hold::batch) && job.hold_reason->cause != HoldCause::refused) return;
    put(holds, Hold::batch);
  } else if (job.hold_reason->cause == HoldCause::refused) {
    put(holds, Hold::batch, false);
  } else {
    return;
  }
  cluster_.set_own_holds(id, holds, refusal(std::move(entitled.refused)));
}

void Entitlements::settings_changed(const Settings& old) {
  if (!bears_on_entitlement(old, settings_)) return;
  for (const JobId id : cluster_.jobs())
    if (cluster_.job(id).waiting()) renew(id);
}

void Entitlements::note_partitions() {
  const bool before = std::exchange(partitions_used_, partitions_in_use(cluster_));
  if (partitions_used_ == before) return;
  for (const JobId id : cluster_.jobs())
    if (cluster_.job(id).waiting() && !cluster_.job(id).partitions_reported.empty()) renew(id);
}

}  // namespace maui
