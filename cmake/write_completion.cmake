# Completion for shells below DIRECTORY: bash finds it by the name of a command, zsh reads the names
# from its first line.  CLIENT lists them; SOURCES: the folder etc/completion.
execute_process(COMMAND ${CLIENT} --commands OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
string(STRIP "${names}" names)
string(REPLACE "\n" ";" names "${names}")
file(READ "${SOURCES}/maui.bash" script)
file(WRITE "${DIRECTORY}/bash-completion/completions/maui_client" "${script}")
list(APPEND names maui mprof profiler wiki_rm)
foreach(name ${names})
  file(CREATE_LINK maui_client "${DIRECTORY}/bash-completion/completions/${name}" SYMBOLIC)
endforeach()
string(REPLACE ";" " " names "${names}")
file(READ "${SOURCES}/_maui" script)
file(WRITE "${DIRECTORY}/zsh/site-functions/_maui" "#compdef maui_client ${names}\n${script}")
