#include "migrate/slurm_names.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "migrate/writer.h"

namespace maui::migrate {
namespace {

constexpr std::array kSlurm = {
    Translation{"PriorityType", "QUEUETIMEWEIGHT", "priority/basic is the order of arrival"},
    Translation{"PriorityWeightAge", "QUEUETIMEWEIGHT", "per minute, up to QUEUETIMECAP"},
    Translation{"PriorityMaxAge", "QUEUETIMECAP", "in minutes"},
    Translation{"PriorityWeightFairshare", "FSUSERWEIGHT, FSACCOUNTWEIGHT",
                "per percentage point below or above FSTARGET"},
    Translation{"PriorityDecayHalfLife", "FSINTERVAL, FSDEPTH, FSDECAY",
                "a window is a seventh of it, and use counts half after seven windows"},
    Translation{"PriorityUsageResetPeriod", "",
                "use is never reset; it fades by FSDECAY and FSDEPTH"},
    Translation{"PriorityCalcPeriod", "", "fairshare is computed at each iteration"},
    Translation{"PriorityWeightJobSize", "PROCWEIGHT", "per requested processor"},
    Translation{"PriorityFavorSmall", "PROCWEIGHT",
                "a weight below zero, with ENABLENEGJOBPRIORITY"},
    Translation{"PriorityWeightPartition", "CLASSWEIGHT", "with CLASSCFG[...] PRIORITY="},
    Translation{"PriorityWeightQOS", "QOSWEIGHT",
                "with QOSCFG[...] PRIORITY=, of `sacctmgr -P show qos`"},
    Translation{"PriorityWeightAssoc", "ACCOUNTWEIGHT, USERWEIGHT",
                "with ACCOUNTCFG[...] and USERCFG[...] PRIORITY=, of `sacctmgr dump`"},
    Translation{"PriorityWeightTRES", "PROCWEIGHT, MEMWEIGHT", "per processor, per MB"},
    Translation{"PrioritySiteFactorPlugin", "PRIORITYPROGRAM", "a program of your own"},
    Translation{"PriorityFlags", "JOBPRIOACCRUALPOLICY", "only ACCRUE_ALWAYS has an equivalent"},
    Translation{"SchedulerType", "BACKFILLPOLICY",
                "sched/builtin is NONE, sched/backfill FIRSTFIT"},
    Translation{"bf_max_job_test", "BACKFILLDEPTH", "how many waiting jobs backfill examines"},
    Translation{"bf_max_job_user",
                "USERCFG[DEFAULT] MAXIJOB=", "how many idle jobs per user are considered"},
    Translation{"bf_max_job_part",
                "CLASSCFG[DEFAULT] MAXIJOB=", "how many idle jobs per class are considered"},
    Translation{"bf_max_job_assoc",
                "ACCOUNTCFG[DEFAULT] MAXIJOB=", "how many idle jobs per account are considered"},
    Translation{"bf_job_part_count_reserve", "RESERVATIONDEPTH",
                "how many waiting jobs have a reservation"},
    Translation{"bf_interval", "", "backfill is part of each iteration"},
    Translation{"batch_sched_delay", "",
                "slurm.conf.maui sets it for the little that Slurm schedules"},
    Translation{"default_queue_depth", "",
                "slurm.conf.maui sets it for the little that Slurm schedules; maui considers every "
                "waiting job"},
    Translation{"partition_job_depth", "",
                "slurm.conf.maui sets it for the little that Slurm schedules"},
    Translation{"bf_window", "", "plans are not limited to a window of time"},
    Translation{"bf_resolution", "", "plans are exact to the second"},
    Translation{"bf_continue", "", "an iteration is never cut short"},
    Translation{"bf_yield_interval", "", "an iteration is never cut short"},
    Translation{"bf_min_age_reserve", "",
                "the jobs of highest priority have reservations, however long they wait"},
    Translation{"bf_min_prio_reserve", "", "RESERVATIONDEPTH says how many jobs have reservations"},
    Translation{"bf_busy_nodes", "NODEALLOCATIONPOLICY", "MINRESOURCE leaves large nodes free"},
    Translation{"preempt_youngest_first", "", "victims are chosen so that the least work is lost"},
    Translation{"PreemptType", "QFLAGS PREEMPTOR, PREEMPTEE",
                "of QOS, or of the classes with the highest and the lowest PriorityTier"},
    Translation{"PreemptMode", "PREEMPTIONPOLICY", "REQUEUE, or SUSPEND"},
    Translation{"PreemptExemptTime", "", "jobs have no exemption from preemption"},
    Translation{"PriorityJobFactor", "CLASSCFG[...] PRIORITY=", "of a partition"},
    Translation{"PriorityTier", "CLASSCFG[...] PRIORITY=",
                "to be set by hand, with CLASSWEIGHT, since Slurm has no weight for it"},
    Translation{"OverSubscribe", "NODEACCESSPOLICY",
                "EXCLUSIVE keeps its meaning; FORCE:n is not supported"},
    Translation{"ExclusiveUser", "NODECFG[...] ACCESS=SINGLEUSER", "of the partition's nodes"},
    Translation{"SelectType", "NODEACCESSPOLICY",
                "select/linear is SINGLEJOB, cons_res and cons_tres SHARED"},
    Translation{"Weight", "NODEALLOCATIONPOLICY, NODECFG[...] PRIORITY=",
                "nodes of low weight are used first"},
    Translation{"SlurmctldHost", "SERVERHOST", "maui runs beside slurmctld"},
    Translation{"TopologyPlugin", "NODESETPOLICY", "node sets are made by features"},
    Translation{"SelectTypeParameters", "NODEALLOCATIONPOLICY",
                "the gate needs CR_Core_Memory; maui chooses the nodes"},
    Translation{"FairShareDampeningFactor", "", "fairshare is linear"},
    Translation{"OverTimeLimit", "JOBMAXOVERRUN", "five minutes more, so that Slurm ends the job"},
    Translation{"JobSubmitPlugins", "",
                "the gate is the plugin lua; put others before it in slurm.conf.maui"},
    Translation{"JobCompType", "", "the gate needs jobcomp/lua; showhist lists ended jobs"},
    Translation{"nohold_on_prolog_fail", "",
                "leave it out: with it Slurm does not report why a job was requeued"},
    Translation{"SuspendProgram", "",
                "nodes that Slurm has powered down count as down: set SuspendTime=INFINITE"},
};

/// Options of SchedulerParameters on how Slurm serves its clients.
constexpr std::string_view kOwn =
    "build_queue_timeout defer defer_batch max_rpc_cnt "
    "sched_interval sched_max_job_start sched_min_interval max_script_size "
    "max_submit_line_size bf_max_time bf_max_job_start bf_max_job_array_resv bf_yield_rpc_cnt "
    "bf_yield_sleep bf_node_space_size bf_running_job_reserve bf_one_resv_per_job "
    "delay_boot disable_user_top enable_user_top extra_row_for_jobs ignore_numa inventory_interval "
    "kill_invalid_depend no_env_cache pack_serial_at_end "
    "reduce_completing_frag "
    "requeue_setup_env_fail salloc_wait_nodes sbatch_wait_nodes spec_cores_first step_retry_count "
    "step_retry_time whole_pack whole_hetjob time_min_as_soft_limit unlimited_gres_per_task "
    "Ignore_prefer_validation "
    "allow_zero_lic bb_array_stage_cnt enable_job_state_cache enable_stepmgr";

}  // namespace

std::span<const Translation> slurm_translations() { return kSlurm; }

const Translation* find_slurm(std::string_view name) {
  const auto at = std::find_if(kSlurm.begin(), kSlurm.end(),
                               [&](const Translation& row) { return same_word(row.name, name); });
  return at == kSlurm.end() ? nullptr : &*at;
}

bool listed(std::string_view name, std::string_view all) {
  const auto known = words(all);
  return std::any_of(known.begin(), known.end(),
                     [&](std::string_view word) { return same_word(word, name); });
}

bool slurms_own(std::string_view option) { return listed(option, kOwn); }

}  // namespace maui::migrate
