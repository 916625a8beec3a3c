# The manual's examples work as they stand there: its commands install a scheduler, each maui.cfg of its pages starts one.
# Ports, users and directories are those of the pages, so all of it happens in namespaces of its own.
manual=$(cd "$(dirname "$0")/../../docs/manual" && pwd)
if [ -z "${INSIDE:-}" ]; then
  unshare --map-root-user --mount --net --uts true 2>/dev/null || exit 77
  INSIDE=yes exec unshare --map-root-user --mount --net --uts bash "$0" "$@"
fi
. "$(dirname "$0")/support.sh"
unset MAUIHOMEDIR
build=$(cd "$bin/.." && pwd)
base=$(mktemp -d)
finish() {
  [ -n "$scheduler" ] && kill -KILL "$scheduler" 2>/dev/null
  rm -rf "$base"
}
hostname headnode || exit 77
for place in /usr/local /var/spool; do mount -t tmpfs none "$place" || exit 77; done
echo '127.0.0.1 localhost headnode' >"$base/hosts"
mount --bind "$base/hosts" /etc/hosts || exit 77
source=$(cd "$manual/../.." && pwd)

# blocks PAGE: the n-th ```maui.cfg of a page is the file n below $base/PAGE; commands PAGE HEADING: what stands indented there.
blocks() {
  mkdir -p "$base/$1"
  awk -v to="$base/$1/" '/^```maui.cfg/ { inside = 1; ++n; next } /^```/ { inside = 0 } inside { print > (to n) }' "$manual/$1.md"
}
commands() {
  awk -v heading="$2" '/^#/ { inside = index($0, heading) > 0 } inside && /^    / { print substr($0, 5) }' "$manual/$1.md"
}

answers_or_is_done() { showq || grep -q 'scheduler ends' "$MAUIHOMEDIR/log/maui.log"; }

# comes_up EXAMPLE: its scheduler would start, starts, and answers commands, or has simulated all.
comes_up() {
  expect 0 'the scheduler would start with it' maui --check-config
  maui --foreground >"$base/out" 2>&1 &
  scheduler=$!
  within 30 answers_or_is_done || fail "$1: $(cat "$base/out" "$MAUIHOMEDIR/log/maui.log")"
  kill -TERM "$scheduler" 2>/dev/null
  ended 0
}

# Installation, to the last line that does not need a service manager, whose unit then starts it.
cmake --install "$build" --prefix /usr/local >"$base/install.txt" 2>&1 || fail "$(tail -n 5 "$base/install.txt")"
PATH=/usr/local/bin:/usr/local/sbin:$PATH
commands install 'As a service' | grep -v systemctl >"$base/install.sh"
grep -q 'install -d -m 711 /var/spool/maui' "$base/install.sh" || fail "install.md is not read"
bash -e "$base/install.sh" >"$base/install.txt" 2>&1 || fail "install.md: $(cat "$base/install.txt")"
grep -q 'no errors, no warnings' "$base/install.txt" || fail "install.md: $(cat "$base/install.txt")"
export MAUIHOMEDIR=/var/spool/maui
ip link set lo up 2>/dev/null || rm /var/spool/maui/maui-private.cfg # nothing to listen at
comes_up install.md
unset MAUIHOMEDIR

# Each configuration that is whole; what is a part goes behind that of simulate.md.
blocks simulate
count=0
for page in "$manual"/*.md; do
  name=$(basename "$page" .md)
  blocks "$name"
  for block in "$base/$name"/*; do
    [ -f "$block" ] || continue
    count=$((count + 1))
    export MAUIHOMEDIR=$base/home.$count
    mkdir "$MAUIHOMEDIR"
    ln -s "$source/traces" "$MAUIHOMEDIR/traces"
    grep -q SERVERMODE "$block" || cat "$base/simulate/1" >"$MAUIHOMEDIR/maui.cfg"
    cat "$block" >>"$MAUIHOMEDIR/maui.cfg"
    # live.md says beside its example what the key is.
    sed -n 's/.*`\(CLIENTCFG\[RM:base\] KEY=[^`]*\)`.*/\1/p' "$page" >"$MAUIHOMEDIR/maui-private.cfg"
    chmod 600 "$MAUIHOMEDIR/maui-private.cfg"
    grep -q 'TYPE=SLURM' "$block" && [ ! -x "$bin/maui-rm-slurm" ] && continue
    # As two-heads.md says, before the first of them starts.
    ! grep -q '^SERVERHOST.*,' "$block" || maui --create-lease >"$base/out" || fail "$name.md: $(cat "$base/out")"
    comes_up "$name.md, example $(basename "$block")"
  done
