# Every kind of wrong input, given to the real programs, has a message that says where and what.
script=$(readlink -f "$0")
. "$(dirname "$0")/support.sh"

cd "$MAUIHOMEDIR" || exit 1
workload 5 >workload.swf
lines=7 # that configure writes before its own

# --- maui.cfg: maui and maui --check-config say the same, and neither goes on.
refused_config() {
  configure "$1"
  expect 1 "maui.cfg:$((lines + 1)): $2" maui --check-config
  expect 1 "maui.cfg:$((lines + 1)): $2" maui
}
refused_config 'BACKFILPOLICY NONE' \
  "unknown parameter 'BACKFILPOLICY' (did you mean 'BACKFILLPOLICY'?)"
refused_config 'RMPOLLINTERVAL soon' "RMPOLLINTERVAL: invalid duration 'soon': expected "
refused_config 'LOGLEVEL 12' 'LOGLEVEL: 12 is out of range: expected a whole number from 0 to 9'
refused_config 'LOGLEVEL' 'LOGLEVEL: no value: expected'
refused_config 'LOGLEVEL[2] 1' 'LOGLEVEL\[2\]: this parameter takes no index but 0'
refused_config 'USERCFG[amy] PRIORTY=1' \
  "USERCFG\[amy\]: unknown attribute 'PRIORTY' (did you mean 'PRI"
refused_config 'CLIENTKEY[rm] 12345' 'CLIENTKEY is allowed only in maui-private.cfg'
refused_config "LOGDIR 'log" "a quotation begins with ' and does not end"
configure
expect 0 'no errors, no warnings: the scheduler would start with it' maui --check-config
configure 'JOBSIZEPOLICY x'
expect 0 'JOBSIZEPOLICY is set but has no effect in this release' maui --check-config
# What does not fit this machine: maui --check-config and a start give the same warnings.
warned_config() {
  configure "$1"
  expect 0 "^WARNING: .*maui.cfg:$((lines + 1)): $2" maui --check-config
  expect 0 "^WARNING: .*maui.cfg:$((lines + 1)): $2" maui
  logged "WARNING: .*maui.cfg:$((lines + 1)): $2"
}
warned_config 'MAUIHOMEDIR /nowhere' "MAUIHOMEDIR: '/nowhere' is ignored: the home directory is '$MAUIHOMEDIR'"
[ ! -x "$bin/maui-munge" ] ||
  warned_config "CLIENTCFG[DEFAULT] AUTHTYPE=MUNGE MUNGESOCKET=$MAUIHOMEDIR/none" \
    "CLIENTCFG: AUTHTYPE=MUNGE: commands that munge vouches for are refused until munged answers: munge: .*$MAUIHOMEDIR/none"
configure 'ADMINHOST nosuchhost.invalid'
expect 0 "WARNING: .*host 'nosuchhost.invalid' of ADMINHOST" maui --check-config
expect 0 '' maui
logged "WARNING: *host 'nosuchhost.invalid' of ADMINHOST"
expect 1 'nosuch.cfg: cannot be read: No such file' maui --check-config nosuch.cfg
expect 1 'nosuch.cfg: cannot be read: No such file' maui -C nosuch.cfg

# --- maui-private.cfg
configure
printf 'SECRET %064d\n' 7 >maui-private.cfg
chmod 644 maui-private.cfg
expect 1 'maui-private.cfg: others can reach this file (mode 0644): expected mode 0600' maui
chmod 600 maui-private.cfg
echo 'LOGLEVEL 3' >>maui-private.cfg
expect 1 'maui-private.cfg:2: LOGLEVEL belongs in maui.cfg' maui
echo 'SECRET 1234' >maui-private.cfg
expect 1 'maui-private.cfg:1: SECRET: the secret is too short: expected at least 64 hex' maui
rm maui-private.cfg

# --- records of jobs that cannot be written are lost, which is no success.
workload 5 >workload.swf
configure 'STATDIR workload.swf/stats'
start
ended 1
says '^ERROR:    records of jobs are lost: .*workload.swf/stats' "$(<out)"

