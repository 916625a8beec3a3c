-- A job has ended: a line in the file of events wakes maui.
local events = os.getenv("MAUI_SLURM_EVENTS") or "/var/spool/maui/slurm/events"

-- It only wakes: one that has grown so long begins anew.
local most_events = 65536

function slurm_jobcomp_log_record(job)
  local file = io.open(events, "a")
  if file and file:seek("end") > most_events then
    file:close()
    file = io.open(events, "w")
  end
  if file then
    file:write("end ", job.job_id, "\n")
    file:close()
  end
  return slurm.SUCCESS
end

return slurm.SUCCESS
