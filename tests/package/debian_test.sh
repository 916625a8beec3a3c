#!/bin/bash
# The Debian packages on a bare Debian with its own Slurm: installed, set up as docs/manual/quick-start.md says, upgraded under
# running jobs, taken out again, purged.  Each of these finds what the page promises.
# Usage: debian_test.sh DIRECTORY_OF_PACKAGES        as root; exits 77 where it cannot be tried
#
# MAUI_PACKAGE_OLD is a directory of older packages, made from an earlier commit in the same way: the upgrade is from these.
# Without it, the same packages are upgraded to themselves under another version.
#
# The Debian is made by debootstrap once and kept in MAUI_PACKAGE_CACHE; what a test writes goes to memory.  systemd runs in
# namespaces of its own.  Where it cannot, or with MAUI_PACKAGE_INIT=none, a stand-in for systemctl starts the daemons.
set -u
packages=$(readlink -f "${1-.}")
here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
older=${MAUI_PACKAGE_OLD:+$(readlink -f "$MAUI_PACKAGE_OLD")}
todays_page=$here/../../docs/manual/quick-start.md
page=$todays_page
cache=${MAUI_PACKAGE_CACHE:-/var/tmp/maui-package-test}
suite=${MAUI_PACKAGE_SUITE:-bookworm}
mirror=${MAUI_PACKAGE_MIRROR:-http://deb.debian.org/debian}
init=${MAUI_PACKAGE_INIT:-systemd}
base=$cache/$suite
failures=0 namespaces=

skip() { echo "SKIPPED: $*"; exit 77; }
fail() {
  echo "FAILED in line ${BASH_LINENO[-2]}, after $SECONDS s: $*"
  failures=$((failures + 1))
}

[ "$(id -u)" -eq 0 ] || skip "only root can have namespaces"
for name in server client slurm; do
  for directory in "$packages" "${older:-$packages}"; do
    compgen -G "$directory/maui-${name}_*.deb" >/dev/null || skip "there is no maui-$name in $directory: ./check --package makes it"
  done
done
command -v debootstrap >/dev/null || skip "debootstrap is not installed"
unshare --mount --pid --net --fork true 2>/dev/null || skip "there can be no namespaces"

# A bare Debian with its Slurm.
if [ ! -e "$base/made" ]; then
  mkdir -p "$cache"
  rm -rf "$base"
  echo "Making a Debian in $base"
  debootstrap --variant=minbase "$suite" "$base/root" "$mirror" >"$cache/debootstrap.log" 2>&1 ||
    skip "debootstrap: $(tail -n 1 "$cache/debootstrap.log") (no network?)"
  cp /etc/resolv.conf "$base/root/etc/"
  { printf 'exit 101\n' >"$base/root/usr/sbin/policy-rc.d" && chmod +x "$base/root/usr/sbin/policy-rc.d" &&
    DEBIAN_FRONTEND=noninteractive chroot "$base/root" apt-get install -q -y --no-install-recommends \
      systemd systemd-sysv dbus munge slurmctld slurmd slurm-client iproute2 procps man-db &&
    rm "$base/root/usr/sbin/policy-rc.d" && touch "$base/made"; } >"$cache/install.log" 2>&1 ||
    skip "apt-get: $(tail -n 1 "$cache/install.log")"
fi

work=$(mktemp -d)
root=$work/mounts/root
mkdir "$work/mounts" "$work/old" "$work/new"
group=/sys/fs/cgroup/systemd/maui-package-$$
finish() {
  local process
  if [ -n "$namespaces" ]; then
    process=$(pgrep -P "$namespaces")
    [ -z "$process" ] || kill -KILL "$process" 2>/dev/null
    wait "$namespaces" 2>/dev/null
  fi
  [ ! -d "$group" ] || find "$group" -depth -type d -exec rmdir {} + 2>/dev/null
  rm -rf "$work"
}
trap finish EXIT

# The packages to begin with, and those after them: today's as they are built, or the same as a later release.
cp "${older:-$packages}"/maui-{server,client,slurm}_*.deb "$work/old"
[ -z "$older" ] || cp "$packages"/maui-{server,client,slurm}_*.deb "$work/new"
for deb in "$work"/old/*.deb; do
  [ -z "$older" ] || break
  dpkg-deb -R "$deb" "$work/unpacked" || fail "the later release cannot be made"
  depends=$(dpkg-deb -f "$deb" Depends | sed -E 's/maui-server \(= ([^)]*)\)/maui-server (= \1+next)/')
  sed -i "s#^Depends: .*#Depends: $depends#" "$work/unpacked/DEBIAN/control"
  sed -i "s|^Version: .*|Version: $(dpkg-deb -f "$deb" Version)+next|" "$work/unpacked/DEBIAN/control"
  dpkg-deb -Znone -b "$work/unpacked" "$work/new" >/dev/null || fail "the later release cannot be made"
  rm -rf "$work/unpacked"
done
if [ -n "$older" ]; then # they are set up as the page of their time says
  page=$work/page.md
  for deb in "$older"/maui-doc_*.deb; do dpkg-deb --fsys-tarfile "$deb"; done |
    tar -x -O --wildcards '*/docs/manual/quick-start.md' >"$page" 2>/dev/null || skip "there is no quick-start.md in $older/maui-doc_*.deb"
fi

if [ "$init" = systemd ] && ! { [ -d /sys/fs/cgroup/systemd ] && mkdir "$group" 2>/dev/null; }; then
  echo "systemd cannot run here (control groups are not of the first version): a stand-in starts the daemons"
  init=none
fi

# boot MOUNTS BASE OLD NEW INIT: in new namespaces.
boot() {
  local mounts=$1 root=$1/root
  mount --make-rprivate / && mount -t tmpfs tmpfs "$mounts" && mkdir "$mounts"/{upper,work,root} &&
    mount -t overlay -o "lowerdir=$2/root,upperdir=$mounts/upper,workdir=$mounts/work" overlay "$root" &&
    mount -t proc proc "$root/proc" && mount -t tmpfs tmpfs "$root/run" && mount --rbind /dev "$root/dev" &&
    mkdir "$root/old" "$root/new" "$root/before" && mount --bind "$3" "$root/old" && mount --bind "$4" "$root/new" &&
    hostname head && echo head >"$root/etc/hostname" && echo "127.0.0.1 localhost head" >"$root/etc/hosts" || return
  # The things that the packages need are fetched before the network is gone.
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  chroot "$root" sh -c 'apt-get update -q && apt-get install -q -y --no-install-recommends --download-only /old/*.deb' || return
  touch "$mounts/fetched"
  mount -t sysfs sysfs "$root/sys"
  if [ "$5" = systemd ]; then
    mount -t tmpfs tmpfs "$root/sys/fs/cgroup" && mkdir "$root/sys/fs/cgroup/systemd" &&
      mount -t cgroup -o none,name=systemd cgroup "$root/sys/fs/cgroup/systemd" || return
  fi
  cd "$root" && pivot_root . before && umount -l before && rmdir before || return
  if [ "$5" = systemd ]; then
    exec unshare --net env -i container=test PATH="$PATH" /lib/systemd/systemd --system --unit=basic.target
  fi
  exec unshare --net env -i PATH="$PATH" sh -c 'touch /run/stand-in; while :; do wait; sleep 1000; done'
}
export -f boot
mkdir -p "$work/mounts"
(
  [ "$init" != systemd ] || echo "$BASHPID" >"$group/cgroup.procs"
  exec unshare --pid --fork --kill-child=KILL --mount --uts --ipc --cgroup \
    bash -c 'boot "$@"' boot "$work/mounts" "$base" "$work/old" "$work/new" "$init" >"$work/boot.txt" 2>&1
) &
namespaces=$!

. "$here/../system/within.sh"
inside() {
  nsenter -t "$(pgrep -P "$namespaces")" --pid --mount --uts --ipc --net \
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LANG=C TZ=UTC "$@"
}
booted() {
  if [ "$init" = systemd ]; then inside systemctl is-system-running | grep -q -e running -e degraded; else inside test -e /run/stand-in; fi
}
within 180 booted || { cat "$work/boot.txt"; exit 1; }
inside ip link set lo up
inside ip address add 10.255.0.1/32 dev lo # an address that is not the loopback one: else no name is resolved

if [ "$init" != systemd ]; then
  inside tee /usr/local/bin/systemctl >/dev/null <<'END'
#!/bin/bash
# A stand-in: systemctl VERB [UNIT...], for services of type simple, notify and forking.
if [ "$1 $2" = "enable --now" ]; then set -- start "$3"; fi
if [ "${2-}" = -q ]; then set -- "$1" "$3"; fi
if [ $# -gt 2 ]; then
  for unit in "${@:2}"; do "$0" "$1" "$unit" || exit; done
  exit
fi
verb=$1 unit=${2%.service}
file=/lib/systemd/system/$unit.service pid=/run/stand-in.$unit
runs() { [ -s "$pid" ] && kill -0 "$(cat "$pid")" 2>/dev/null; }
case $verb in
  stop | restart)
    if runs; then kill "$(cat "$pid")"; while runs; do sleep 0.1; done; fi
    rm -f "$pid" ;;
  try-restart) runs || exit 0; exec "$0" restart "$unit" ;;
  is-active) runs; exit ;;
