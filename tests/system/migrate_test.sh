# maui --migrate as an administrator gives it: a file that the scheduler takes, and what it lacks on standard error.
. "$(dirname "$0")/support.sh"
data=$(cd "$(dirname "$0")/../data/migrate" && pwd)
cd "$MAUIHOMEDIR" || exit 1

expect 0 'slurm.conf:14: not taken over: shares of accounts and users' maui --migrate "$data/slurm.conf" -o maui.cfg
checked() { # FILE: it would start on the host that it names, where the helper for Slurm was built
  expect 0 '' sed -i 's/^SERVERHOST .*/SERVERHOST localhost/' "$1"
  if [ -x "$bin/maui-rm-slurm" ]; then expect 0 'no errors' maui --check-config "$1"; else expect 1 '1 error, no warnings' maui --check-config "$1"; fi
}
checked maui.cfg
expect 1 'maui.cfg.*cannot be made' maui --migrate "$data/slurm.conf" -o maui.cfg
expect 0 "sacctmgr-dump.cfg:26: not taken over: maxtresperjob=cpu=16 of user 'bob' in account 'theory'" \
  maui --migrate "$data/slurm.conf" --sacctmgr "$data/sacctmgr-dump.cfg,$data/sacctmgr-qos.txt" -o with.cfg
checked with.cfg
expect 0 'FSTARGET=15' grep -F 'USERCFG[bob]' with.cfg
expect 0 'MAXJOB\[USER:bob\]=2' grep -F 'ACCOUNTCFG[theory]' with.cfg
expect 1 "'nowhere' cannot be read" maui --migrate "$data/slurm.conf" --sacctmgr nowhere
mkfifo pipe
expect 1 "'pipe' is not a regular file" timeout 20 maui --migrate pipe
expect 1 "'pipe' is not a regular file" timeout 20 maui --migrate "$data/slurm.conf" --sacctmgr pipe
rm pipe
expect 1 'a file of Maui: --sacctmgr requires a slurm.conf' maui --migrate "$data/maui.cfg" --sacctmgr "$data/sacctmgr-qos.txt"
expect 2 '--sacctmgr requires --migrate' maui --sacctmgr "$data/sacctmgr-qos.txt"

printf '%s\n' '# maui.cfg 3.3.2' 'QOSCFG[hi] FLAGS=PREEMPTOR' >old.cfg
expect 0 'old.cfg:2: acts otherwise here: QOSCFG\[hi\] FLAGS=PREEMPTOR: release 3.3 ignored' maui --migrate old.cfg -o new.cfg
expect 0 '00:10:00' grep JOBMAXOVERRUN new.cfg
expect 0 'a file of Maui, 7 things' maui --migrate "$data/showconfig.txt" -o printed.cfg
exit "$failures"
