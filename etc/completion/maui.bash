# Completion of the scheduler's commands for bash: flags, jobs, nodes, reservations, parameters.
_maui() {
  mapfile -t COMPREPLY < <(maui_client --complete "${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null)
}
# shellcheck disable=SC2046  # names of commands
complete -o default -F _maui maui_client $(maui_client --commands 2>/dev/null)
