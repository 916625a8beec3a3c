# test_suites(PROGRAM PREFIX [APART regex]): makes a test of each suite of a GoogleTest program, named
# PREFIX.SUITE.
#
# A process for each of some thousand tests costs more than most of these tests do.  Suites whose
# names match APART take long: each of their tests is one of its own, and they start early.
function(test_suites program prefix)
  cmake_parse_arguments(SUITES "" "APART" "" ${ARGN})
  set(list ${CMAKE_CURRENT_BINARY_DIR}/${program}_suites)
  file(GENERATE OUTPUT ${list}.cmake CONTENT
"set(program [==[$<TARGET_FILE:${program}>]==])
set(prefix ${prefix})
set(apart [==[${SUITES_APART}]==])
set(list [==[${list}.txt]==])
include([==[${PROJECT_SOURCE_DIR}/cmake/add_suites.cmake]==])
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${list}.cmake)
endfunction()
