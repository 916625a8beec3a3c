# Warnings are errors; the sanitizers are for the whole program or not at all.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
# g++ 12 sees overlaps in std::string's operator+ that are not there (GCC bug 105651), and
# uninitialised alternatives in a std::variant that is moved (GCC bug 105562 and its kin), reads
# past the end of Boost's small_vector, and copies beyond every string (GCC bug 105329).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options(-Wno-restrict -Wno-maybe-uninitialized -Wno-stringop-overread
                      -Wno-stringop-overflow -Wno-array-bounds)
endif()
# Optimising compilers may move a store out of a loop and past a read of the same value through
# another type, as std::max of two std::chrono times becomes in the end (GCC bugs 107107 and 107115):
# a loop that took tokens from a TokenBucket never ended.  This costs no time that can be measured.
if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
  add_compile_options(-fno-strict-aliasing)
endif()
# Files are compiled several at a time in the sanitized build: collecting garbage less often takes
# memory and saves an eighth of the time.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(--param=ggc-min-expand=300 --param=ggc-min-heapsize=1000000)
endif()
if(MAUI_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  # The faults that these find end in a crash as well; they take a quarter of the time of compiling.
  add_compile_options(-fno-sanitize=null,vptr,alignment,object-size,pointer-overflow)
endif()
# A fuzzer finds its way by what it sees of the code under test: that is instrumented, too.
if(MAUI_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
                      -fno-sanitize=function)  # clang 14 cannot check pointers to coroutines
  add_link_options(-fsanitize=address,undefined)
endif()
# Boost 1.81 does not see that clang, too, has the coroutines of the standard.
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  add_compile_definitions(BOOST_ASIO_HAS_CO_AWAIT=1)
endif()
# With it, ccache can tell what a precompiled header is.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
  add_compile_options(-fpch-preprocess)
endif()
