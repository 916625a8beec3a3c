# The flags that every command has, and what wrong ones lead to.
. "$(dirname "$0")/support.sh"

workload 20 >"$MAUIHOMEDIR/workload.swf"
configure "SIMSTOPITERATION 1"
out=$MAUIHOMEDIR/stdout
err=$MAUIHOMEDIR/stderr

# says STATUS FILE PATTERN COMMAND...: exit status; only FILE has anything, and the pattern.
says() {
  local status=$1 file=$2 pattern=$3 got other=$err
  shift 3
  [ "$file" = "$err" ] && other=$out
  "$@" >"$out" 2>"$err"
  got=$?
  [ "$got" -eq "$status" ] || fail "'$*' exits $got, not $status: $(cat "$out" "$err")"
  grep -q -- "$pattern" "$file" || fail "'$*' does not say '$pattern': $(cat "$out" "$err")"
  [ ! -s "$other" ] || fail "'$*' writes where it should not: $(cat "$other")"
}

commands=$(maui_client --commands)
[ "$(wc -w <<<"$commands")" -ge 20 ] || fail "there are too few commands: $commands"
for command in $commands; do
  # mjobctl -h holds jobs, as in release 3.3.
  [ "$command" = mjobctl ] || says 0 "$out" '^Usage: ' "$command" -h
  says 0 "$out" '^Usage: ' "$command" --help
  says 0 "$out" 'client version' "$command" --version
  says 2 "$err" "unknown flag '-Z'" "$command" -Z
  says 2 "$err" "^Try '[a-z]* --help'.$" "$command" -Z
  says 2 "$err" "unknown option '--nosuch'" "$command" --nosuch
  says 2 "$err" 'expected text, json, xml or svg' "$command" --format=pdf
  says 2 "$err" "--port: invalid value 'none': expected a number" "$command" --port=none
done

# Without an object or a choice, the command line is wrong; no server is asked.
for command in canceljob checkjob checknode releasehold releaseres runjob sethold setres showgrid showstart; do
  says 2 "$err" "^ERROR:    $command: expected " "$command"
done
says 2 "$err" 'expected PRIORITY JOB' setspri 1
says 2 "$err" 'expected PARAMETER VALUE' changeparam BACKFILLPOLICY
says 2 "$err" 'expected one of -a, .* and -t' diagnose
says 2 "$err" 'expected one of -c, -C, -h, -m' mjobctl 1
says 2 "$err" 'expected one of -k, -l, -m, -n, -r, -R, -s and -S' schedctl
says 2 "$err" "unexpected 'j2'" checkjob j1 j2

expect 0 '' maui --generate-key
start
for command in showq 'showq -i' 'showq -r' 'showq -r -e' 'showq -b' 'showbf -v' 'showstart 1@60' showstate \
  showstats 'showstats -u' 'showstats -l' 'showstats -n' 'showgrid JOBCOUNT' showconfig showres 'showres -n' \
  'showres --gantt' 'diagnose -j' 'diagnose -m' 'diagnose -n' 'diagnose -p' 'diagnose -q' \
  'diagnose -r' 'diagnose -R' 'diagnose -t' 'schedctl -l' 'schedctl -n'; do
  # shellcheck disable=SC2086
  says 0 "$out" '^  "reply": "' $command --format=json
done
says 0 "$out" 'ACTIVE JOBS' showq -C "$MAUIHOMEDIR/maui.cfg" --host=localhost --port="$port" \
  --keyfile="$MAUIHOMEDIR/maui-private.cfg" -L 0

# Lists as tables, in text and JSON; of commands that change something, and of answers that are no
# list, there are none.
says 0 "$out" '^idle: name user' showq --columns help
says 0 "$out" '^NAME  PROCS$' showq -r --columns name,procs
first=$(showq -r --columns name,procs --sort=-procs,name --limit 1 | sed -n 2p)
[ "$first" = "$(showq -r --columns name,procs | sed '1d' | sort -k2nr -k1,1 | head -1)" ] ||
  fail "'$first' comes first"