esac
case $verb in start | restart) ;; *) exit 0 ;; esac
case $unit in
  munge) [ ! -S /run/munge/munge.socket.2 ] || exit 0; mkdir -p /run/munge && chown munge: /run/munge && setpriv --reuid munge --regid munge --clear-groups munged && exit ;;
esac
read -ra command < <(sed -n 's/^ExecStart=//p' "$file" | sed 's/ \$[A-Z_]*//g')
setsid "${command[@]}" >>"/var/log/$unit.stand-in" 2>&1 </dev/null &
echo $! >"$pid"
END
  inside chmod +x /usr/local/bin/systemctl
fi

# commands HEADING: what stands indented below that heading of the page.
commands() { awk -v heading="## $1" '/^#/ { inside = $0 == heading } inside && /^    / { print substr($0, 5) }' "$page"; }
# follow HEADING: does what the page says, in /root, line by line; the last word is its exit status.
follow() {
  local lines
  lines=$(commands "$1")
  [ -n "$lines" ] || { fail "the page has nothing below '$1'"; return; }
  inside bash -e -c "cd ${2:-/root}
$lines" >"$work/followed.txt" 2>&1 || fail "'$1' of the page: $(tail -n 20 "$work/followed.txt")"
}
state() { inside squeue -h -o %T -j "$1" 2>/dev/null; }
is_in_state() { [ "$(state "$1")" = "$2" ]; }
# submit OPTIONS...: each run adds a line to /tmp/ran.
submit() { inside sbatch --parsable -D /tmp -o /dev/null "$@"; }
# A file that tells of a moment or of a process, or that numbers jobs, is not configuration.
configuration() { inside scontrol show config | grep -v -i -e '^Configuration data' -e BOOT_TIME -e NEXT_JOB_ID -e '^Slurmctld(' -e HASH_VAL; }
# Names of files, but for what Slurm, apt, dpkg and the system's own daemons write.
files() {
  inside find / -xdev -path /proc -prune -o -path /sys -prune -o -path /dev -prune -o -path /run -prune -o -path /tmp -prune \
    -o -path /var/log -prune -o -path /var/lib/slurm -prune -o -path /var/lib/munge -prune -o -path /var/cache -prune -o -path /var/lib/apt -prune \
    -o -path /var/lib/dpkg -prune -o -path /var/lib/systemd -prune -o -path /root -prune -o -print | sort
}

