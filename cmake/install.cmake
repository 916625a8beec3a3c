# bin: the client and a link for each command; sbin: the scheduler; etc/maui: a configuration; lib:
# what systemd reads; share: manual pages, examples, completion and traces.

# placed(NAME DIRECTORY): sets NAME to where the directory is when it comes to installing: below the prefix
# unless it is absolute.
function(placed name directory)
  if(IS_ABSOLUTE "${directory}")
    set(${name} "\$ENV{DESTDIR}${directory}" PARENT_SCOPE)
  else()
    set(${name} "\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${directory}" PARENT_SCOPE)
  endif()
endfunction()
placed(bin "${CMAKE_INSTALL_BINDIR}")
placed(sbin "${CMAKE_INSTALL_SBINDIR}")
placed(man "${CMAKE_INSTALL_MANDIR}")
placed(data "${CMAKE_INSTALL_DATADIR}")

install(TARGETS maui_client wiki_rm RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(CODE "
  set(CLIENT \"$<TARGET_FILE:maui_client>\")
  set(DIRECTORY \"${bin}\")
  include(\"${PROJECT_SOURCE_DIR}/cmake/link_commands.cmake\")")
install(TARGETS maui RUNTIME DESTINATION ${CMAKE_INSTALL_SBINDIR})
# A program that asks no server is the scheduler's under another name.
install(CODE "
  file(RELATIVE_PATH program \"${bin}\" \"${sbin}/maui\")
  foreach(name profiler mprof)
    file(CREATE_LINK \${program}
         \"${bin}/\${name}\" SYMBOLIC)
  endforeach()")
foreach(program maui-rm-slurm maui-munge)  # beside the scheduler, which starts them
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_SBINDIR})
    list(APPEND helpers $<TARGET_FILE:${program}>)
  endif()
endforeach()

# The prefix may be another than the build was configured with; that of the system has /etc.
install(CODE "
  set(SOURCES \"${PROJECT_SOURCE_DIR}/etc\")
  set(HOME \"${MAUI_HOME}\")
  set(SYSCONFDIR \"${CMAKE_INSTALL_SYSCONFDIR}\")
  set(SBINDIR \"${CMAKE_INSTALL_SBINDIR}\")
  include(\"${PROJECT_SOURCE_DIR}/cmake/write_configuration.cmake\")")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/etc/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples
        USE_SOURCE_PERMISSIONS PATTERN maui.service EXCLUDE PATTERN slurm EXCLUDE
        PATTERN completion EXCLUDE REGEX "/native/(gridengine|lsf)$" EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/etc/slurm DESTINATION ${CMAKE_INSTALL_DATADIR}/maui
        USE_SOURCE_PERMISSIONS)
install(PROGRAMS ${PROJECT_SOURCE_DIR}/etc/native/gridengine ${PROJECT_SOURCE_DIR}/etc/native/lsf
        DESTINATION ${CMAKE_INSTALL_DATADIR}/maui/native)
install(CODE "
  set(CLIENT \"$<TARGET_FILE:maui_client>\")
  set(SERVER \"$<TARGET_FILE:maui>\")
  set(MANAGER \"$<TARGET_FILE:wiki_rm>\")
  set(HELPERS \"${helpers}\")
  set(DIRECTORY \"${man}\")
  include(\"${PROJECT_SOURCE_DIR}/cmake/write_manuals.cmake\")")
install(CODE "
  set(CLIENT \"$<TARGET_FILE:maui_client>\")
  set(SOURCES \"${PROJECT_SOURCE_DIR}/etc/completion\")
  set(DIRECTORY \"${data}\")
  include(\"${PROJECT_SOURCE_DIR}/cmake/write_completion.cmake\")")
install(CODE "
  set(DIRECTORY \"${data}/maui\")
  file(MAKE_DIRECTORY \"\${DIRECTORY}\")
  execute_process(COMMAND $<TARGET_FILE:maui> --print-schema
                  OUTPUT_FILE \"\${DIRECTORY}/replies.schema.json\" COMMAND_ERROR_IS_FATAL ANY)")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/traces/ DESTINATION ${CMAKE_INSTALL_DATADIR}/maui/traces)
