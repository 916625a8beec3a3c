# The layout of `cmake --install`, which works from there.
. "$(dirname "$0")/support.sh"
prefix=$MAUIHOMEDIR/prefix
cmake --install "$(dirname "$bin")" --prefix "$prefix" >"$MAUIHOMEDIR/install.txt" 2>&1 ||
  fail "cmake --install: $(tail -n 5 "$MAUIHOMEDIR/install.txt")"

has() { [ "$1" "$prefix/$2" ] || fail "'$2' is not installed, or is not what it should be ($1)"; }
has -x sbin/maui
has -x bin/maui_client
has -s etc/maui/maui.cfg
has -s share/doc/maui/examples/maui-private.cfg.example
has -x share/doc/maui/examples/local/priority
has -x share/maui/slurm/release_waiting
has -s lib/tmpfiles.d/maui.conf
grep -q '^d .* 0711 :root :root -$' "$prefix/lib/tmpfiles.d/maui.conf" || fail "others could open, and so lock, the home directory"
has -x share/maui/native/gridengine
has -x share/maui/native/lsf
has -x share/doc/maui/examples/native/example/tiny_rm
for adapter in gridengine lsf; do
  [ ! -e "$prefix/share/doc/maui/examples/native/$adapter" ] || fail "the adapter $adapter is installed twice"
done
has -s lib/sysusers.d/maui.conf
has -s share/man/man1/maui_client.1
for helper in maui-rm-slurm maui-munge; do
  [ ! -x "$bin/$helper" ] || has -s "share/man/man8/$helper.8"
done
for program in maui-rm-slurm maui-munge wiki_rm profiler; do
  [ ! -x "$bin/$program" ] || expect 0 "$program version [0-9]" "$bin/$program" --version
done
for program in showq maui profiler mprof wiki_rm; do has -L "share/bash-completion/completions/$program"; done
has -s share/zsh/site-functions/_maui
has -s share/maui/traces/Resource.Trace1
has -s share/maui/traces/Workload.Trace1
has -s share/maui/traces/README.md
has -s share/maui/replies.schema.json
has -s share/doc/maui/examples/grafana/maui.json
has -s share/man/man5/maui.cfg.5
has -s share/man/man8/maui.8
has -s share/man/man8/maui-compare.8
has -s share/man/man8/maui-history.8
has -s share/man/man1/profiler.1
has -x bin/profiler
has -x bin/mprof
has -s share/man/man1/wiki_rm.1
has -x bin/wiki_rm
grep -q "^ExecStart=$prefix/sbin/maui --foreground\$" "$prefix/lib/systemd/system/maui.service" ||
  fail "maui.service does not start what was installed"
if command -v systemd-analyze >/dev/null; then
  complaints=$(systemd-analyze verify --man=no "$prefix/lib/systemd/system/maui.service" 2>&1 | grep -F maui.service)
  [ -z "$complaints" ] || fail "maui.service: $complaints"
fi
# The page says where the files are on this machine.
places=$(env -u MAUIHOMEDIR "$prefix/sbin/maui" --about | sed -n 's/^defaults: *homedir=\(.*\)  configfile=\(.*\)/\1 \2/p')
for place in $places; do
  grep -qF "$place" "$prefix/share/man/man8/maui.8" || fail "maui.8 does not name $place"
done
for command in $(maui_client --commands); do
  has -L "bin/$command"
  has -s "share/man/man1/$command.1"
done
[ -x "$prefix/bin/showq" ] || fail "bin/showq leads nowhere"
PATH=$prefix/bin:$prefix/sbin:$PATH expect 0 'Usage: showq' "$prefix/bin/showq" -h
expect 0 'maui server version' "$prefix/sbin/maui" --version
mkdir "$MAUIHOMEDIR/home"
cp -r "$prefix/etc/maui/maui.cfg" "$prefix/share/maui/traces" "$MAUIHOMEDIR/home"
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

