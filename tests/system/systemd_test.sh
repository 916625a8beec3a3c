# The unit of etc/ under a systemd of its own, which runs in namespaces, over a copy of this machine's
# files: set up as docs/manual/install.md says, killed, reloaded, stopped, started, and how much it may do.
source=$(cd "$(dirname "$0")/../.." && pwd)
. "$source/tests/system/live_support.sh"
build=$(dirname "$bin")

leave_out() {
  echo "left out: $1"
  exit 77
}
[ "$(id -u)" -eq 0 ] || leave_out "only root can have namespaces"
[ -x /lib/systemd/systemd ] || leave_out "systemd is not installed"
[ -d /sys/fs/cgroup/systemd ] || leave_out "control groups are not of the first version"
[ ! -d /run/systemd/system ] || leave_out "this machine's own systemd is not to be disturbed"

# boot DIRECTORY BUILD SOURCE: in new namespaces.  What is written goes to memory.
boot() {
  local mounts=$1 root=$1/root one
  mount --make-rprivate / && mount -t tmpfs tmpfs "$mounts" && mkdir "$mounts"/{upper,work,root} &&
    mount -t overlay -o "lowerdir=/,upperdir=$mounts/upper,workdir=$mounts/work" overlay "$root" &&
    mount -t proc proc "$root/proc" && mount -t tmpfs tmpfs "$root/run" &&
    mount --rbind /dev "$root/dev" && mount -t sysfs sysfs "$root/sys" &&
    mount -t tmpfs tmpfs "$root/sys/fs/cgroup" && mkdir "$root/sys/fs/cgroup/systemd" &&
    mount -t cgroup -o none,name=systemd cgroup "$root/sys/fs/cgroup/systemd" || return
  for one in "$2" "$3"; do mount --rbind "$one" "$root$one" || return; done
  rm -rf "$root"/{etc,lib}/systemd/system/*.wants
  chroot "$root" cmake --install "$2" --prefix /usr/local >/dev/null &&
    cd "$root" && mkdir before && pivot_root . before && umount -l before &&
    exec env -i container=test PATH="$PATH" /lib/systemd/systemd --system --unit=basic.target
}
export -f boot
mkdir mounts
group=/sys/fs/cgroup/systemd/maui-test-$$
mkdir "$group" || leave_out "control groups cannot be made"
(
  echo "$BASHPID" >"$group/cgroup.procs"
  exec unshare --pid --fork --kill-child=KILL --mount --uts --ipc --cgroup \
    bash -c 'boot "$@"' boot "$MAUIHOMEDIR/mounts" "$build" "$source" >boot.txt 2>&1
) &
namespaces=$!
finish_systemd() {
  kill -KILL "$(pgrep -P "$namespaces")" 2>/dev/null
  wait "$namespaces" 2>/dev/null
  find "$group" -depth -type d -exec rmdir {} +
  finish_live
}
trap finish_systemd EXIT
inside() {
  nsenter -t "$(pgrep -P "$namespaces")" --pid --mount --uts --ipc \
    env -u MAUIHOMEDIR PATH=/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin "$@"
}
property() { inside systemctl show -P "$1" maui.service; }
is() { [ "$(property "$1")" = "$2" ]; }
within 30 inside systemctl is-system-running || { cat boot.txt; exit 1; }

serve
inside install -d /var/spool/maui
inside tee /var/spool/maui/maui.cfg >/dev/null <<END
SERVERMODE       NORMAL
SERVERHOST       localhost
SERVERPORT       $port
ADMIN1           root
RMCFG[local]     TYPE=WIKI HOST=127.0.0.1 PORT=$rm_port TIMEOUT=2 EPORT=$event_port
RMPOLLINTERVAL   1
NODEACCESSPOLICY SHARED
END
inside maui --generate-key >/dev/null
inside sh -c 'echo "CLIENTCFG[RM:local] KEY=12345" >>/var/spool/maui/maui-private.cfg'
# The sanitizers of a test build look for leaks as a debugger would, which the unit forbids.
inside mkdir -p /etc/systemd/system/maui.service.d
printf '[Service]\nEnvironment=ASAN_OPTIONS=detect_leaks=0\n' |
  inside tee /etc/systemd/system/maui.service.d/test.conf >/dev/null
inside systemctl enable --now maui.service 2>/dev/null || fail "it does not start"

is ActiveState active || fail "it is not active: $(inside systemctl --no-pager status maui)"
[ "$(inside systemctl is-enabled maui.service)" = enabled ] || fail "it is not enabled"
job=$(submit "echo \$JOBID >>$RAN; sleep 600")
within 20 shown Running inside checkjob "$job"

# It comes back when it is killed, and takes over what runs.
before=$(property MainPID)
inside kill -KILL "$before"
within 20 is NRestarts 1
within 20 is ActiveState active
[ "$(property MainPID)" != "$before" ] || fail "it is the same process"
within 20 shown Running inside checkjob "$job"
lines_are ran 1 || fail "the job was started $(wc -l <ran) times"

inside sed -i 's/^RMPOLLINTERVAL.*/RMPOLLINTERVAL 2/' /var/spool/maui/maui.cfg
inside systemctl reload maui.service || fail "it cannot be reloaded"
within 20 shown 'RMPOLLINTERVAL *0*:*0*:*0*2' inside showconfig

inside systemctl stop maui.service
is Result success || fail "it was not stopped well: $(property Result)"
inside test -s /var/spool/maui/maui.ck || fail "it left no checkpoint"
inside systemctl start maui.service || fail "it does not start again"
within 20 shown Running inside checkjob "$job"

# It has no right that it does not need; without PBS not even ports below 1024.
status=$(inside cat "/proc/$(property MainPID)/status")
says '^CapEff:.0*$' "$status"
says '^CapPrm:.0*$' "$status"
says '^CapBnd:.0*$' "$status"
says '^NoNewPrivs:.1$' "$status"
says '^Seccomp:.2$' "$status"
inside nsenter -t "$(property MainPID)" -m touch /etc/written 2>/dev/null && fail "it can write to /etc"
inside systemd-analyze security --no-pager --threshold=25 maui.service >exposure.txt ||
  fail "$(tail -n 3 exposure.txt)"

# With a mistake in its configuration it does not start, and is not tried again and again.
inside systemctl stop maui.service
inside sh -c 'echo BACKFILLPOLICY SOMETIMES >>/var/spool/maui/maui.cfg'
inside systemctl start maui.service 2>/dev/null && fail "it starts with a mistake in its configuration"
is ActiveState failed || fail "after a mistake it is $(property ActiveState)"
exit "$failures"
