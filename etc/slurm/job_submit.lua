-- The gate of maui: no job passes it but by maui's word.
--
-- Slurm starts no job of priority 0.  Every submission gets it here, and maui starts a job by setting
-- its priority together with its nodes.  What people mean by a priority, a hold or a release, is kept
-- in site_factor, which no user can set and which survives restarts of slurmctld:
--   1  held by its user       2  held by an administrator
--
-- slurmctld takes a request as it stands when a script fails.  So the first statements close the gate,
-- and the rest runs fenced.
--
-- A site's own job_submit.lua goes on beside it as job_submit.site.lua: it is asked first, about all but
-- maui's own requests, and what it refuses is refused.  slurmctld reads both anew when this file changes.

-- A line in this file wakes maui; slurmctld's user must be able to write it.
local events = os.getenv("MAUI_SLURM_EVENTS") or "/var/spool/maui/slurm/events"
-- Whose word opens the gate: root's.  If maui runs as SlurmUser, add that user's number.
local trusted = {[0] = true}

-- It only wakes: one that has grown so long begins anew.
local most_events = 65536

local USER_HOLD, ADMIN_HOLD = 1, 2
local SHARED_IN_MCS = 3 -- --exclusive=mcs
-- What users see of a job that waits (squeue -O admin_comment), until maui has more to say.
local NOTICE = "maui: waits since %Y-%m-%dT%H:%M:%S, see checkjob"

local function wake(line)
  local file = io.open(events, "a")
  if file and file:seek("end") > most_events then
    file:close()
    file = io.open(events, "w")
  end
  if not file then
    slurm.log_error("maui gate: '%s' cannot be written: maui is not woken", events)
    return
  end
  file:write(line, "\n")
  file:close()
end

local function fenced(name, rule)
  local ok, problem = pcall(rule)
  if not ok then slurm.log_error("maui gate, %s: %s", name, tostring(problem)) end
end

-- The site's own functions, which its script leaves where ours are to be.
local function load_site()
  local beside = string.match(debug.getinfo(1, "S").source, "^@(.*/)")
  local file = io.open((beside or "./") .. "job_submit.site.lua")
  if not file then return {} end
  local text = file:read("*a")
  file:close()
  local script, problem = (loadstring or load)(text, "=job_submit.site.lua")
  if not script then
    slurm.log_error("maui gate: %s", tostring(problem))
    return {}
  end
  fenced("job_submit.site.lua", script)
  return {submit = slurm_job_submit, modify = slurm_job_modify}
end
local site = load_site()

-- What the site's script answers; one that fails refuses nothing, as without the gate.
local function ask_site(rule, ...)
  if not rule then return slurm.SUCCESS end
  local ok, verdict = pcall(rule, ...)
  if not ok then
    slurm.log_error("maui gate, job_submit.site.lua: %s", tostring(verdict))
    return slurm.SUCCESS
  end
  return verdict or slurm.SUCCESS
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

-- Components of one job, which Slurm alone starts together.
local function is_component(offset) return offset ~= nil and offset ~= slurm.NO_VAL end

-- "a*1&b*2": Slurm takes some of these, but no rule tells which nodes it means by them.
local function counts_without_brackets(features)
  local _, counts = string.gsub(string.gsub(features or "", "%b[]", "*"), "%*", "")
  return counts > 1
end

-- What maui cannot schedule wherever it is to run, in words for the user; nil: nothing.
local function objection_to_shape(job)
  if counts_without_brackets(job.features) then
    return "--constraint: several counts must stand in one pair of brackets, as in [a*1&b*2]"
  end
  if job.shared == SHARED_IN_MCS then
    return "--exclusive=mcs cannot be used here: maui knows no MCS labels"
  end
  if job.contiguous == 1 then return "--contiguous cannot be used here: maui chooses the nodes" end
end

-- The same, where partitions count, too.
local function objection(job, partitions)
  local to_shape = objection_to_shape(job)
  if to_shape then return to_shape end
  for name, partition in pairs(partitions) do
    local meant = job.partition == nil and partition.flag_default == 1
    for part in string.gmatch(job.partition or "", "[^,]+") do meant = meant or part == name end
    local share = partition.max_share or 0
    if meant and share > 32768 + 1 then  -- OverSubscribe=FORCE:n
      return "partition " .. name .. " runs several jobs on a processor, which maui does not"
    end
  end
end

local function answer(refusal)
  if not refusal then return slurm.SUCCESS end
  slurm.log_user("%s", refusal)
  return slurm.ERROR
end

function slurm_job_submit(job, partitions, uid)
  local verdict = ask_site(site.submit, job, partitions, uid)
  local asked = job.priority
  if not is_component(job.het_job_offset) then job.priority = 0 end
  if verdict ~= slurm.SUCCESS then return verdict end
  if is_component(job.het_job_offset) then
    fenced("submission", function() wake("submit") end)
    return slurm.SUCCESS
  end
  local refusal
  fenced("submission", function()
    -- The mark tells it from jobs that are older than the gate, whose holds Slurm alone knows.
    job.site_factor = RELEASE_ASKED + (asked == 0 and USER_HOLD or 0)
    job.admin_comment = os.date(NOTICE)
    refusal = objection(job, partitions)
    wake("submit")
  end)
  return answer(refusal)
end

function slurm_job_modify(change, job, partitions, uid)
  local verdict = slurm.SUCCESS
  if not by_maui(change, uid) then verdict = ask_site(site.modify, change, job, partitions, uid) end
  if is_component(job.het_job_offset) and (job.het_job_id or 0) ~= 0 then return verdict end
  local asked = change.priority
  change.priority = 0
  if verdict ~= slurm.SUCCESS then return verdict end
  local refusal
  fenced("update", function()
    local pending = job.job_state % 256 == 0
    local ours = by_maui(change, uid)
    change.priority = asked
    if ours then return end  -- maui knows of it
    wake("update " .. job.job_id)
    if not pending then return end
    refusal = objection_to_shape(change)
    local mark = mark_of(change)
    if mark ~= 0 then change.site_factor = mark + holds_after(mark, job, uid) end
    change.nice = slurm.NO_VAL  -- Slurm would make a new priority of it
    change.priority = slurm.NO_VAL
  end)
  return answer(refusal)
end

return slurm.SUCCESS
