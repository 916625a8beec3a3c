# ./testdrive --live: both resource managers run jobs, a second drive ends the first, and the words for
# ending it end it.  Without Slurm it is wiki_rm alone.
# Usage: slurm_drive_test.sh BIN_DIRECTORY PORT
source=$(cd "$(dirname "$0")/../.." && pwd)
. "$source/tests/system/support.sh"
. "$source/tests/slurm/private_slurm.sh"
export WIKI_RM_SOCKET=$MAUIHOMEDIR/wiki_rm.sock
words=

end_drive() { (PATH=$bin:$PATH && eval "${words:-:}") >/dev/null 2>&1; }
finish_drive() {
  end_drive
  finish
}
trap finish_drive EXIT
drive() {
  output=$("$source/testdrive" --live --programs "$bin" --home "$MAUIHOMEDIR" 2>&1) || fail "$output"
  words=$(grep '^    schedctl -k;' <<<"$output")
}
runs() { shown "^ *$1 .*Running" showq; }

drive
with_slurm=
(need_slurm "$bin") >/dev/null && with_slurm=yes
within 20 runs local.1
if [ -n "$with_slurm" ]; then
  within 20 runs 1
  within 20 shown 'RM\[slurm\].*Active' diagnose -R
else
  says 'Slurm is left out' "$output"
fi
first=$(cat "$MAUIHOMEDIR"/*.pid "$MAUIHOMEDIR"/slurm/*.pid 2>/dev/null | tr -cs '0-9' ' ')

drive
within 20 runs local.1
for process in $first; do
  kill -0 "$process" 2>/dev/null && fail "process $process of the first drive still runs"
done
second=$(cat "$MAUIHOMEDIR"/*.pid "$MAUIHOMEDIR"/slurm/*.pid 2>/dev/null | tr -cs '0-9' ' ')
end_drive
none_left() {
  local process
  for process in $second; do kill -0 "$process" 2>/dev/null && return 1; done
  return 0
}
within 20 none_left
exit "$failures"
