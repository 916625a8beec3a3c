# Completion of the scheduler's commands and programs for bash: flags, jobs, nodes, reservations, parameters.
_maui() {
  local words=() asked=(maui_client) word
  case ${COMP_WORDS[0]##*/} in maui | mprof | profiler | wiki_rm) asked=("${COMP_WORDS[0]}") ;; esac
  # bash parts --format=j at the equals sign.
  for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    if [[ ${#words[@]} -gt 1 && ( $word == = && ${words[-1]} == --* || ${words[-1]} == --*= ) ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
  done
  mapfile -t COMPREPLY < <("${asked[@]}" --complete "${words[@]}" 2>/dev/null)
  if [[ ${words[-1]} == --*=* && $COMP_WORDBREAKS == *=* ]]; then COMPREPLY=("${COMPREPLY[@]#--*=}"); fi
}
# shellcheck disable=SC2046  # names of commands
complete -o default -F _maui maui mprof profiler wiki_rm maui_client $(maui_client --commands 2>/dev/null)