answers() { [ "$(inside sinfo -h -t idle,mixed,alloc -o %D)" = 1 ]; }

# --- Slurm alone: as the page has it for who has none, then with what is to be told apart ---------------
inside tee /etc/slurm/cgroup.conf >/dev/null <<'END'
CgroupPlugin=cgroup/v1
CgroupMountpoint=/tmp/cgroup
END
page=$todays_page follow 'A Slurm to try it on'
within 60 answers || { inside tail -n 20 /var/log/slurm/slurmctld.log /var/log/slurm/slurmd.log; exit 1; }
inside tee /etc/slurm/slurm.conf >/dev/null <<'END'
ClusterName=try
SlurmctldHost=head(127.0.0.1)
SlurmUser=slurm
StateSaveLocation=/var/lib/slurm/slurmctld
SlurmdSpoolDir=/var/lib/slurm/slurmd
SlurmctldLogFile=/var/log/slurm/slurmctld.log
SlurmdLogFile=/var/log/slurm/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
SchedulerType=sched/builtin
JobSubmitPlugins=lua
PriorityType=priority/multifactor
PriorityWeightAge=1000
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SlurmdParameters=config_overrides
KillWait=2
NodeName=head NodeAddr=127.0.0.1 CPUs=8 CoresPerSocket=8 RealMemory=8000 State=UNKNOWN
PartitionName=batch Nodes=ALL Default=YES MaxTime=INFINITE DefMemPerCPU=100
END
# The site has a script of its own.
inside tee /etc/slurm/job_submit.lua >/dev/null <<'END'
function slurm_job_submit(job, partitions, uid)
  if job.name == "forbidden" then return slurm.ERROR end
  return slurm.SUCCESS
