# Changes while the scheduler runs: reload, signals, the log; and how it ends.
. "$(dirname "$0")/support.sh"

workload 40 >"$MAUIHOMEDIR/workload.swf"
base="SIMSTOPITERATION 1"
configure "$base"
start
[ "$(cat "$MAUIHOMEDIR/maui.pid")" = "$scheduler" ] || fail "maui.pid does not hold the pid"

# SIGHUP with a good file: what may change does; what may not is named once and stays, wherever it
# is looked at.
configure "$base" "BACKFILLPOLICY BESTFIT" "SIMFLAGS IGNQOS" "SIMNODECOUNT 2" "SIMMRRANDOMDELAY 3"
kill -HUP "$scheduler"
await 'these keep their old values: SIMFLAGS SIMNODECOUNT SIMMRRANDOMDELAY$'
expect 0 'BACKFILLPOLICY\[0\]  *BESTFIT' showconfig
expect 0 'SIMMRRANDOMDELAY  *0' showconfig -v
expect 0 'SIMNODECOUNT  *0' showconfig -v
[ "$(grep -c 'keep their old values' "$MAUIHOMEDIR/log/maui.log")" -eq 1 ] || fail "named twice"

# The same of schedctl -R, which says so too; once the file agrees again there is nothing to say.
expect 0 'these parameters keep .* until the scheduler is restarted: SIMFLAGS SIMNODECOUNT SIMMRRANDOMDELAY$' schedctl -R
configure "$base" "BACKFILLPOLICY GREEDY"
reply=$(schedctl -R)
[ "$reply" = "configuration reloaded" ] || fail "schedctl -R says: $reply"
expect 0 'BACKFILLPOLICY\[0\]  *GREEDY' showconfig

# The output of showconfig -v is a file that says the same.
before=$(showconfig -v)
printf '%s\n' "$before" >"$MAUIHOMEDIR/maui.cfg"
reply=$(schedctl -R)
[ "$reply" = "configuration reloaded" ] || fail "schedctl -R says: $reply"
[ "$(showconfig -v)" = "$before" ] || fail "the rows of showconfig -v, reloaded, give others"

# A file with any error changes nothing at all.
configure "$base" "BACKFILLPOLICY FIRSTFIT" "LOGLEVEL 12"
kill -HUP "$scheduler"
await 'maui.cfg:10: LOGLEVEL: 12 is out of range: expected a whole number from 0 to 9'
await 'the configuration was not reloaded; all values are unchanged'
expect 1 'maui.cfg:10: LOGLEVEL: 12 is out of range' schedctl -R
[ "$(showconfig -v)" = "$before" ] || fail "a wrong file has changed something"

# Nor does changeparam with a wrong value, or of what only a restart can change.
expect 1 "BACKFILLPOLICY: unknown value 'WIDE': expected FIRSTFIT" changeparam BACKFILLPOLICY WIDE
expect 1 'SERVERPORT takes effect only when the scheduler starts' changeparam SERVERPORT 1
expect 1 'SIMNODECOUNT takes effect only when the scheduler starts' changeparam SIMNODECOUNT 2
expect 1 "unknown parameter 'LOGLEVE' (did you mean 'LOGLEVEL'?)" changeparam LOGLEVE 2
[ "$(showconfig -v)" = "$before" ] || fail "a wrong changeparam has changed something"

# Nor does a file of which one part only fails when it is used.
configure "$base" "QUEUETIMEWEIGHT 77" "STATDIR maui.cfg"
expect 1 "STATDIR: '$MAUIHOMEDIR/maui.cfg' cannot be written" schedctl -R
# A directory for statistics that cannot be made, or in which a file of today cannot be opened.
ln -s nowhere/at-all "$MAUIHOMEDIR/leads-nowhere"
mkdir -p "$MAUIHOMEDIR/occupied/stats.sim"
for refused in "leads-nowhere' cannot be written: No such file or directory" "occupied/stats.sim': Is a directory"; do
  configure "$base" "QUEUETIMEWEIGHT 77" "STATDIR ${refused%%[/\']*}"
  expect 1 "STATDIR: .*'$MAUIHOMEDIR/$refused" schedctl -R
  expect 1 "STATDIR: .*'$MAUIHOMEDIR/$refused" changeparam STATDIR "${refused%%[/\']*}"
  kill -HUP "$scheduler"
  await "ERROR: .*STATDIR: .*'$MAUIHOMEDIR/$refused"
done
# A socket that the next start could not make.
configure "$base" "QUEUETIMEWEIGHT 77" "HTTPSOCKET occupied"
expect 1 "HTTPSOCKET: .*occupied': there is a file that is not a socket" schedctl -R
configure "$base" "QUEUETIMEWEIGHT 77" "LOGDIR ." "LOGFILE maui.cfg"
expect 1 "LOGFILE: .* is also the configuration" schedctl -R
expect 1 "CHECKPOINTFILE: .* is also maui.seen" changeparam CHECKPOINTFILE maui.seen
[ "$(showconfig -v)" = "$before" ] || fail "a part of a wrong file has been applied"

# It may not be taken from the user who runs it.
configure "$base" "BACKFILLPOLICY GREEDY"
sed "s/^ADMIN1 .*/ADMIN1 nobody-at-all/" "$MAUIHOMEDIR/maui.cfg" >"$MAUIHOMEDIR/theirs.cfg"
cp "$MAUIHOMEDIR/theirs.cfg" "$MAUIHOMEDIR/maui.cfg"
expect 1 "ADMIN1: expected user '$(id -un)' first, who runs the scheduler" schedctl -R
expect 1 "ADMIN1: expected user '$(id -un)' first" changeparam ADMIN1 nobody-at-all $(id -un)
[ "$(showconfig -v)" = "$before" ] || fail "a reload without the scheduler's own user has changed something"
printf '%s\n' "$before" >"$MAUIHOMEDIR/maui.cfg"

