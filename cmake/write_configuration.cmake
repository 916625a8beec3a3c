# The files that an administrator edits and that systemd reads, below CMAKE_INSTALL_PREFIX and SYSCONFDIR; the
# paths in it are those of this installation.  SBINDIR: where the scheduler is; HOME: its directory;
# SOURCES: the folder etc.
if(NOT IS_ABSOLUTE "${SYSCONFDIR}")
  if(CMAKE_INSTALL_PREFIX STREQUAL /usr)
    set(SYSCONFDIR "/${SYSCONFDIR}")
  else()
    set(SYSCONFDIR "${CMAKE_INSTALL_PREFIX}/${SYSCONFDIR}")
  endif()
endif()
file(INSTALL DESTINATION "${SYSCONFDIR}/maui" TYPE FILE FILES "${SOURCES}/maui.cfg")

file(READ "${SOURCES}/maui.service" unit)
if(NOT IS_ABSOLUTE "${SBINDIR}")
  set(SBINDIR "${CMAKE_INSTALL_PREFIX}/${SBINDIR}")
endif()
string(REPLACE /usr/local/sbin "${SBINDIR}" unit "${unit}")
string(REPLACE /usr/local "${CMAKE_INSTALL_PREFIX}" unit "${unit}")
string(REPLACE /var/spool/maui "${HOME}" unit "${unit}")
file(WRITE "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/lib/systemd/system/maui.service" "${unit}")
file(WRITE "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/lib/tmpfiles.d/maui.conf"
     "# The scheduler's home directory; whose it is counts when it is made.  Others use files in it, and do not open it.\nd ${HOME} 0711 :root :root -\n")
file(WRITE "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/lib/sysusers.d/maui.conf"
     "# For a scheduler that is not to run as root (ADMIN1 maui, User=maui).\nu maui - \"Cluster scheduler\" ${HOME}\n")
