# What `cmake --install` lays out, and that it works from there.
. "$(dirname "$0")/support.sh"
prefix=$MAUIHOMEDIR/prefix
cmake --install "$(dirname "$bin")" --prefix "$prefix" >"$MAUIHOMEDIR/install.txt" 2>&1 ||
  fail "cmake --install: $(tail -n 5 "$MAUIHOMEDIR/install.txt")"

has() { [ "$1" "$prefix/$2" ] || fail "'$2' is not installed, or is not what it should be ($1)"; }
has -x sbin/maui
has -x bin/maui_client
has -s etc/maui.cfg
has -s etc/maui-private.cfg.example
has -s share/maui/traces/Resource.Trace1
has -s share/maui/traces/Workload.Trace1
has -s share/maui/traces/README.md
has -s share/maui/replies.schema.json
has -s etc/grafana/maui.json
has -s share/man/man5/maui.cfg.5
has -s share/man/man8/maui.8
has -s share/man/man8/maui-compare.8
has -s share/man/man1/wiki_rm.1
has -x bin/wiki_rm
grep -q "^ExecStart=$prefix/sbin/maui --foreground\$" "$prefix/etc/maui.service" ||
  fail "maui.service does not start what was installed"
if command -v systemd-analyze >/dev/null; then
  complaints=$(systemd-analyze verify --man=no "$prefix/etc/maui.service" 2>&1 | grep -F maui.service)
  [ -z "$complaints" ] || fail "maui.service: $complaints"
fi
for command in $(maui_client --commands); do
  has -L "bin/$command"
  has -s "share/man/man1/$command.1"
done
[ -x "$prefix/bin/showq" ] || fail "bin/showq leads nowhere"
PATH=$prefix/bin:$prefix/sbin:$PATH expect 0 'Usage: showq' "$prefix/bin/showq" -h
expect 0 'maui server version' "$prefix/sbin/maui" --version
mkdir "$MAUIHOMEDIR/home"
cp -r "$prefix/etc/maui.cfg" "$prefix/share/maui/traces" "$MAUIHOMEDIR/home"
[ "$(id -u)" -ne 0 ] ||
  expect 0 'no errors, no warnings' "$prefix/sbin/maui" --check-config "$MAUIHOMEDIR/home/maui.cfg"

# A page is complete: its sections, every flag, no markup that groff complains of.
for section in NAME SYNOPSIS DESCRIPTION OPTIONS "EXIT STATUS" "SEE ALSO"; do
  grep -q "^\.SH \"*$section" "$prefix/share/man/man1/showres.1" || fail "showres.1 lacks $section"
done
grep -q '^\.B "BACKFILLPOLICY[["]' "$prefix/share/man/man5/maui.cfg.5" || fail "maui.cfg.5 is incomplete"
if command -v groff >/dev/null; then
  for page in "$prefix"/share/man/man*/*; do
    complaints=$(groff -man -Tascii -ww "$page" 2>&1 >/dev/null)
    [ -z "$complaints" ] || fail "$page: $complaints"
  done
fi
exit "$failures"
