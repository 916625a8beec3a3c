# layers_first(PROGRAM LAYERS...): in the sanitized build, links LAYERS, and those below them, before the
# tests of the program themselves.
#
# The linker takes the first copy that it comes upon of a function that stands in a header.  Those of the layers
# are optimised (src/CMakeLists.txt), those of the tests are not: tests run in two thirds of the time.
function(layers_first program)
  if(NOT MAUI_SANITIZE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  set(archives)
  set(layers)
  foreach(layer IN LISTS ARGN)
    layers_below(maui_${layer} below)
    list(APPEND layers ${below})
  endforeach()
  list(REMOVE_DUPLICATES layers)
  foreach(layer IN LISTS layers)
    list(APPEND archives $<TARGET_FILE:${layer}>)
  endforeach()
  target_link_options(${program} PRIVATE -Wl,--whole-archive ${archives} -Wl,--no-whole-archive)
endfunction()

# layers_below(LAYER RESULT): the static libraries of the layer and of those that it uses, each once.
function(layers_below layer result)
  set(layers)
  get_target_property(kind ${layer} TYPE)
  if(kind STREQUAL STATIC_LIBRARY)
    set(layers ${layer})
  endif()
  get_target_property(used ${layer} INTERFACE_LINK_LIBRARIES)
  foreach(library IN LISTS used)
    if(library MATCHES "^maui_")
      layers_below(${library} below)
      list(APPEND layers ${below})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES layers)
  set(${result} ${layers} PARENT_SCOPE)
endfunction()
