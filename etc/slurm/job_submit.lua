-- The gate of maui: no job passes it but by maui's word.
--
-- Slurm starts no job of priority 0.  Every submission gets it here, and maui starts a job by setting
-- its priority together with its nodes.  What people mean by a priority, a hold or a release, is kept
-- in site_factor, which no user can set and which survives restarts of slurmctld:
--   1  held by its user       2  held by an administrator
--
-- slurmctld takes a request as it stands when a script fails.  So the first statements close the gate,
-- and the rest runs fenced.

-- A line in this file wakes maui; slurmctld's user must be able to write it.
local events = os.getenv("MAUI_SLURM_EVENTS") or "/var/spool/maui/slurm/events"
-- Whose word opens the gate: root's.  If maui runs as SlurmUser, add that user's number.
local trusted = {[0] = true}

local USER_HOLD, ADMIN_HOLD = 1, 2

local function wake(line)
  local file = io.open(events, "a")
  if file then
    file:write(line, "\n")
    file:close()
  end
end

local function fenced(name, rule)
  local ok, problem = pcall(rule)
  if not ok then slurm.log_error("maui gate, %s: %s", name, tostring(problem)) end
end

-- An update of an array comes here once for each of its records, with the request as we left it: what
-- was asked for and taken out of it at the first is known to the others by these marks.
local HOLD_ASKED, RELEASE_ASKED = 4, 8

-- What a person asks of the priority, beside the holds in site_factor.
local function mark_of(change)
  if change.priority == 0 then return HOLD_ASKED end
  if change.priority ~= slurm.NO_VAL then return RELEASE_ASKED end
  if change.site_factor == slurm.NO_VAL then return 0 end
  local bits = change.site_factor % 16
  return bits - bits % 4
end

-- Everybody adds a hold of his own kind; users release only theirs, administrators every one.
local function holds_after(mark, job, uid)
  local user, admin = job.site_factor % 2 >= 1, job.site_factor % 4 >= 2
  local owner = uid == job.user_id
  if mark == HOLD_ASKED then
    user, admin = user or owner, admin or not owner
  else
    user, admin = false, admin and owner and not trusted[uid]
  end
  return (user and USER_HOLD or 0) + (admin and ADMIN_HOLD or 0)
end

-- A start names the nodes, and taking a start back sets admin_comment.
local function by_maui(change, uid)
  return trusted[uid] and (change.req_nodes or change.admin_comment)
end

function slurm_job_submit(job, partitions, uid)
  local asked = job.priority
  job.priority = 0
  fenced("submission", function()
    job.site_factor = asked == 0 and USER_HOLD or 0
    wake("submit")
  end)
  return slurm.SUCCESS
end

function slurm_job_modify(change, job, partitions, uid)
  local asked = change.priority
  change.priority = 0
  fenced("update", function()
    wake("update " .. job.job_id)
    local pending = job.job_state % 256 == 0
    local ours = by_maui(change, uid)
    change.priority = asked
    if not pending or ours then return end
    local mark = mark_of(change)
    if mark ~= 0 then change.site_factor = mark + holds_after(mark, job, uid) end
    change.nice = slurm.NO_VAL  -- Slurm would make a new priority of it
    change.priority = slurm.NO_VAL
  end)
  return slurm.SUCCESS
end

return slurm.SUCCESS