says 0 "$out" '^... and [0-9]* more$' showq -r --limit 1
says 0 "$out" '"reply": "active_queue"' showq -r --limit 1 --format=json
[ "$(grep -c '"name"' "$out")" -eq 1 ] || fail "not one row: $(cat "$out")"
says 2 "$err" "unknown column 'colour': --columns help shows all" showq --columns colour
says 2 "$err" 'the reply contains no list' showstats --limit 3
says 2 "$err" 'require a command that changes nothing' canceljob --limit 1 1
# A client that asks for JSON is told of mistakes in JSON, too.
misused_json() {  # WHY COMMAND...
  "${@:2}" >"$out" 2>"$err"
  [ $? -eq 2 ] || fail "'${*:2}' is no mistake"
  [ "$(cat "$out")" = "{\"error\":{\"status\":2,\"message\":\"$1\"}}" ] || fail "'${*:2}' says $(cat "$out")"
  grep -qF -- "ERROR:    $1" "$err" || fail "'${*:2}' says $(cat "$err")"
}
misused_json 'showq: --columns requires text output; JSON contains all members' showq --columns name --format=json
misused_json "showq: unknown option '--nosuch'" showq --nosuch --format json
misused_json 'showq: unexpected '"'x'" showq --format=json x
says 2 "$err" 'require text or JSON output' showq --limit 1 --format=xml
grep -q "$(printf '\033')" <(showq -r --limit 3) && fail "colours are no terminal's"
# Whoever watches sees the queue again and again until he goes away.
[ "$(showq --watch 1 | grep -m 2 -c '^Every 1 s: showq ')" -eq 2 ] || fail "--watch asks once"

# XML, as the tools of later years read it; of other answers there is none, and nothing is done.
for command in 'showq --xml' 'showq --xml -w user=u1' 'showq -b --xml' 'showq -c --xml' 'checkjob --xml 1' 'diagnose -n --xml' \
  'mdiag -j --xml' 'showstate -x'; do
  # shellcheck disable=SC2086
  says 0 "$out" '^<Data>.*</Data>$' $command
done
says 2 "$err" 'schedctl: -j no longer exists: jobs are submitted to' schedctl -j x
says 2 "$err" 'canceljob: has no XML output' canceljob --xml 1
says 1 "$err" "-w 'colour=red': expected user, group" showq -w colour=red

# One parameter is shown, or changed, by schedctl, too.
says 0 "$out" '^BACKFILLPOLICY' schedctl -l BACKFILLPOLICY
says 1 "$err" "unknown parameter 'NOSUCH'" schedctl -l NOSUCH
says 0 "$out" 'parameters modified' schedctl -m LOGLEVEL 4
says 0 "$out" '^LOGLEVEL  *4$' schedctl -l LOGLEVEL
says 1 "$err" 'PARAMETER VALUE' schedctl -m LOGLEVEL
says 1 "$err" "unexpected '7'" schedctl -n 7

# Charts are drawn as wide as the terminal, or as a picture; nothing else is a picture.
says 0 "$out" '^ *n.* [A-Z.]\{24,\}$' showres --gantt -d 1:00:00
says 0 "$out" '^<svg ' showres --gantt --format=svg
says 2 "$err" '--format=svg requires showres --gantt' showq --format=svg
says 1 "$err" "invalid value 'soon': expected the length of the chart" showres --gantt -d soon
says 1 "$err" '-d requires --gantt' showres -d 1:00:00

# A device that is full, or closed, is an error, and ends nothing by a signal.
for command in 'showq' 'showq --help' 'maui --version' 'maui --check-config'; do
  $command >/dev/full 2>"$err"
  [ $? -eq 1 ] || fail "'$command' does not notice that nothing can be written"
  grep -q '^ERROR:    cannot write the answer: No space left' "$err" || fail "'$command' does not say so: $(cat "$err")"
done
checkjob nosuch 2>/dev/full
[ $? -eq 1 ] || fail "a refusal that cannot be written is not a refusal"

# Where only some of the objects can be acted on, the rest is said and the command counts as refused.
says 1 "$out" 'cannot locate job .nosuch' sethold nosuch 1
says 1 "$out" 'job holds adjusted' releasehold 1 nosuch
says 1 "$out" "^job '1' cancelled" canceljob nosuch 1
says 1 "$err" "^ERROR:    'canceljob' failed" canceljob nosuch
expect 0 '' schedctl -k
ended 0
verdict
