# Completion on the command line: flags and names that fit, in bash as it is installed, and silence where the
# server cannot be asked.
. "$(dirname "$0")/support.sh"
source=$(cd "$(dirname "$0")/../.." && pwd)

workload 20 >"$MAUIHOMEDIR/workload.swf"
configure "SIMSTOPITERATION 5"
start
within 60 expect 0 '1 IDLE\|IDLE JOBS' showq

# completes COMMAND WORD... -- EXPECTED...: what may take the place of the last word.
completes() {
  local words=() found
  while [ "$1" != -- ]; do words+=("$1") && shift; done
  shift
  found=$(maui_client --complete "${words[@]}" 2>&1) || fail "--complete ${words[*]} exits $?"
  [ "$(tr '\n' ' ' <<<"$found")" = "$* " ] || fail "'${words[*]}' is completed by '$found', not '$*'"
}
completes showhol -- showhold
completes showq --fo -- --format
completes showq --format j -- json
completes showq --format=j -- --format=json
completes showq --watch=j --
completes changeparam backfillmet -- BACKFILLMETRIC
completes changeparam BACKFILLPOLICY '' --
completes releaseres nothing --
completes maui_client check -- checkjob checknode
completes maui_client checkjob --wat -- --watch
first=$(showq --format=json | grep -o '"name": *"[^"]*"' | head -n 1 | cut -d'"' -f4)
[ -n "$first" ] || fail "there is no job"
maui_client --complete checkjob '' | grep -qx -- "$first" || fail "'$first' is not offered for checkjob"
maui_client --complete canceljob "$first" '' | grep -qx -- "$first" || fail "'$first' is not offered as a further job"
node=$(maui_client --complete checknode '' | head -n 1)
expect 0 "$node" checknode "$node"

# As bash has it.
offered() { bash -c ". '$source/etc/completion/maui.bash'; COMP_WORDS=(\"\$@\") COMP_CWORD=\$((\$# - 1)); _maui; echo \"\${COMPREPLY[*]}\"" - "$@"; }
[ "$(offered showq --for)" = --format ] || fail "bash offers '$(offered showq --for)' for showq --for"
[ "$(offered showq --format = j)" = json ] || fail "bash offers '$(offered showq --format = j)' for showq --format=j"
[ "$(offered showq --format =)" = 'json svg text xml' ] || fail "bash offers '$(offered showq --format =)' for showq --format="
[ "$(offered maui --gen)" = --generate-key ] || fail "bash offers '$(offered maui --gen)' for maui --gen"
[ "$(offered maui comp)" = compare ] || fail "bash offers '$(offered maui comp)' for maui comp"
[ "$(offered maui compare --workl)" = --workload ] || fail "bash offers '$(offered maui compare --workl)' for maui compare --workl"
[ "$(offered profiler --ver)" = --version ] || fail "bash offers '$(offered profiler --ver)' for profiler --ver"
[ "$(offered wiki_rm su)" = submit ] || fail "bash offers '$(offered wiki_rm su)' for wiki_rm su"
[ "$(offered wiki_rm serve --no)" = --nodes ] || fail "bash offers '$(offered wiki_rm serve --no)' for wiki_rm serve --no"
bash -c ". '$source/etc/completion/maui.bash'; complete -p showq setres" >/dev/null || fail "bash does not complete showq"

wiki_rm --help | awk 'length > 80' | grep . && fail "the help of wiki_rm is wider than 80 columns"

# As zsh has it.
if command -v zsh >/dev/null; then
  in_zsh() {
    zsh -fc 'compadd() { print -r -- "${(@)found}: ${(@)shown}"; }; _files() { print files; }; file=$1; shift; words=("$@"); CURRENT=$#; . "$file"' - \
      "$source/etc/completion/_maui" "$@" 2>&1
  }
  for line in '--format: --format .* -- .*: showq --for' '--generate-key: --generate-key .* -- put a new secret.*: maui --gen' \
    'json: json: showq --format j' '--keep: --keep  *-- report jobs for this long.*: wiki_rm serve --kee' \
    '--hold: --hold  *-- hold the job.*: wiki_rm submit --ho' '--socket: --socket  *-- the socket of serve.*: wiki_rm jobs --so' 'files: releaseres nothing'; do
    read -ra typed <<<"${line##*: }"
    found=$(in_zsh "${typed[@]}")
    grep -qx -- "${line%: *}" <<<"$found" || fail "zsh offers '$found' for ${line##*: }"
  done
fi

# A server that does not answer is not waited for, neither as long as CLIENTTIMEOUT says nor aloud.
kill -STOP "$scheduler"
said=$(timeout 10 env CLIENTTIMEOUT=60 "$bin/maui_client" --complete checkjob '' 2>&1) || fail "completion waits, or exits $?"
[ -z "$said" ] || fail "something is said while the server does not answer: $said"
kill -CONT "$scheduler"

# Without a server nothing is said; flags are known all the same.
kill -TERM "$scheduler"
ended 0
[ -z "$(maui_client --complete checkjob '' 2>&1)" ] || fail "something is said without a server"
completes showq --fo -- --format
exit "$failures"
