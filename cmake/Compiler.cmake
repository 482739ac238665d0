# How every file is compiled.

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # A precompiled header is made of times and macros that ccache looks past
  # only when told to.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()

# Assertions stay in every build: a bug that stops is better than one that goes
# on with somebody's data.
set(CMAKE_CXX_FLAGS_RELEASE "-O2")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g")
if(SFUMATO_SANITIZE)  # -O2 takes them three times as long to compile
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g")
endif()

# For the compilers of C and C++; nvcc has words of its own.
macro(sfumato_options)
  foreach(option IN ITEMS ${ARGN})
    add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:${option}>")
  endforeach()
endmacro()
sfumato_options(-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  # A false alarm inside fmt 9, once it is inlined.
  sfumato_options(-Wno-array-bounds -Wno-stringop-overflow)
endif()
if(SFUMATO_WERROR)
  sfumato_options(-Werror)
endif()

# A seed must draw the same numbers on every machine: no fused multiply-add
# where the source has two operations.
sfumato_options(-ffp-contract=off)

if(SFUMATO_SANITIZE STREQUAL "address")
  sfumato_options(-fsanitize=address,undefined -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
elseif(SFUMATO_SANITIZE STREQUAL "thread")
  sfumato_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
elseif(SFUMATO_SANITIZE)
  message(FATAL_ERROR "SFUMATO_SANITIZE is '${SFUMATO_SANITIZE}'; it may be 'address' or 'thread'")
endif()

# Every room reports to the fuzzer which branches were taken.
if(SFUMATO_FUZZ)
  sfumato_options(-fsanitize=fuzzer-no-link)
endif()

# Before any other library: PyTorch's libtorch.so has parts of an older C++
# library among its symbols, and must not be asked first.
link_libraries(stdc++)
