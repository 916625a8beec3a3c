# Two schedulers for one home directory, as on two hosts: what commands are told right after a takeover,
# and a host that has another home directory than it should.
. "$(dirname "$0")/live_support.sh"

ports=("$port" "$(free_port $((port + 100)) 50)")
configure
cat >maui.cfg <<END
SERVERMODE       NORMAL
SERVERHOST       localhost:${ports[0]},localhost:${ports[1]}
LEASETIME        2
ADMIN1           $(id -un)
LOGLEVEL         2
RMCFG[local]     TYPE=WIKI HOST=127.0.0.1 PORT=$rm_port AUTHTYPE=NONE TIMEOUT=30
RMPOLLINTERVAL   1
HTTPSOCKET       http.sock
END
expect 0 'a new secret' maui --generate-key
# A directory that nobody has made ready for both may be what is there while theirs is not mounted.
expect 1 'missing lease.*mounted here; maui --create-lease' maui --standby --foreground
expect 1 'missing lease' maui --foreground
expect 1 'missing lease' maui --check-config
expect 0 'maui.lease. is created' maui --create-lease
expect 0 'nothing was changed' maui --create-lease
expect 0 'would start with it' maui --check-config
wiki_rm serve --port "$rm_port" --nodes 2 --procs 2 >rm.out &
manager=$!
within 20 test -S "$WIKI_RM_SOCKET"

process=()
begin() { # HOST
  maui --standby --foreground --host "localhost:${ports[$1]}" --port "${ports[$1]}" >"out.$1" 2>&1 &
  process[$1]=$!
  scheduler=$!
}
# Through the network: the socket in the home directory is that of whoever bound it last.
ask() { "$@" --keyfile maui-private.cfg; }
serves() { showq --keyfile maui-private.cfg --host "localhost:${ports[$1]}"; }
kill_and_wait() { kill -KILL "$1"; wait "$1" 2>/dev/null; }

begin 0
within 60 serves 0
begin 1
within 60 grep -q 'standing by' out.1
job=$(wiki_rm submit --limit 600 "sleep 300")
within 20 shown Running ask checkjob "$job"

# The other has taken over before the resource manager says what there is.
kill -STOP "$manager"
kill_and_wait "${process[0]}"
within 60 grep -q 'taking over' out.1
ask showq >first.txt 2>&1 &
first=$!
ask checkjob "$job" >second.txt 2>&1 &
second=$!
twice_started() { [ "$(grep -c 'scheduler started' log/maui.log)" -eq 2 ]; }
within 20 twice_started
kill -CONT "$manager"
wait "$first" "$second"
grep -q "^$job .*Running" first.txt || fail "the first answer after a takeover lacks the job: $(cat first.txt)"
grep -q '^State: Running' second.txt || fail "the job is not known right after a takeover: $(cat second.txt)"

# One that is silent is not waited for for ever.
begin 0
within 60 grep -q 'standing by' out.0
kill -STOP "$manager"
kill_and_wait "${process[1]}"
expect 0 'ACTIVE JOBS' ask showq
expect 0 "WARNING: *resource manager 'local' has not reported yet" ask showq
expect 0 '"not_reported": \[' ask showq --format=json
[ -z "$(ask showq --format=json 2>&1 >showq.json)" ] || fail "JSON comes with words beside it"
expect 1 "cannot locate job '$job'; resource manager 'local' has not reported" ask checkjob "$job"
expect 0 'Unknown' ask diagnose -R
[ -z "$(ask diagnose -R 2>&1 >/dev/null)" ] || fail "diagnose -R is told to ask diagnose -R"
[ -z "$(ask showconfig 2>&1 >/dev/null)" ] || fail "showconfig tells of no jobs"
kill -CONT "$manager"
within 20 shown Running ask checkjob "$job"
[ -z "$(ask showq 2>&1 >/dev/null)" ] || fail "what has reported is said not to have"

# A client at the socket of one that is stopped is answered by the one that takes over.
begin 1
within 60 grep -q 'standing by' out.1
kill -STOP "${process[0]}"
expect 0 'ACTIVE JOBS' showq
! command -v curl >/dev/null || expect 0 '"healthy"' curl --silent --max-time 20 --unix-socket http.sock http://localhost/health
kill -CONT "${process[0]}"
wait "${process[0]}"
status=$?
[ "$status" -eq 75 ] || fail "the one that was stopped ends with $status: $(cat out.0)"

# Requests that the stopped one had sent may arrive now: they have no effect.
held=$(wiki_rm submit --hold yes --limit 600 "echo held >>$RAN")
within 20 ask checkjob "$held"
expect 0 '' ask sethold -s "$held"
wiki_rm release "$held" >/dev/null
newest=$(tail -n 1 maui.lease | awk '{ print $2 }')
over="SC=-700 RESPONSE=generation .* of the lease is over: generation $newest has asked since"
expect 0 "$over" ask_rm "CMD=CANCELJOB ARG=$job GENERATION=1 TYPE=ADMIN"
expect 0 "$over" ask_rm "CMD=STARTJOB ARG=$held GENERATION=$((newest - 1)) TASKLIST=node2"
expect 0 'State: Running' ask checkjob "$job"
expect 0 'SC=0 RESPONSE=done' ask_rm "CMD=STARTJOB ARG=$held GENERATION=$newest TASKLIST=node2"

# The shared directory is not there: nobody has ever had a lease in this one, but somebody schedules.
mkdir other
cp maui.cfg maui-private.cfg other
status=0
MAUIHOMEDIR=$PWD/other expect 1 'missing lease' maui --standby --foreground
MAUIHOMEDIR=$PWD/other maui --create-lease >other.txt || fail "no lease is made: $(cat other.txt)"
MAUIHOMEDIR=$PWD/other maui --standby --foreground >other.txt 2>&1 || status=$?
[ "$status" -eq 1 ] || fail "a scheduler of another home directory ends with status $status: $(cat other.txt)"
grep -q "a scheduler answers at localhost:${ports[1]}.*is it mounted" other.txt || fail "it does not say why: $(cat other.txt)"
[ ! -s other/maui.lease ] || fail "it has taken a lease of its own"

# Whoever ends the one that schedules is told that another may take over.
begin 0
within 60 grep -q 'standing by' out.0
expect 0 'another scheduler may take over' ask schedctl -k
wait "${process[1]}" || fail "schedctl -k: the scheduler ends with $?: $(cat out.1)"
within 60 grep -q 'taking over' out.0
within 60 serves 0
verdict
