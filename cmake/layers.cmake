# maui_layer(NAME LAYERS... [PACKAGES targets...]): the static library of src/NAME, made of every
# source file in it.  LAYERS are the layers that it uses; docs/architecture.md draws them.
function(maui_layer name)
  cmake_parse_arguments(LAYER "" "" "PACKAGES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cc)
  set(reach PUBLIC)
  if(sources)
    add_library(maui_${name} STATIC ${sources})
  else()  # a layer of headers only
    add_library(maui_${name} INTERFACE)
    set(reach INTERFACE)
  endif()
  target_include_directories(maui_${name} ${reach} ${PROJECT_SOURCE_DIR}/include
                                                   ${PROJECT_SOURCE_DIR}/src)
  foreach(layer ${LAYER_UNPARSED_ARGUMENTS})
    target_link_libraries(maui_${name} ${reach} maui_${layer})
  endforeach()
  target_link_libraries(maui_${name} ${reach} ${LAYER_PACKAGES})
  # The headers that nearly every file reads; the optimised builds do without (CMakePresets.json), so that they
  # tell where an #include is missing.
  if(name STREQUAL base)
    target_precompile_headers(maui_base PRIVATE <algorithm> <fmt/format.h> <functional> <map> <memory>
                                                <optional> <string> <unordered_map> <vector>)
  elseif(sources)
    target_precompile_headers(maui_${name} REUSE_FROM maui_base)
  endif()
endfunction()