# A log that was moved away is begun anew.
mv "$MAUIHOMEDIR/log/maui.log" "$MAUIHOMEDIR/log/away"
kill -HUP "$scheduler"
within 60 grep -q 'the configuration was reloaded' "$MAUIHOMEDIR/log/maui.log"
expect 0 'BACKFILLPOLICY\[0\]  *GREEDY' showconfig

# Without its directory, the reload says so; the log is begun anew when the directory is there again.
rm -r "$MAUIHOMEDIR/log"
expect 1 "the configuration was reloaded, but the log '.*' cannot be opened again" schedctl -R
mkdir "$MAUIHOMEDIR/log"
expect 0 'configuration reloaded' schedctl -R
within 60 grep -q "the log's file could be opened again" "$MAUIHOMEDIR/log/maui.log"

# Where files are may change while it runs; they go on there.
expect 0 'modified' changeparam STATDIR other
expect 0 'modified' changeparam LOGFILE moved.log
[ -d "$MAUIHOMEDIR/other" ] || fail "STATDIR is not made"
expect 0 '' showq
grep -q 'the log continues in log/moved.log' "$MAUIHOMEDIR/log/maui.log" || fail "the old log does not say why it ends"
[ -f "$MAUIHOMEDIR/log/moved.log" ] || fail "the log does not go on in another file"
mkdir "$MAUIHOMEDIR/open" && chmod 777 "$MAUIHOMEDIR/open"
expect 1 'may be written to by everybody' changeparam STATDIR open
expect 0 'modified' changeparam LOGFILE maui.log
expect 0 'modified' changeparam STATDIR stats

# A pipe in place of maui.cfg, or a file that is far too large, keeps nobody waiting.
mv "$MAUIHOMEDIR/maui.cfg" "$MAUIHOMEDIR/kept.cfg"
mkfifo "$MAUIHOMEDIR/maui.cfg"
kill -HUP "$scheduler"
await 'maui.cfg: is not a regular file'
expect 0 'ACTIVE JOBS' showq -C "$MAUIHOMEDIR/kept.cfg"
rm "$MAUIHOMEDIR/maui.cfg"
truncate -s 3G "$MAUIHOMEDIR/maui.cfg"
kill -HUP "$scheduler"
await 'maui.cfg: is larger than 4 MB'
mv "$MAUIHOMEDIR/kept.cfg" "$MAUIHOMEDIR/maui.cfg"

# SIGUSR1 and SIGUSR2 move the level.
kill -USR1 "$scheduler"
await 'LOGLEVEL is now 1'
showconfig | grep -q '^LOGLEVEL *1$' || fail "showconfig does not tell the level that a signal set"
kill -USR2 "$scheduler"
await 'LOGLEVEL is now 0'

# LOGFACILITY chooses among the lines of a level.
expect 0 'modified' changeparam LOGLEVEL 4
expect 0 'modified' changeparam LOGFACILITY fUI
expect 0 '' schedctl -S 2I
expect 0 '' showq
logged 'showq by user'
grep -q "job '[0-9]*' started" "$MAUIHOMEDIR/log/maui.log" && fail "LOGFACILITY fUI lets fSCHED in"
expect 0 'modified' changeparam LOGFACILITY fSCHED:fRM
expect 0 '' schedctl -S 2I
expect 0 '' showstats
logged "job '[0-9]*' of user u1 queued"
grep -q 'showstats by user' "$MAUIHOMEDIR/log/maui.log" && fail "LOGFACILITY fSCHED lets fUI in"

# The log is rolled at LOGFILEMAXSIZE, and LOGFILEROLLDEPTH old ones are kept.
expect 0 'modified' changeparam LOGFACILITY fALL
expect 0 'modified' changeparam LOGFILEROLLDEPTH 2
expect 0 'modified' changeparam LOGFILEMAXSIZE 1000
for _ in $(seq 30); do showq >/dev/null || fail showq; done
for age in '' .1 .2; do
  [ -s "$MAUIHOMEDIR/log/maui.log$age" ] || fail "there is no maui.log$age"
done
[ "$(wc -c <"$MAUIHOMEDIR/log/maui.log.1")" -le 1000 ] || fail "maui.log.1 is too large"
[ ! -e "$MAUIHOMEDIR/log/maui.log.3" ] || fail "more logs are kept than LOGFILEROLLDEPTH says"

# SIGTERM and SIGINT end it, and leave neither socket nor lock file.
configure "$base"
expect 1 "already running here (pid $scheduler," maui
for signal in TERM INT; do
  configure "$base"
  [ -n "$scheduler" ] || start
  kill "-$signal" "$scheduler"
  ended 0
  logged 'scheduler ends after iteration'
  [ ! -e "$MAUIHOMEDIR/maui.sock" ] || fail "SIG$signal leaves the socket"
  [ ! -e "$MAUIHOMEDIR/maui.pid" ] || fail "SIG$signal leaves the lock file"
done

# Nobody but the first of ADMIN1 may run it.
if [ -n "$(other_user)" ]; then
  chmod 755 "$MAUIHOMEDIR"
  expect 1 "must run as user '$(id -un)', the first of ADMIN1, not as 'nobody'" as_other maui
fi
verdict