done
[ "$count" -ge 15 ] || fail "only $count examples were found"

# The emulated resource manager, with the configuration above it on the page.
live=$base/live.home
mkdir "$live"
cp "$base/live/1" "$live/maui.cfg"
sed -n 's/.*`\(CLIENTCFG\[RM:base\] KEY=[^`]*\)`.*/\1/p' "$manual/live.md" >"$live/maui-private.cfg"
chmod 600 "$live/maui-private.cfg"
export MAUIHOMEDIR=$live
lines=$(commands live 'Try it first')
cd "$live" || exit 1
bash -c "$(grep '^wiki_rm serve' <<<"$lines")
  echo \$! >rm.pid" >"$base/rm.txt" 2>&1
within 20 test -S wiki_rm.sock
maui --foreground >"$base/out" 2>&1 &
scheduler=$!
within 30 showq
bash -e -c "$(grep -v -e '^wiki_rm serve' -e '^maui' <<<"$lines")" >"$base/said" 2>&1 || fail "live.md: $(cat "$base/said")"
within 30 shown 'Starting\|Running' showq
kill "$(cat rm.pid)"
kill -TERM "$scheduler"
ended 0

# Questions over HTTP, and the profiler's words on the statistics of a month.
export MAUIHOMEDIR=$base/http.home
mkdir "$MAUIHOMEDIR"
cd "$MAUIHOMEDIR" || exit 1
ln -s "$source/traces" traces
{ cat "$base/simulate/1" && printf 'SIMSTOPITERATION 3\n' && sed -n 's/^    \(HTTPPORT .*\)/\1/p' "$manual/metrics.md"; } >maui.cfg
if command -v curl >/dev/null; then
  maui --foreground >"$base/out" 2>&1 &
  scheduler=$!
  within 30 showq
  cat "$manual"/api.md "$manual"/metrics.md | sed -n '/--unix-socket/d; s/^    \(curl .*\)/\1/p' >"$base/curls"
  [ "$(wc -l <"$base/curls")" -ge 5 ] || fail "the pages ask little over HTTP"
  while IFS= read -r line; do
    bash -c "${line/curl/curl -s --max-time 5 -o $base/said -w '%{http_code}'}" >"$base/code" 2>/dev/null
    case $(cat "$base/code") in 200 | 404 | 422) ;; *) fail "'$line': $(cat "$base/code" "$base/said")" ;; esac
  done <"$base/curls"
  kill -TERM "$scheduler"
  ended 0
fi
mkdir -p "$base/month/stats" && cd "$base/month" || exit 1
cp "$source/tests/data/kth_excerpt.swf.gz" jobs.swf.gz
cp "$base/simulate/1" maui.cfg
ln -s "$source/traces" traces
cp "$source/traces/Workload.Trace1" stats/stats.2026_11_01
sed -n 's/^    \(profiler .*\)/\1/p' "$manual/statistics.md" >"$base/profiles"
[ "$(wc -l <"$base/profiles")" -ge 4 ] || fail "statistics.md profiles little"
while IFS= read -r line; do
  bash -c "$line" >"$base/said" 2>&1 || grep -q 'no job in the files' "$base/said" || fail "'$line': $(tail -n 3 "$base/said")"
done <"$base/profiles"

# Two policies compared, and what a CI system would run.
mkdir "$base/comparison" && cd "$base/comparison" || exit 1
log=$source/tests/data/kth_excerpt.swf.gz
commands compare 'Two policies' | grep -v xdg-open | sed "s#LOG#$log#" >compare.sh
bash compare.sh >compare.txt 2>&1 || fail "compare.md: $(cat compare.txt)"
grep -q '^wait, mean .*%' compare.txt || fail "compare.md: no table: $(cat compare.txt)"
[ -s report/index.html ] || fail "compare.md: no report"
cp "$log" month.swf.gz
echo 'CLASSCFG[short] PRIORITY=1' >maui.cfg
echo 'BACKFILLPOLICY NONE' >new.cfg
expectations=$(commands compare 'In your CI' | head -n 1 | sed "s# --expect 'wait.mean.class=short.*##")
[ -n "$expectations" ] || fail "compare.md: no example for CI"
bash -c "$expectations" >compare.txt 2>&1
[ $? -eq 3 ] || fail "compare.md: a worse policy is met with another status than 3: $(cat compare.txt)"
exit "$failures"
