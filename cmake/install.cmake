# bin: the client and a link for each command; sbin: the scheduler; etc, man and traces.
install(TARGETS maui_client wiki_rm RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(CODE "
  set(CLIENT \"$<TARGET_FILE:maui_client>\")
  set(DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}\")
  include(\"${PROJECT_SOURCE_DIR}/cmake/link_commands.cmake\")")
install(TARGETS maui RUNTIME DESTINATION ${CMAKE_INSTALL_SBINDIR})
if(TARGET maui-rm-slurm)  # beside the scheduler, which starts it
  install(TARGETS maui-rm-slurm RUNTIME DESTINATION ${CMAKE_INSTALL_SBINDIR})
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/etc/ DESTINATION ${CMAKE_INSTALL_SYSCONFDIR}
        USE_SOURCE_PERMISSIONS PATTERN maui.service EXCLUDE)
# Its paths are those of this installation.
install(CODE "
  file(READ \"${PROJECT_SOURCE_DIR}/etc/maui.service\" unit)
  string(REPLACE /usr/local \"\${CMAKE_INSTALL_PREFIX}\" unit \"\${unit}\")
  string(REPLACE /var/spool/maui \"${MAUI_HOME}\" unit \"\${unit}\")
  file(WRITE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_SYSCONFDIR}/maui.service\" \"\${unit}\")")
install(CODE "
  set(CLIENT \"$<TARGET_FILE:maui_client>\")
  set(SERVER \"$<TARGET_FILE:maui>\")
  set(MANAGER \"$<TARGET_FILE:wiki_rm>\")
  set(DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}\")
  include(\"${PROJECT_SOURCE_DIR}/cmake/write_manuals.cmake\")")
install(CODE "
  set(DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/maui\")
  file(MAKE_DIRECTORY \"\${DIRECTORY}\")
  execute_process(COMMAND $<TARGET_FILE:maui> --print-schema
                  OUTPUT_FILE \"\${DIRECTORY}/replies.schema.json\" COMMAND_ERROR_IS_FATAL ANY)")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/traces/ DESTINATION ${CMAKE_INSTALL_DATADIR}/maui/traces)