# --- traces: a bad line is named with file, line and field, and counted; the others are used.
reported() { # PATTERN...: the log of a run that ends with what was lost
  start
  ended 1
  says "^WARNING:  [0-9]* lines* of the traces could not be used, the first: .*$1" "$(<out)"
  local pattern
  for pattern in "$@"; do logged "$pattern"; done
}
# refuses FILE PATTERN: the scheduler does not start, and says why.
refuses() {
  expect 1 "$1" maui
}

sed -i '4s/600/many/' workload.swf
configure
reported "workload.swf:4: invalid field 4 (Run Time) 'many': expected a number" '1 bad line'
workload 5 | sed '5s/.*/3 60 -1/' >workload.swf
reported 'workload.swf:5: 3 fields, expected 18' '1 bad line'
workload 2000 | gzip >workload.swf.gz
truncate -s -200 workload.swf.gz
configure 'SIMEXITITERATION 3'
sed -i 's/workload.swf$/workload.swf.gz/' maui.cfg
reported 'workload.swf.gz:' 'workload.swf.gz:[0-9]*: .*unexpected end of file'
configure
workload 1 | sed 's/ 1200 / soon /' >workload.swf
refuses "no usable job record.*swf:3: invalid field 9 (Requested Time) 'soon': expected a number"
workload 3 | sed '4s/ 600 1 -1 -1 1 / 600 9 -1 -1 9 /' >workload.swf
start
ended 0
logged 'workload.swf:4: field 8 (Requested Processors): job 2 requests 9, expected at most the 4'
says '^WARNING:  1 job of the workload did not take part' "$(<out)"
workload 2 | sed '/Max/d' >workload.swf
refuses "the log's header has neither MaxNodes nor MaxProcs: expected one of them"

source=$(cd "$(dirname "$script")/../../traces" && pwd)
good_traces() {
  head -n 30 "$source/Resource.Trace1" >nodes
  head -n 40 "$source/Workload.Trace1" >jobs
}
record=20 # a line of both
configure 'SIMRESOURCETRACEFILE nodes' 'SIMWORKLOADTRACEFILE jobs'
good_traces
awk -v at=$record 'NR == at { $8 = "huge" } 1' nodes >x && mv x nodes
reported "nodes:$record: invalid field 8 (Configured Disk) 'huge': expected" '1 bad line'
good_traces
sed -i "${record}s/.*/COMPUTENODE AVAILABLE 0 n/" nodes
reported "nodes:$record: 4 fields, expected 21"
good_traces
sed -i "$((record + 1))s/.*/$(sed -n ${record}p nodes)/" nodes
reported "nodes:$((record + 1)): field 4 (Resource ID): '.*' occurs twice"
good_traces
sed -i 's/AVAILABLE/ABLE/' nodes
refuses "nodes: no usable node record.*invalid field 2 (Event Type) 'ABLE': expected"
good_traces
awk -v at=$record 'NR == at { $6 = "never" } 1' jobs >x && mv x jobs
reported "jobs:$record: invalid field 6 (.*) 'never': expected" '1 bad line'
good_traces
awk -v at=$record 'NR == at { NF = 30 } 1' jobs >x && mv x jobs
reported "jobs:$record: 30 fields, expected 44"
good_traces
sed -i 's/Completed/Finished/' jobs
refuses "jobs: no usable job record.*invalid field 7 (.*) 'Finished': expected Completed, Removed or NotRun"
good_traces
rm jobs
refuses 'jobs: cannot be read: No such file'