# They are found by name and by what they are about.
if command -v mandb >/dev/null && command -v lexgrog >/dev/null; then
  for page in "$prefix"/share/man/man*/*; do
    lexgrog "$page" >"$MAUIHOMEDIR/name.txt" 2>&1 || fail "whatis finds nothing in $page: $(cat "$MAUIHOMEDIR/name.txt")"
    man --warnings -E UTF-8 -l -Tutf8 -Z "$page" >/dev/null 2>"$MAUIHOMEDIR/warnings.txt"
    [ ! -s "$MAUIHOMEDIR/warnings.txt" ] || fail "$page: $(cat "$MAUIHOMEDIR/warnings.txt")"
  done
  mandb -c -q "$prefix/share/man" 2>/dev/null
  about() { MANPATH=$prefix/share/man apropos "$1" 2>/dev/null; }
  about reservations | grep -q '^showres (1)' || fail "apropos reservations: $(about reservations)"
  about maui | grep -q '^showq (1)' || fail "apropos maui: $(about maui)"
  about priority | grep -q '^diagnose (1)' || fail "apropos priority: $(about priority)"
  about fairshare | grep -q '^maui.cfg (5)' || fail "apropos fairshare: $(about fairshare)"
  about scheduler | grep -q '^maui (8)' || fail "apropos scheduler: $(about scheduler)"
  for name in maui.cfg maui_client profiler wiki_rm maui-compare maui-history $(maui_client --commands); do
    MANPATH=$prefix/share/man whatis "$name" >/dev/null 2>&1 || fail "whatis does not know $name"
  done
fi

# With the prefix of the system, configuration is in /etc.
DESTDIR=$MAUIHOMEDIR/system cmake --install "$(dirname "$bin")" --prefix /usr >"$MAUIHOMEDIR/install.txt" 2>&1 ||
  fail "cmake --install --prefix /usr: $(tail -n 5 "$MAUIHOMEDIR/install.txt")"
for file in etc/maui/maui.cfg usr/sbin/maui usr/lib/systemd/system/maui.service; do
  [ -s "$MAUIHOMEDIR/system/$file" ] || fail "'/$file' is not installed with the prefix /usr"
done

# Directories of other names, as -DCMAKE_INSTALL_SYSCONFDIR= and its kin say.
sources=$(cd "$(dirname "$0")/../.." && pwd) friends=$MAUIHOMEDIR/friends
cmake -DCMAKE_INSTALL_PREFIX="$friends" -DSYSCONFDIR=settings -DSBINDIR=programs -DHOME=/srv/maui -DSOURCES="$sources/etc" \
  -P "$sources/cmake/write_configuration.cmake" >"$MAUIHOMEDIR/install.txt" 2>&1 || fail "$(cat "$MAUIHOMEDIR/install.txt")"
[ -s "$friends/settings/maui/maui.cfg" ] || fail "SYSCONFDIR is not followed"
unit=$friends/lib/systemd/system/maui.service
grep -q "^ExecStart=$friends/programs/maui --foreground\$" "$unit" || fail "SBINDIR is not followed: $(grep ^ExecStart "$unit")"
grep -q '^ReadWritePaths=/srv/maui$' "$unit" || fail "the home directory is not followed: $(grep ^ReadWritePaths "$unit")"

# Absolute directories are no directories below the prefix.
again=$MAUIHOMEDIR/again absolute=$MAUIHOMEDIR/absolute
cmake -S "$sources" -B "$again" -DMAUI_TESTS=OFF -DCMAKE_INSTALL_PREFIX="$absolute/prefix" -DCMAKE_INSTALL_BINDIR="$absolute/bin" \
  -DCMAKE_INSTALL_MANDIR="$absolute/man" -DCMAKE_INSTALL_DATADIR="$absolute/data" -DCMAKE_INSTALL_SYSCONFDIR="$absolute/etc" \
  >"$MAUIHOMEDIR/install.txt" 2>&1 || fail "cmake: $(tail -n 5 "$MAUIHOMEDIR/install.txt")"
mkdir -p "$again/bin"
for program in "$bin"/{maui,maui_client,wiki_rm,maui-rm-slurm,maui-munge}; do
  [ ! -f "$program" ] || cp -l "$program" "$again/bin" 2>/dev/null || cp "$program" "$again/bin"
done
cmake --install "$again" >"$MAUIHOMEDIR/install.txt" 2>&1 || fail "cmake --install: $(tail -n 5 "$MAUIHOMEDIR/install.txt")"
for file in bin/maui_client bin/showq bin/profiler man/man1/showq.1 data/maui/replies.schema.json data/zsh/site-functions/_maui etc/maui/maui.cfg; do
  [ -s "$absolute/$file" ] || fail "'$file' is not where an absolute directory says"
done
[ ! -e "$absolute/prefix/$absolute" ] || fail "absolute directories are made below the prefix: $(find "$absolute/prefix/$absolute" | head -n 3)"

# A build tree that was copied with its sources installs what is in the copy, and leaves the first one alone.
copy=$MAUIHOMEDIR/copy
mkdir -p "$copy/build/bin"
source=$(cd "$(dirname "$0")/../.." && pwd)
cp -r "$source"/{cmake,etc,traces} "$copy"
(cd "$(dirname "$bin")" && cp --parents $(find . -name cmake_install.cmake) "$copy/build")
for program in "$bin"/{maui,maui_client,wiki_rm,maui-rm-slurm,maui-munge}; do
  [ ! -f "$program" ] || cp -l "$program" "$copy/build/bin" 2>/dev/null || cp "$program" "$copy/build/bin"
done
manifest=$(dirname "$bin")/install_manifest.txt
touch -d 2001-01-01 "$manifest"
cmake --install "$copy/build" --prefix "$MAUIHOMEDIR/copied" >"$MAUIHOMEDIR/install.txt" 2>&1 ||
  fail "cmake --install of a copy: $(tail -n 5 "$MAUIHOMEDIR/install.txt")"
grep -q "$copy" "$copy/build/install_copy.cmake" || fail "the copy installs what is elsewhere"
[ -x "$MAUIHOMEDIR/copied/sbin/maui" ] || fail "the copy does not install the scheduler"
[ "$(date -r "$manifest" +%Y)" = 2001 ] || fail "the list of what was installed went to another build"
exit "$failures"