end
function slurm_job_modify(change, job, partitions, uid) return slurm.SUCCESS end
return slurm.SUCCESS
END
forbids() { ! submit -J forbidden --wrap true >/dev/null 2>&1; }
files_before=$(files)
for service in munge slurmctld slurmd; do inside systemctl restart $service || fail "$service does not start"; done
within 60 answers || { inside tail -n 20 /var/log/slurm/slurmctld.log /var/log/slurm/slurmd.log; exit 1; }
configuration_before=$(configuration)
forbids || fail "Slurm does not ask the site's script"
early=$(submit -n 1 -t 30 --wrap 'echo early >>/tmp/ran; sleep 600')
within 30 is_in_state "$early" RUNNING
held=$(submit -n 1 -t 5 -H --wrap 'echo held >>/tmp/ran')

# --- Install, and the page -----------------------------------------------------------------------
inside sh -c 'cp /old/*.deb /root'
follow Install
if [ -z "$older" ]; then
  for program in maui showq wiki_rm maui-rm-slurm maui-munge; do inside sh -c "command -v $program" >/dev/null || fail "$program is not installed"; done
  inside systemctl is-active -q maui && fail "the scheduler is started before it is configured"
  if [ "$init" = systemd ]; then inside systemctl is-enabled -q maui && fail "the scheduler would fail at boot before it is configured"; fi
  inside maui --check-config >"$work/check.txt" 2>&1 && fail "the package's configuration knows of a resource manager"
  grep -q 'needs a resource manager' "$work/check.txt" && grep -q '1 error, no warnings' "$work/check.txt" ||
    fail "the configuration of the package lacks more than a resource manager: $(cat "$work/check.txt")"
  [ "$(inside stat -c '%U %a' /var/spool/maui)" = 'root 711' ] || fail "the home directory is not as it should be"
  [ "$(inside stat -c '%U' /var/spool/maui/slurm/events)" = slurm ] || fail "Slurm has no place to tell of events"
  inside getent passwd maui >/dev/null || fail "there is no user maui"
  for name in maui.cfg:5 showq:1 maui:8 maui-rm-slurm:8 maui-munge:8 maui_client:1; do
    inside test -e "/usr/share/man/man${name#*:}/${name%:*}.${name#*:}.gz" || fail "there is no page ${name%:*}"
  done
fi

# Older gates take the place of the site's script, which is put beside today's after the upgrade.
site_script=
if ! grep -q job_submit.site.lua "$page"; then site_script=lost; inside cp /etc/slurm/job_submit.lua /root/site.lua; fi
follow 'Put in the gate'
within 30 answers
[ -n "$site_script" ] || forbids || fail "the gate does not ask the site's script"
awk '/^```maui.cfg/ { inside = 1; next } /^```/ { inside = 0 } inside' "$page" | inside tee /etc/maui/maui.cfg >/dev/null
follow 'One file'
within 20 inside showq
inside systemctl is-active -q maui || fail "the scheduler does not run"
if [ "$init" = systemd ]; then inside systemctl is-enabled -q maui || fail "the scheduler does not start at boot"; fi
follow 'See it work'
grep -q 'Running\|Starting\|Idle' "$work/followed.txt" || fail "showq shows no job: $(cat "$work/followed.txt")"
first=$(inside squeue -h -o %i | sort -n | tail -n 1)
within 40 is_in_state "$first" RUNNING
inside checkjob "$early" | grep -q '^State: Running' || fail "the job from before does not run for maui: $(inside checkjob "$early")"
inside checkjob "$held" | grep -q -i hold || fail "the job that was held before is not: $(inside checkjob "$held")"
inside scancel "$first"

