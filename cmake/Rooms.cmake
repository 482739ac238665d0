# One folder under src/ is one room: one library, one namespace.
#
#   sfumato_room(data SOURCES dataset.cc … USES base LIBRARIES ZLIB::ZLIB)
#   sfumato_tests(data dataset_test.cc …)
#
# USES names every room that this one includes (tests/rooms_test.cc sees to it),
# HEADERS_OF those of which it only knows structs; LIBRARIES are other people's.
# OBJECT: objects instead of an archive, for what nothing calls by name.
# Headers that take long are compiled once: cmake/*_headers.h, one for rooms
# that need Torch (those say TORCH), one for other rooms, one for their tests.

function(sfumato_room name)
  cmake_parse_arguments(ROOM "TORCH;OBJECT" ""
                        "SOURCES;USES;HEADERS_OF;LIBRARIES" ${ARGN})
  string(REPLACE "/" "_" target "sfumato_${name}")
  if(ROOM_OBJECT)
    add_library(${target} OBJECT ${ROOM_SOURCES})
  else()
    add_library(${target} STATIC ${ROOM_SOURCES})
  endif()
  target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}/src")
  list(TRANSFORM ROOM_USES PREPEND sfumato_)
  list(TRANSFORM ROOM_USES REPLACE "/" "_")
  target_link_libraries(${target} PUBLIC ${ROOM_USES} ${ROOM_LIBRARIES})
  if(ROOM_TORCH)
    sfumato_use_torch(${target})
  elseif(ROOM_OBJECT)  # commands: nothing in them has to be fast by itself
    target_compile_options(${target} PRIVATE -O1)
    sfumato_precompile(${target} app)
  else()
    sfumato_precompile(${target} common)
  endif()
endfunction()

# The first target that asks compiles cmake/NAME_headers.h for all. They must
# agree in the options that GCC compares, so -fPIC is said even to programs.
function(sfumato_precompile target name)
  if(SFUMATO_FUZZ)  # and there it is seen whether files include what they use
    return()
  endif()
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:-fPIC>")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE
      "$<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>")  # for ccache
  endif()
  get_property(owner GLOBAL PROPERTY SFUMATO_HEADER_OWNER_${name})
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  else()
    target_precompile_headers(${target} PRIVATE
                              "${PROJECT_SOURCE_DIR}/cmake/${name}_headers.h")
    set_property(GLOBAL PROPERTY SFUMATO_HEADER_OWNER_${name} ${target})
  endif()
endfunction()

# Torch's headers take ten seconds a file.
function(sfumato_use_torch target)
  target_include_directories(${target} SYSTEM PUBLIC ${TORCH_INCLUDE_DIRS})
  target_link_libraries(${target} PUBLIC ${TORCH_LIBRARIES})
  separate_arguments(flags UNIX_COMMAND "${TORCH_CXX_FLAGS}")
  target_compile_options(${target} PUBLIC "$<$<COMPILE_LANGUAGE:CXX>:${flags}>")
  set_property(TARGET ${target} PROPERTY SFUMATO_TORCH ON)
  sfumato_precompile(${target} torch)
endfunction()

# One test program a room. The label is `fast` unless LABEL says otherwise.
function(sfumato_tests name)
  if(NOT SFUMATO_TESTS)
    return()
  endif()
  cmake_parse_arguments(TEST "" "LABEL" "SOURCES;LIBRARIES" ${ARGN})
  if(NOT TEST_SOURCES)
    return()
  endif()
  if(NOT TEST_LABEL)
    set(TEST_LABEL fast)
  endif()
  string(REPLACE "/" "_" name ${name})
  set(target ${name}_test)
  add_executable(${target} ${TEST_SOURCES})
  target_link_libraries(${target} PRIVATE sfumato_${name} ${TEST_LIBRARIES}
                                          GTest::gtest GTest::gtest_main)
  get_target_property(torch sfumato_${name} SFUMATO_TORCH)
  if(torch)
    sfumato_use_torch(${target})
  else()
    target_compile_options(${target} PRIVATE -O1)
    sfumato_precompile(${target} test)
  endif()
  include(GoogleTest)
  gtest_discover_tests(${target} PROPERTIES LABELS ${TEST_LABEL} TIMEOUT 300
                       DISCOVERY_TIMEOUT 60)
endfunction()