# --- command lines
workload 5 >workload.swf
configure 'SIMSTOPITERATION 1'
expect 2 "unknown option '-Z'" maui -Z
expect 2 "loglevel: invalid value '12': expected a number from 0 to 9" maui -L 12
expect 2 'configfile must be followed by FILE' maui --configfile
maui --generate-key >/dev/null || fail "maui --generate-key"
start
expect 2 "unknown flag '-Z'" showq -Z
expect 2 'expected JOB' checkjob
expect 2 '-L' showq -L high
expect 1 "'checkjob' failed" checkjob nosuch
expect 1 "-S: invalid value 'x': expected a number of iterations up to 100000000000, or .*SS, and perhaps I" schedctl -S x
expect 1 "BACKFILLPOLICY: unknown value 'WIDE': expected FIRSTFIT" changeparam BACKFILLPOLICY WIDE
expect 0 'BACKFILLPOLICY\[0\]  *FIRSTFIT' showconfig

# --- the wire: a line in the log with the peer's address, its connection closed, others served.
key=$MAUIHOMEDIR/maui-private.cfg
refused() { # PATTERN
  await "ALERT: .*client 127.0.0.1:[0-9]* refused: $1"
  : >"$MAUIHOMEDIR/log/maui.log" # the next one is not to be taken for this
  expect 0 'ACTIVE JOBS' showq --host=localhost --keyfile="$key"
}
packet() { # BYTES: sends them, and returns when the server has closed the connection
  exec 3<>"/dev/tcp/127.0.0.1/$port"
  printf '%b' "$1" >&3
  timeout 60 cat <&3 >"$MAUIHOMEDIR/answer" || fail "the connection stays open after '$1'"
  exec 3>&-
  [ ! -s "$MAUIHOMEDIR/answer" ] || fail "'$1' is answered"
}
message() { # ANSWERS KEYFILE SECONDS_AGO TIMES DATA
  local answers
  answers=$(send_message "$port" "${@:2}" | tr '\n' ' ')
  [ "$answers" = "$1 " ] || fail "a message is $answers, not $1"
}
packet 'GET / HTTP/1.0\r\n\r\n'
refused 'a frame must begin with its size in eight decimal digits'
packet '99999999 '
refused 'a frame of 99999999 bytes is above the limit of 1048640'
packet '00000005 hello'
refused 'a message begins with CK='
packet '00000023 CK=00 TS=now AUTH=x DT='
refused 'TS= is not a time in epoch seconds'
packet '00000021 CK=00 TS=5 AUTH=x DT='
refused 'wrong checksum'
printf 'SECRET %064d\n' 7 >"$MAUIHOMEDIR/other"
message closed "$MAUIHOMEDIR/other" 0 1 '{}'
refused 'wrong checksum'
message closed "$key" 1000 1 '{}'
refused 'its time is [0-9]* seconds behind the server.s; CLIENTMAXSKEW allows 300'
message closed "$key" -1000 1 '{}'
refused 'its time is [0-9]* seconds ahead of the server.s'
message 'answered closed' "$key" 0 2 '{}'
refused 'it repeats an earlier message'
message answered "$key" 0 1 'no request at all'

# --- users without the right
if [ -n "$(other_user)" ]; then
  chmod 755 "$MAUIHOMEDIR"
  expect 0 'ACTIVE JOBS' as_other showq
  expect 1 "user 'nobody' is not authorized to run command 'schedctl' (requires ADMIN1)" \
    as_other schedctl -k
  expect 1 "user 'nobody' is not authorized to run command 'changeparam'" \
    as_other changeparam LOGLEVEL 3
  job=$(showq --format=json | grep -o '"name": *"[0-9]*"' | head -n 1 | grep -o '[0-9]*')
  expect 1 "user nobody is not authorized to .* job .$job." as_other canceljob "$job"
  expect 0 '' checkjob "$job"
else
  echo "nobody else can run the programs: what other users may not do is not tested"
fi
expect 0 '' schedctl -k
ended 0
# --- wiki_rm
expect 2 'serve has no option --tasks' wiki_rm serve --tasks 3
expect 2 'submit has no option --task (did you mean --tasks?)' wiki_rm submit --task 3 true
expect 2 'jobs has no option --port' wiki_rm jobs --port 5
expect 2 '--hold maybe: expected yes' wiki_rm submit --hold maybe true
verdict
