# Every command line in the manual is right: its indented commands are carried out, or refused because they name a job,
# node or reservation that is not there; those within sentences are known, with their flags.
. "$(dirname "$0")/support.sh"
source=$(cd "$(dirname "$0")/../.." && pwd)

workload 20 >"$MAUIHOMEDIR/workload.swf"
configure "SIMSTOPITERATION 5"
start
within 60 shown 'ACTIVE JOBS' showq
mkdir "$MAUIHOMEDIR/work"
cd "$MAUIHOMEDIR/work" || exit 1
printf '#!/bin/sh\n#SBATCH -n 2\n#SBATCH -t 10\n' >job.sh
cp job.sh FILE
maui_client --commands >"$MAUIHOMEDIR/names"

# lines PAGE: what stands indented there and begins with one of our commands; spans PAGE: the same within backquotes.
ours() { awk 'NR == FNR { name[$1] = 1; next } $1 in name' "$MAUIHOMEDIR/names" -; }
lines() { sed -n 's/^    \(\$ \)\{0,1\}//p' "$1" | ours; }
spans() { grep -v '^    ' "$1" | grep -o '`[a-z]* [^`]*`' | tr -d '`' | sed 's/\\|/|/g' | ours; }

# known COMMAND...: the client finds no fault with its words, and goes on to ask a server, of which there is none at port 1.
known() {
  local words=$1
  words=${words/--watch*([0-9 ])/}
  bash -c "set -o pipefail; $words --host localhost --port 1" >said 2>&1
  [ $? -ne 2 ] || grep -q ': expected [A-Z]*\(\.\.\.\)\?$' said # a sentence may leave out of what
}
shopt -s extglob

# The names in a manual are not there, nor is all that it asks of a machine and its past.
missing='nknown class\|nknown job\|nknown node\|nknown user\|nknown QOS\|nknown reservation\|nknown parameter\|no job\|no node\|no reservation\|not found\|does not exist\|no host\|there is no\|none of\|is over\|no class\|no such\|not known\|no matches found for node\|cannot select [0-9]* tasks\|can never start here\|keeps no history'
count=0
for page in "$source"/docs/manual/*.md "$source/docs/learning.md" "$source/README.md"; do
  while IFS= read -r line; do
    count=$((count + 1))
    case $line in
      *'| jq '*) command -v jq >/dev/null || continue ;;&
      schedctl* | *--watch*) known "${line%% #*}" || fail "$(basename "$page"): '$line': $(cat said)" ;;
      *)
        timeout 60 bash -c "set -o pipefail; $line" >said 2>&1
        status=$?
        case $status in
          0) ;;
          1) grep -qi -- "$missing" said || fail "$(basename "$page"): '$line' is refused: $(cat said)" ;;
          *) fail "$(basename "$page"): '$line' exits $status: $(cat said)" ;;
        esac ;;
    esac
  done < <(lines "$page")
  while IFS= read -r line; do
    case $line in *...* | *[\<\>\;\|\&\(]* | *-h) continue ;; esac
    count=$((count + 1))
    known "$line" || fail "$(basename "$page"): '$line': $(cat said)"
  done < <(spans "$page")
done
[ "$count" -gt 100 ] || fail "only $count commands were found"
kill -TERM "$scheduler"
ended 0
exit "$failures"