# --- Upgrade, under jobs -------------------------------------------------------------------------
# The traces of months: a configuration that was edited, a secret, statistics, fairshare, a history.
night=$(((10#$(date -u +%H) + 12) % 24))
inside tee -a /etc/maui/maui.cfg >/dev/null <<END
SERVERPORT            41559
FSPOLICY              DEDICATEDPS
FSUSERWEIGHT          1
USERCFG[root]         FSTARGET=50
SRCFG[nightly]        TASKCOUNT=1 STARTTIME=$night:00:00 ENDTIME=$night:50:00 PERIOD=DAY
END
inside maui --generate-key >/dev/null || fail "there can be no secret"
inside systemctl restart maui
within 20 inside showq
past=$(submit -n 2 -t 1 --wrap 'sleep 5')
has_history() { inside showhist --columns name "$1" | grep -q -x "$1 *"; }
within 60 has_history "$past"
running=$(submit -n 4 -t 10 --wrap 'echo running >>/tmp/ran; sleep 40; echo done >>/tmp/ran')
within 40 is_in_state "$running" RUNNING
waiting=$(submit -n 8 -t 5 --wrap 'echo waiting >>/tmp/ran')
kept=$(submit -n 8 -t 5 --wrap 'echo kept >>/tmp/ran')
mine=$(submit -n 8 -t 5 --wrap 'echo mine >>/tmp/ran')
known() { inside checkjob "$1"; }
within 40 known "$mine"
inside sethold -s "$kept" >/dev/null && inside sethold -u "$mine" >/dev/null || fail "no hold can be set"
inside setspri 77 "$waiting" >/dev/null || fail "no priority can be set"
inside setres -n keep -s +1:00:00 -d 1:00:00 ALL >/dev/null || fail "nothing can be reserved"
# memory: what an upgrade may not change.
memory() {
  inside bash -c '
    md5sum /etc/maui/maui.cfg /etc/maui/maui-private.cfg
    ss -H -l -t -n | grep -o ":41559 "
    showres --columns name | grep -e "^keep" -e "^nightly"
    showhold --columns name,holds
    diagnose -p --columns name,system_priority
    showstats --format=json | grep -e completed_jobs -e successful_jobs -e since
    showhist --columns name,state,procs,run_time "$0"
    for job in "$@"; do checkjob "$job" | grep -e "^State" -e "^StartTime: " -e "^SystemQueueTime"; done' "$past" "$early" "$running" "$waiting"
}
# fairshare: processor hours that count.
fairshare() { inside diagnose -f --format=json | awk '/"totals"/ { getline; print $1 + 0; exit }'; }
memory_before=$(memory) fairshare_before=$(fairshare)
for part in maui-private.cfg ':41559' '^keep' '^nightly' "^$kept .*System" "^$mine .*User" "^$waiting .*yes" completed_jobs "^$past " 'State: Running'; do
  grep -q -- "$part" <<<"$memory_before" || fail "before the upgrade '$part' is missing: $memory_before"
done
process() { if [ "$init" = systemd ]; then inside systemctl show -P MainPID maui; else inside cat /run/stand-in.maui; fi; }
old=$(process)
inside sh -c 'rm /root/*.deb; cp /new/*.deb /root'
page=$todays_page
gate() { dpkg-deb --fsys-tarfile "$1"/maui-server_*.deb | tar -x -O ./usr/share/maui/slurm/job_submit.lua | md5sum; }
follow Upgrade
if [ "$(gate "$work/old")" = "$(gate "$work/new")" ]; then
  ! grep -q 'another release' "$work/followed.txt" || fail "the gate is said to be of another release"
else
  grep -q 'job_submit.lua is of another release' "$work/followed.txt" || fail "it is not said that the gate is of another release"
fi
if [ -n "$site_script" ]; then inside sh -c 'mv /root/site.lua /etc/slurm/job_submit.site.lua && touch /etc/slurm/job_submit.lua'; fi
inside cmp /etc/slurm/job_submit.lua /usr/share/maui/slurm/job_submit.lua || fail "the gate is not renewed"
for name in server client slurm; do
  version=$(dpkg-deb -f "$work/new"/maui-${name}_*.deb Version)
  [ "$(inside dpkg-query -W -f '${Version}' maui-$name)" = "$version" ] || fail "maui-$name is not of version $version"
done
scheduler() { dpkg-deb --fsys-tarfile "$work/new"/maui-server_*.deb | tar -x -O ./usr/sbin/maui | md5sum; }
[ "$(inside cat /usr/sbin/maui | md5sum)" = "$(scheduler)" ] || fail "the scheduler is not the new one"
if [ "$init" != systemd ]; then inside systemctl try-restart maui; fi # maintainer scripts ask a real systemd only
within 20 inside showq
[ "$(process)" != "$old" ] || fail "the old scheduler still runs after the upgrade"
is_in_state "$running" RUNNING || fail "a running job is lost: $(state "$running")"
memory_after=$(memory)
[ "$memory_after" = "$memory_before" ] || fail "the upgrade has lost something: $(diff <(echo "$memory_before") <(echo "$memory_after"))"
awk -v before="$fairshare_before" -v after="$(fairshare)" 'BEGIN { exit !(before > 0 && after >= before) }' ||
  fail "fairshare had $fairshare_before processor hours before the upgrade, and has $(fairshare)"
inside releaseres keep.0 >/dev/null || fail "the reservation cannot be released"
inside scancel "$mine"
over() { [ -z "$(state "$1")" ] || is_in_state "$1" COMPLETED; }
within 90 over "$running"
[ "$(inside grep -c -x running /tmp/ran)" = 1 ] || fail "a job was started $(inside grep -c -x running /tmp/ran) times"
[ "$(inside grep -c -x done /tmp/ran)" = 1 ] || fail "a job did not come to its end"

# A service that is stopped stays so; as another user than root, as install.md says.
inside systemctl stop maui
inside dpkg --configure -a && inside apt-get install -q -y --reinstall --allow-downgrades /root/maui-server_*.deb >/dev/null 2>&1
inside systemctl is-active -q maui && fail "an upgrade starts a scheduler that was stopped"
inside systemctl start maui
within 20 inside showq

# --- Out again -----------------------------------------------------------------------------------
inside scancel "$early"
late=$(submit -n 2 -t 5 --begin=now+3600 --wrap 'echo late >>/tmp/ran')
tell_holds=$(commands 'Take it out again' | head -n 1) # while there is somebody to ask
inside bash -c "$tell_holds" || fail "'$tell_holds' of the page fails"
inside systemctl stop maui
waits=$(submit -n 1 -t 5 --wrap 'echo waits >>/tmp/ran')
is_in_state "$waits" PENDING || fail "a job passes the gate without maui: $(state "$waits")"
inside sh -c 'echo >>/etc/maui/maui.cfg'
follow 'Take it out again'
within 30 answers
[ "$(configuration)" = "$configuration_before" ] || fail "Slurm is not as it was:
$(diff <(echo "$configuration_before") <(configuration))"
forbids || fail "the site's script is gone"
within 100 over "$waits" # Slurm itself looks once a minute
within 30 over "$waiting"
for name in waits waiting; do [ "$(inside grep -c -x $name /tmp/ran)" = 1 ] || fail "job '$name' ran $(inside grep -c -x $name /tmp/ran) times: $(inside squeue -o '%i %T %r %C %A')"; done
inside grep -q -x -e held -e kept /tmp/ran && fail "a job that people hold was started"
for name in "$held" "$kept"; do
  inside scontrol release "$name"
  within 30 over "$name"
done
is_in_state "$late" PENDING || fail "a job that is to begin later is $(state "$late")"
inside test -e /etc/maui/maui.cfg || fail "removing takes the configuration"
inside sh -c 'command -v showq maui' && fail "programs are left"

# A home directory that two hosts share outlives the package on one of them.
inside sh -c 'mount -t tmpfs shared /var/spool/maui && touch /var/spool/maui/maui.ck' || fail "nothing can be mounted"
inside sh /var/lib/dpkg/info/maui-server.postrm purge >"$work/purge.txt" 2>&1 || fail "postrm: $(cat "$work/purge.txt")"
inside test -e /var/spool/maui/maui.ck || fail "a purge removes what another host has mounted, too"
grep -q 'is mounted and stays' "$work/purge.txt" || fail "a purge does not say what it leaves"
inside umount /var/spool/maui
inside apt-get purge -q -y maui-server maui-client maui-slurm >"$work/purge.txt" 2>&1 || fail "purge: $(tail -n 5 "$work/purge.txt")"
inside apt-get autoremove --purge -q -y >"$work/purge.txt" 2>&1 || fail "autoremove: $(tail -n 5 "$work/purge.txt")"
inside getent passwd maui >/dev/null && fail "the user maui is left"
inside dpkg-query -W 'maui-*' 2>/dev/null | grep -q . && fail "packages are left: $(inside dpkg-query -W 'maui-*')"
left=$(diff <(echo "$files_before") <(files) | grep '^[<>]' | grep -v -e '/etc/.*-$' -e 'ld.so.cache' -e /var/tmp/systemd-private-)
[ -z "$left" ] || fail "files are left, or gone: $left"
[ "$failures" -gt 0 ] || echo "The packages install, upgrade and go ($init, $suite, $SECONDS s)."
exit "$((failures > 0))"
